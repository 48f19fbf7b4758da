#pragma once
// Missing values, filled in by the mean of their feature.

#include "io/source.hpp"
#include "sven/io.hpp"

namespace sven::io {

// A dense block of doubles whose missing entries are NaN.
struct MutableBlock {
    double* data = nullptr;
    Index rows = 0;
    Index cols = 0;
    Layout layout = Layout::column_major;
};

// Fills the missing entries by the means of `known`, else by those of the block, which go to
// data.encoding. Throws ParseError where a feature has no value at all.
void impute_means(const Source& source, const MutableBlock& block, const Encoding* known,
                  Dataset& data);

}  // namespace sven::io
