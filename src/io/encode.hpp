#pragma once
// Missing values, replaced by the mean of their feature.

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

// Replaces missing entries by the means in `known`, else by those of the block, which are stored in
// data.encoding. Throws ParseError if a feature has no values.
void impute_means(const Source& source, const MutableBlock& block, const Encoding* known,
                  Dataset& data);

}  // namespace sven::io
