#include "linalg/least_norm.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "linalg/dense.hpp"
#include "linalg/qr.hpp"

namespace sven::linalg {
namespace {

double length(Index n, const double* x) {
    return std::sqrt(dot(n, x, x));
}

// x := x - tau v (v'x), v with v_1 = 1 that is not stored
void reflect(Index n, const double* v, double tau, double* x) {
    const double product = tau * (x[0] + dot(n - 1, v + 1, x + 1));
    x[0] -= product;
    axpy(n - 1, -product, v + 1, x + 1);
}

// S P = Q R by the longest remaining column, b := Q'b; returns the rank.
Index factor_by_pivots(Index n, double* S, double* b, double tolerance, std::vector<Index>& order) {
    double first = 0;
    for (Index k = 0; k < n; ++k) {
        Index longest = k;
        double most = -1;
        for (Index j = k; j < n; ++j) {
            const double norm = length(n - k, S + j * n + k);
            if (norm > most) {
                most = norm;
                longest = j;
            }
        }
        if (k == 0) first = most;
        if (!(most > tolerance * first)) return k;
        std::swap_ranges(S + k * n, S + k * n + n, S + longest * n);
        std::swap(order[k], order[longest]);
        double* v = S + k * n + k;
        double tau = 0;
        qr(n - k, 1, v, &tau, {});
        for (Index j = k + 1; j < n; ++j) reflect(n - k, v, tau, S + j * n + k);
        reflect(n - k, v, tau, b + k);
    }
    return n;
}

}  // namespace

// Where R = (R_1 R_2) has fewer rows than columns, its rows span the solutions of least norm:
// R' = Z T, x = Z T^-T (Q'b).
void solve_least_norm(Index n, double* S, double* b, double tolerance) {
    std::vector<Index> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), Index{0});
    const Index rank = factor_by_pivots(n, S, b, tolerance, order);
    std::vector<double> x(b, b + n);
    std::fill(x.begin() + rank, x.end(), 0.0);
    if (rank == n) {
        solve_upper({n, S, n}, x.data());
    } else if (rank > 0) {
        std::vector<double> rows(static_cast<std::size_t>(n * rank), 0.0);
        for (Index i = 0; i < rank; ++i)
            for (Index j = i; j < n; ++j) rows[i * n + j] = S[j * n + i];
        std::vector<double> tau(static_cast<std::size_t>(rank));
        qr(n, rank, rows.data(), tau.data(), {});
        solve_upper_transposed({rank, rows.data(), n}, x.data());
        for (Index k = rank - 1; k >= 0; --k)
            reflect(n - k, rows.data() + k * n + k, tau[k], x.data() + k);
    }
    for (Index k = 0; k < n; ++k) b[order[k]] = x[k];
}

}  // namespace sven::linalg
