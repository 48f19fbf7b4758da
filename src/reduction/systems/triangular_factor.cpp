#include "reduction/systems/triangular_factor.hpp"

#include "linalg/dense.hpp"
#include "linalg/grown_square.hpp"
#include "reduction/tuning.hpp"

namespace sven::reduction {

void TriangularFactor::reserve(Index size) {
    if (size <= stride_) return;
    const Index order = std::max<Index>({size, tuning::first_order, stride_ + stride_ / 2});
    linalg::grow_square(order, static_cast<Index>(order_.size()), linalg::Triangle::upper,
                        execution_, U_, stride_);
}

bool TriangularFactor::solve(const double* b, double* x, SolveGoal& /*goal*/) {
    const auto m = static_cast<Index>(order_.size());
    gathered_.resize(static_cast<std::size_t>(m));
    for (Index k = 0; k < m; ++k) gathered_[k] = b[order_[k]];
    linalg::solve_upper_transposed({m, U_.data(), stride_}, gathered_.data());
    linalg::solve_upper({m, U_.data(), stride_}, gathered_.data());
    for (Index k = 0; k < m; ++k) x[order_[k]] = gathered_[k];
    return true;
}

double TriangularFactor::quadratic(const double* d) {
    const auto m = static_cast<Index>(order_.size());
    if (m == 0) return 0;
    gathered_.resize(static_cast<std::size_t>(m));
    for (Index k = 0; k < m; ++k) gathered_[k] = d[order_[k]];
    linalg::multiply_upper({m, U_.data(), stride_}, gathered_.data());
    return linalg::dot(m, gathered_.data(), gathered_.data());
}

std::size_t list_slots(const SystemRequest& request, std::vector<char>& is_known,
                       std::vector<Index>& out) {
    is_known.assign(request.active.size(), 0);
    out.clear();
    for (const Index slot : request.known) {
        is_known[slot] = 1;
        if (request.active[slot]) out.push_back(slot);
    }
    const std::size_t known = out.size();
    for (std::size_t slot = 0; slot < request.active.size(); ++slot)
        if (request.active[slot] && !is_known[slot]) out.push_back(static_cast<Index>(slot));
    return known;
}

}  // namespace sven::reduction
