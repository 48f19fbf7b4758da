#include "io/drop_rows.hpp"

#include <cmath>
#include <string>

#include "io/fault.hpp"

namespace sven::io {

namespace {

// Of the rows that are left out, and the column that lacks most values.
struct Missing {
    std::vector<char> rows;
    std::string column;  // empty: none with a name
    Index most = 0;

    void mark(const double* values, const std::string& name) {
        Index count = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (!std::isnan(values[i])) continue;
            rows[i] = 1;
            ++count;
        }
        if (count <= most || name.empty()) return;
        most = count;
        column = name;
    }
};

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

[[noreturn]] void refuse(const Source& source, const Missing& missing, Index rows) {
    std::string where;
    if (!missing.column.empty())
        where = "; most are missing in the column " + in_quotes(missing.column) + ", " +
                std::to_string(missing.most) + " of " + std::to_string(rows);
    raise(source.path(), {0, 0, "every row lacks a value" + where});
}

}  // namespace

Index drop_rows(const Source& source, const MutableBlock& block, bool checks_features,
                Dataset& data) {
    Missing missing{std::vector<char>(static_cast<std::size_t>(block.rows), 0), {}, 0};
    const auto& is_missing = missing.rows;
    if (!data.y.empty()) missing.mark(data.y.data(), data.target_name);
    for (const std::vector<double>* const values :
         {&data.weights, &data.folds, &data.offset, &data.failures})
        if (!values->empty()) missing.mark(values->data(), {});
    for (Index j = 0; j < block.cols && checks_features; ++j)
        missing.mark(block.data + j * block.rows, feature_name(data, j));
    for (const char is_gone : is_missing) data.dropped_rows += is_gone;
    if (data.dropped_rows == block.rows) refuse(source, missing, block.rows);
    double* to = block.data;
    for (Index j = 0; j < block.cols; ++j)
        to = close_gaps(block.data + j * block.rows, to, is_missing);
    for (std::vector<double>* const values :
         {&data.y, &data.weights, &data.folds, &data.offset, &data.failures})
        close_gaps(*values, is_missing);
    close_gaps(data.row_names, is_missing);
    return block.rows - data.dropped_rows;
}

}  // namespace sven::io
