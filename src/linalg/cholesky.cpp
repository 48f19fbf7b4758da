#include "linalg/cholesky.hpp"

#include <algorithm>
#include <array>

#include "linalg/dense.hpp"
#include "linalg/tuning.hpp"

namespace sven::linalg {
namespace {

template <class T>
bool factor_block(Index n, T* A, Index stride) {
    alignas(64) std::array<T, cholesky_scratch(kernel_cholesky_columns)> scratch;
    return dense_kernels<T>(kernels()).cholesky(n, A, stride, scratch.data());
}

// Columns [begin, end) of the trailing matrix -= P'P, P the panel of k rows above it.
template <class T>
void update_columns(Index begin, Index end, Index k, const T* P, T* trailing, Index stride) {
    const auto subtract = [&](Index first, Index rows, Part part) {
        multiply<T>({rows, end - begin, k, -1, by_rows(P + first * stride, stride),
                     by_columns(P + begin * stride, stride), trailing + begin * stride + first,
                     stride, part});
    };
    if (begin > 0) subtract(0, begin, Part::whole);
    subtract(begin, end - begin, Part::upper);
}

// Columns of a share of the trailing matrix. Whose share an entry belongs to does not change it.
Index share_of(Index rest, int threads) {
    constexpr Index least = fewest_cholesky_columns;
    const Index even = rest / (cholesky_shares * threads) / least * least;
    return threads < 2 ? most_cholesky_columns : std::clamp(even, least, most_cholesky_columns);
}

template <class T>
bool factor_upper(Index n, T* A, Index stride, const Execution& execution) {
    constexpr Index block = cholesky_block;
    if (n == 0) return true;
    if (n <= kernel_cholesky_columns) return factor_block(n, A, stride);
    for (Index k = 0; k < n; k += block) {
        const Index size = std::min(block, n - k);
        T* pivot = A + k * stride + k;
        if (!factor_block(size, pivot, stride)) return false;
        const Index rest = n - k - size;
        if (rest == 0) break;
        T* panel = pivot + size * stride;  // size x rest
        T* trailing = panel + size;
        const Index width = share_of(rest, execution.threads);
        const Index shares = (rest + width - 1) / width;
        parallel_for(execution, execution.threads, shares, [&](Index s) {
            divide_upper_transposed<T>({size, pivot, stride}, std::min(width, rest - s * width),
                                       panel + s * width * stride, stride);
        });
        parallel_for(execution, execution.threads, shares, [&](Index s) {
            update_columns(s * width, std::min(rest, (s + 1) * width), size, panel, trailing,
                           stride);
        });
    }
    return true;
}

}  // namespace

bool cholesky_upper(Index n, double* A, Index stride, const Execution& execution) {
    return factor_upper(n, A, stride, execution);
}

bool cholesky_upper(Index n, float* A, Index stride, const Execution& execution) {
    return factor_upper(n, A, stride, execution);
}

// The kernel takes the upper triangle: the block is transposed into one.
bool cholesky_lower(Index n, double* A, Index stride) {
    alignas(64) std::array<double, lower_cholesky_columns * lower_cholesky_columns> upper;
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i <= j; ++i) upper[j * n + i] = A[i * stride + j];
    if (!factor_block(n, upper.data(), n)) return false;
    for (Index j = 0; j < n; ++j)
        for (Index i = j; i < n; ++i) A[j * stride + i] = upper[i * n + j];
    return true;
}

}  // namespace sven::linalg
