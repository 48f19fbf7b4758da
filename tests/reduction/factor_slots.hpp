#pragma once
// Slots over a few columns, and the systems of some of them solved by plain elimination.

#include <algorithm>
#include <numeric>

#include "linalg/naive.hpp"
#include "reduction/column_kernel.hpp"
#include "reduction/gram_kernel.hpp"
#include "support/eliminate.hpp"

namespace sven::test {

// Columns as they are, no centring or scaling, each with a slot of its own number.
class Slots {
  public:
    Slots(Index rows, Index cols, std::vector<double> X, bool by_gram)
        : n(rows),
          p(cols),
          X_(std::move(X)),
          y_(random_vector(n, 1)),
          design_(linalg::make_design(column_major(X_.data(), n, p))),
          scaled_(*design_, std::vector<double>(p, 0.0), std::vector<double>(p, 1.0), {}) {
        gram_.features = p;
        gram_.values->reserve(p * p);
        gram_.response_squares = 1;
        gram_.products.resize(p);
        gram_.norms.resize(p);
        for (Index i = 0; i < p; ++i)
            for (Index j = 0; j < p; ++j)
                (*gram_.values)[i * p + j] = static_cast<double>(product(i, j));
        if (by_gram)
            kernel_ = std::make_unique<reduction::GramKernel>(gram_, linalg::Execution{});
        else
            kernel_ = std::make_unique<reduction::ColumnKernel>(scaled_, y_, gram_.products,
                                                                gram_.norms, linalg::Execution{});
        std::vector<Index> all(static_cast<std::size_t>(p));
        std::iota(all.begin(), all.end(), Index{0});
        kernel_->append(all);
    }
    Real product(Index i, Index j) const {
        Real sum = 0;
        for (Index k = 0; k < n; ++k) sum += static_cast<Real>(X_[i * n + k]) * X_[j * n + k];
        return sum;
    }
    reduction::Kernel& kernel() { return *kernel_; }

    const Index n;
    const Index p;

  private:
    std::vector<double> X_;
    std::vector<double> y_;
    std::unique_ptr<linalg::Design> design_;
    linalg::ScaledDesign scaled_;
    problem::ScaledGram gram_;
    std::unique_ptr<reduction::Kernel> kernel_;
};

// K x = b over `order`.
inline std::vector<Real> solve_naively(Slots& slots, std::span<const Index> order,
                                       const std::vector<double>& ridge,
                                       const std::vector<double>& b) {
    std::vector<Real> K;
    std::vector<Real> right;
    for (const Index i : order) {
        for (const Index j : order) K.push_back(slots.product(i, j) + (i == j ? ridge[i] : 0));
        right.push_back(b[i]);
    }
    return eliminate(K, right);
}

inline std::vector<Index> active_slots(const std::vector<char>& active) {
    std::vector<Index> slots;
    for (std::size_t slot = 0; slot < active.size(); ++slot)
        if (active[slot]) slots.push_back(static_cast<Index>(slot));
    return slots;
}

// What is left of K for `others` is the inverse of their part of the inverse of K over all.
inline void expect_remainder(Slots& slots, const std::vector<double>& ridge,
                             const std::vector<char>& active, const std::vector<Index>& others,
                             const linalg::Buffer<double>& rest, double tolerance) {
    std::vector<char> all = active;
    for (const Index slot : others) all[slot] = 1;
    const std::vector<Index> order = active_slots(all);
    const std::vector<Real> matrix(rest.data(), rest.data() + others.size() * others.size());
    for (std::size_t column = 0; column < others.size(); column += 5) {
        std::vector<double> unit(all.size(), 0.0);
        unit[others[column]] = 1;
        const std::vector<Real> whole = solve_naively(slots, order, ridge, unit);
        std::vector<Real> right(others.size(), Real(0));
        right[column] = 1;
        const std::vector<Real> part = eliminate(matrix, right);
        for (std::size_t k = 0; k < others.size(); ++k) {
            const auto at = std::lower_bound(order.begin(), order.end(), others[k]) - order.begin();
            EXPECT_NEAR(static_cast<double>(part[k]), static_cast<double>(whole[at]), tolerance);
        }
    }
}

}  // namespace sven::test
