#include "soak/polytope.hpp"

#include <algorithm>

#include "soak/quadratic.hpp"

namespace sven::soak {

Polytope::Polytope(std::vector<Reals> rows, Reals right, std::vector<Index> basis)
    : rows_(std::move(rows)), right_(std::move(right)), basis_(std::move(basis)) {}

Real Polytope::value(const Reals& cost) const {
    Real sum = 0;
    for (std::size_t i = 0; i < basis_.size(); ++i) sum += cost[basis_[i]] * right_[i];
    return sum;
}

// The first variable whose growth pays.
Index Polytope::entering(const Reals& cost) const {
    for (std::size_t j = 0; j < cost.size(); ++j) {
        Real gain = cost[j];
        for (std::size_t i = 0; i < basis_.size(); ++i) gain -= cost[basis_[i]] * rows_[i][j];
        const bool is_basic =
            std::find(basis_.begin(), basis_.end(), static_cast<Index>(j)) != basis_.end();
        if (!is_basic && gain > violation()) return static_cast<Index>(j);
    }
    return -1;
}

// The row whose variable is the first to become zero; of several, that of the first variable.
Index Polytope::leaving(Index column) const {
    Index best = -1;
    Real least = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (rows_[i][column] <= violation()) continue;
        const Real reach = right_[i] / rows_[i][column];
        const bool is_tied = best >= 0 && abs(Real(reach - least)) <= negligible() * (1 + least);
        if (best >= 0 && !(is_tied ? basis_[i] < basis_[best] : reach < least)) continue;
        best = static_cast<Index>(i);
        least = reach;
    }
    return best;
}

void Polytope::pivot(Index row, Index column) {
    const Real divisor = rows_[row][column];
    for (Real& entry : rows_[row]) entry /= divisor;
    right_[row] /= divisor;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Real share = rows_[i][column];
        if (static_cast<Index>(i) == row || share == 0) continue;
        for (std::size_t j = 0; j < rows_[i].size(); ++j) rows_[i][j] -= share * rows_[row][j];
        rows_[i][column] = 0;
        right_[i] -= share * right_[row];
        // never below zero but for rounding
        if (right_[i] < 0) right_[i] = 0;
    }
    basis_[row] = column;
}

std::optional<Real> Polytope::maximum(const Reals& cost, const Real& enough) {
    constexpr int limit = 5000;
    for (int step = 0; step < limit; ++step) {
        const Real reached = value(cost);
        if (reached > enough) return reached;
        const Index column = entering(cost);
        if (column < 0) return reached;
        const Index row = leaving(column);
        if (row < 0) return std::nullopt;
        pivot(row, column);
    }
    throw Unjudged("the simplex method of the judge did not end");
}

}  // namespace sven::soak
