#pragma once
// Systems solved by plain loops.

#include <cmath>
#include <utility>
#include <vector>

#include "sven/matrix.hpp"

namespace sven::test {

// A^-1 b by elimination with row exchanges; A is n x n, row-major.
template <class Number>
std::vector<Number> eliminate(std::vector<Number> A, std::vector<Number> b) {
    const auto n = static_cast<Index>(b.size());
    for (Index k = 0; k < n; ++k) {
        Index pivot = k;
        for (Index i = k + 1; i < n; ++i)
            if (std::abs(A[i * n + k]) > std::abs(A[pivot * n + k])) pivot = i;
        for (Index j = 0; j < n; ++j) std::swap(A[k * n + j], A[pivot * n + j]);
        std::swap(b[k], b[pivot]);
        for (Index i = k + 1; i < n; ++i) {
            const Number factor = A[i * n + k] / A[k * n + k];
            for (Index j = k; j < n; ++j) A[i * n + j] -= factor * A[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (Index k = n - 1; k >= 0; --k) {
        for (Index j = k + 1; j < n; ++j) b[k] -= A[k * n + j] * b[j];
        b[k] /= A[k * n + k];
    }
    return b;
}

}  // namespace sven::test
