#include "io/drop_rows.hpp"

#include <cmath>

#include "io/fault.hpp"

namespace sven::io {

namespace {

void mark(const double* values, std::vector<char>& is_missing) {
    for (std::size_t i = 0; i < is_missing.size(); ++i)
        if (std::isnan(values[i])) is_missing[i] = 1;
}

// Returns one past the last value that was kept.
template <class Value>
Value* close_gaps(Value* from, Value* to, const std::vector<char>& is_missing) {
    for (const char is_gone : is_missing) {
        if (!is_gone) *to++ = std::move(*from);
        ++from;
    }
    return to;
}

template <class Value>
void close_gaps(std::vector<Value>& values, const std::vector<char>& is_missing) {
    if (values.empty()) return;
    Value* const end = close_gaps(values.data(), values.data(), is_missing);
    values.resize(static_cast<std::size_t>(end - values.data()));
}

}  // namespace

Index drop_rows(const Source& source, const MutableBlock& block, bool checks_features,
                Dataset& data) {
    std::vector<char> is_missing(static_cast<std::size_t>(block.rows), 0);
    for (const std::vector<double>* const values :
         {&data.y, &data.weights, &data.folds, &data.offset, &data.failures})
        if (!values->empty()) mark(values->data(), is_missing);
    for (Index j = 0; j < block.cols && checks_features; ++j)
        mark(block.data + j * block.rows, is_missing);
    double* to = block.data;
    for (Index j = 0; j < block.cols; ++j)
        to = close_gaps(block.data + j * block.rows, to, is_missing);
    for (std::vector<double>* const values :
         {&data.y, &data.weights, &data.folds, &data.offset, &data.failures})
        close_gaps(*values, is_missing);
    close_gaps(data.row_names, is_missing);
    for (const char is_gone : is_missing) data.dropped_rows += is_gone;
    if (data.dropped_rows == block.rows) raise(source.path(), {0, 0, "every row lacks a value"});
    return block.rows - data.dropped_rows;
}

}  // namespace sven::io
