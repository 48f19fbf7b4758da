#include "soak/factor.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sven::soak {

Reals Factor::forward(Reals right) const {
    for (std::size_t i = 0; i < right.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) right[i] -= rows_[i][k] * right[k];
        right[i] /= rows_[i][i];
    }
    return right;
}

bool Factor::append(Index member) {
    Reals row;
    for (const Index other : members_) row.push_back((*matrix_)(member, other));
    row = forward(std::move(row));
    Real rest = (*matrix_)(member, member);
    for (const Real& entry : row) rest -= entry * entry;
    if (rest < dependence()) return false;
    row.push_back(sqrt(rest));
    rows_.push_back(std::move(row));
    members_.push_back(member);
    return true;
}

Reals Factor::solve(const Reals& right) const {
    Reals x = forward(right);
    for (std::size_t i = x.size(); i-- > 0;) {
        for (std::size_t k = i + 1; k < x.size(); ++k) x[i] -= rows_[k][i] * x[k];
        x[i] /= rows_[i][i];
    }
    return x;
}

Reals Factor::combination(Index j) const {
    Reals right;
    for (const Index member : members_) right.push_back((*matrix_)(member, j));
    return solve(right);
}

Factor pivoted_factor(const Symmetric& matrix, std::span<const Index> members) {
    // squared distances from the span, kept up to date with the rows of the factor
    std::vector<Index> left(members.begin(), members.end());
    std::vector<Reals> rows(left.size());
    Reals rest;
    for (const Index j : left) rest.push_back(matrix(j, j));
    Factor factor(matrix);
    while (!left.empty()) {
        const auto best = std::max_element(rest.begin(), rest.end()) - rest.begin();
        if (!factor.append(left[best])) break;
        const Index pivot = left[best];
        const Reals pivot_row = rows[best];
        const Real root = sqrt(rest[best]);
        left.erase(left.begin() + best);
        rows.erase(rows.begin() + best);
        rest.erase(rest.begin() + best);
        for (std::size_t m = 0; m < left.size(); ++m) {
            Real entry = matrix(left[m], pivot);
            for (std::size_t k = 0; k < pivot_row.size(); ++k) entry -= rows[m][k] * pivot_row[k];
            rows[m].push_back(entry / root);
            rest[m] -= rows[m].back() * rows[m].back();
        }
    }
    return factor;
}

namespace {

// The largest eigenvalue of a positive definite matrix, in units of `unit`: it is well determined
// in double, whatever the condition.
double largest_eigenvalue(const std::vector<double>& matrix, std::size_t order) {
    // the power method squares the matrix: 2^12 steps of plain iteration, to 1e-3 or better
    std::vector<double> power = matrix;
    double log_scale = 0;
    double exponent = 1;
    for (int step = 0; step < 12; ++step) {
        double trace = 0;
        for (std::size_t i = 0; i < order; ++i) trace += power[i * order + i];
        for (double& entry : power) entry /= trace;
        log_scale += std::log(trace) / exponent;
        std::vector<double> square(order * order, 0.0);
        for (std::size_t i = 0; i < order; ++i)
            for (std::size_t k = 0; k < order; ++k)
                for (std::size_t j = 0; j < order; ++j)
                    square[i * order + j] += power[i * order + k] * power[k * order + j];
        power = std::move(square);
        exponent *= 2;
    }
    double trace = 0;
    for (std::size_t i = 0; i < order; ++i) trace += power[i * order + i];
    return std::exp(log_scale + std::log(trace) / exponent);
}

}  // namespace

double condition_of_columns(const Symmetric& unit_gram) {
    std::vector<Index> all(static_cast<std::size_t>(unit_gram.order));
    std::iota(all.begin(), all.end(), Index{0});
    const Factor factor = pivoted_factor(unit_gram, all);
    const std::size_t rank = factor.members().size();
    if (rank == 0) return 1;
    std::vector<double> gram(rank * rank);
    std::vector<double> inverse(rank * rank);
    for (std::size_t j = 0; j < rank; ++j) {
        Reals unit(rank, Real(0));
        unit[j] = 1;
        const Reals column = factor.solve(unit);
        for (std::size_t i = 0; i < rank; ++i) {
            inverse[i * rank + j] = column[i].convert_to<double>();
            gram[i * rank + j] =
                unit_gram(factor.members()[i], factor.members()[j]).convert_to<double>();
        }
    }
    return std::sqrt(largest_eigenvalue(gram, rank)) * std::sqrt(largest_eigenvalue(inverse, rank));
}

}  // namespace sven::soak
