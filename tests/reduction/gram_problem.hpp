#pragma once
// A small problem over its Gram matrix, solved at one setting after the other.

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "linalg/dense.hpp"
#include "linalg/naive.hpp"
#include "reduction/active_set.hpp"
#include "reduction/gram_kernel.hpp"

namespace sven::test {

class GramProblem {
  public:
    static constexpr Index n = 80;
    static constexpr Index p = 60;

    explicit GramProblem(unsigned seed) : all_(p), excluded_(p), factors_(p) {
        const std::vector<double> X = random_vector(n * p, seed);
        const std::vector<double> y = random_vector(n, seed + 1);
        gram_.features = p;
        gram_.values->reserve(p * p);
        gram_.response_squares = linalg::dot(n, y.data(), y.data());
        for (Index i = 0; i < p; ++i) {
            for (Index j = 0; j < p; ++j)
                (*gram_.values)[i * p + j] = linalg::dot(n, X.data() + i * n, X.data() + j * n);
            gram_.norms.push_back(std::sqrt((*gram_.values)[i * p + i]));
            gram_.products.push_back(linalg::dot(n, X.data() + i * n, y.data()));
            factors_[i] = 0.5 + static_cast<double>(i % 4) / 3;
            largest_ = std::max(largest_, std::abs(gram_.products[i]) / factors_[i]);
        }
        std::iota(all_.begin(), all_.end(), Index{0});
        kernel_ = std::make_unique<reduction::GramKernel>(gram_, linalg::Execution{});
        const problem::Penalties penalties{factors_, excluded_, {}, {}};
        set_ =
            std::make_unique<reduction::ActiveSet>(*kernel_, penalties, linalg::Execution{}, 1e-10);
        set_->set_candidates(all_);
    }

    problem::Target at(double share, double l2) const {
        return problem::Target::penalty(share * largest_, l2);
    }
    reduction::Outcome solve(const problem::Target& target, double gap) {
        return set_->run(target, {500, 0, gap});
    }
    Index run(double share, double l2) { return solve(at(share, l2), 0).iterations; }
    void go_on() { set_->go_on(); }
    reduction::Machine& machine() { return set_->machine(); }
    reduction::State& state() { return set_->state(); }

    // Of the features, by plain sums.
    std::vector<double> products() const {
        const std::vector<double> b = beta();
        std::vector<double> result = gram_.products;
        for (Index j = 0; j < p; ++j)
            for (Index k = 0; k < p; ++k) result[j] -= (*gram_.values)[j * p + k] * b[k];
        return result;
    }
    double factor(Index j) const { return factors_[j]; }
    bool is_active(Index j) const {
        const Index slot = kernel_->slot_of(j);
        return slot >= 0 && set_->state().active[slot] != 0;
    }

    std::vector<double> beta() const {
        std::vector<double> by_feature(p);
        for (Index slot = 0; slot < kernel_->slots(); ++slot)
            by_feature[kernel_->feature(slot)] = set_->state().beta[slot];
        return by_feature;
    }
    // The coefficients that a forecast expects, by feature.
    std::vector<double> moved(std::span<const double> by_slot) const {
        std::vector<double> by_feature = beta();
        for (std::size_t slot = 0; slot < by_slot.size(); ++slot)
            by_feature[kernel_->feature(static_cast<Index>(slot))] += by_slot[slot];
        return by_feature;
    }

  private:
    problem::ScaledGram gram_;
    std::vector<Index> all_;
    std::vector<problem::Exclusion> excluded_;
    std::vector<double> factors_;
    double largest_ = 0;
    std::unique_ptr<reduction::GramKernel> kernel_;
    std::unique_ptr<reduction::ActiveSet> set_;
};

}  // namespace sven::test
