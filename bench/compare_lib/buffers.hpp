#pragma once
// From the caller's buffers to the library's types.

#include <algorithm>
#include <cstring>
#include <exception>

#include "path.hpp"
#include "sven/sven.hpp"

namespace sven::compare {

inline MatrixView view(const MatrixBuffers& X) {
    if (X.layout == layout_columns) return column_major(X.values, X.rows, X.cols);
    if (X.layout == layout_rows) return row_major(X.values, X.rows, X.cols);
    SparseView sparse;
    sparse.values = X.values;
    sparse.indices = X.indices;
    sparse.offsets = X.offsets;
    sparse.rows = X.rows;
    sparse.cols = X.cols;
    return sparse;
}

inline Problem problem(const MatrixBuffers& X, const double* y, bool intercept, bool standardize) {
    Problem stated;
    stated.X = view(X);
    stated.y = {y, static_cast<std::size_t>(X.rows)};
    stated.intercept = intercept;
    stated.standardize = standardize;
    return stated;
}

struct Message {
    char* text;
    std::int64_t size;
};

// Runs the work; an exception becomes a message and the result 1.
template <class Work>
int guarded(const Message& message, const Work& work) {
    try {
        work();
        return 0;
    } catch (const std::exception& error) {
        const auto room = static_cast<std::size_t>(std::max<std::int64_t>(message.size, 1)) - 1;
        const std::size_t length = std::min(room, std::strlen(error.what()));
        std::copy_n(error.what(), length, message.text);
        message.text[length] = '\0';
        return 1;
    }
}

}  // namespace sven::compare
