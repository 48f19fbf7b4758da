// How far the iterations between sweeps go, on a chain of features whose system converges slowly.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "reduction/gram_kernel.hpp"
#include "reduction/swept_support.hpp"
#include "reduction/tuning.hpp"
#include "support/problems.hpp"

namespace sven::test {
namespace {

constexpr Index features = 2100;

// Each column overlaps with its neighbours alone. Far from the minimum, the features of `turning`
// are about to turn their signs, and no others.
class Chain {
  public:
    explicit Chain(const std::vector<Index>& turning) : gram_(make_gram(turning)) {
        std::vector<Index> all(features);
        std::iota(all.begin(), all.end(), Index{0});
        kernel_.append(all);
        state_.h = 0;
        state_.beta = start(turning);
        state_.active.assign(features, 1);
        state_.held.assign(features, 0);
        state_.sign.assign(features, 1.0);
        state_.penalty_factor.assign(features, 1.0);
        state_.ridge.assign(features, 0.0);
    }

    // Iterations that the next ones take.
    Index descend() {
        std::vector<double> products(features);
        kernel_.set_coefficients(state_.beta);
        kernel_.slot_correlations(products.data());
        return support_.descend(machine_, state_, products);
    }
    Index begin() {
        support_.begin();
        return descend();
    }
    double coefficient(Index j) const { return state_.beta[j]; }

  private:
    static std::vector<double> start(const std::vector<Index>& turning) {
        std::vector<double> beta(features, 100.0);
        for (const Index j : turning) beta[j] = 1e-3;
        return beta;
    }
    static problem::ScaledGram make_gram(const std::vector<Index>& turning) {
        const std::vector<double> beta = start(turning);
        Random random(3);
        problem::ScaledGram gram;
        gram.features = features;
        gram.norms.assign(features, std::sqrt(2.0));
        gram.values->reserve(features * features);
        double* const G = gram.values->data();
        std::fill_n(G, features * features, 0.0);
        for (Index j = 0; j < features; ++j) {
            const double before = j > 0 ? beta[j - 1] : 0;
            const double after = j + 1 < features ? beta[j + 1] : 0;
            G[j * features + j] = 2;
            if (j > 0) G[j * features + j - 1] = G[(j - 1) * features + j] = -1;
            gram.products.push_back(2 * beta[j] - before - after + random.uniform() - 0.5);
        }
        for (const Index j : turning) gram.products[j] -= 2;
        gram.response_squares = 1e6 * features;
        return gram;
    }

    problem::ScaledGram gram_;
    reduction::GramKernel kernel_{gram_, {}};
    std::vector<double> factors_ = std::vector<double>(features, 1.0);
    std::vector<problem::Exclusion> excluded_ = std::vector<problem::Exclusion>(features);
    problem::Penalties penalties_{factors_, excluded_, {}, {}};
    reduction::Machine machine_{kernel_, penalties_, {}, 1e-10};
    reduction::State state_;
    reduction::SweptSupport support_{{}};
};

TEST(SweptSupport, GoesFurtherThoughOneInAThousandIsStopped) {
    Chain chain({700, 1400});
    EXPECT_EQ(chain.begin(), reduction::tuning::shortest_iteration);
    EXPECT_EQ(chain.coefficient(700), 0);
    EXPECT_EQ(chain.coefficient(1400), 0);
    EXPECT_GT(chain.descend(), reduction::tuning::shortest_iteration);
}

TEST(SweptSupport, StaysShortWhileMoreAreStopped) {
    Chain chain({400, 700, 1400});
    EXPECT_EQ(chain.begin(), reduction::tuning::shortest_iteration);
    for (const Index j : {400, 700, 1400}) EXPECT_EQ(chain.coefficient(j), 0);
    EXPECT_EQ(chain.descend(), reduction::tuning::shortest_iteration);
}

}  // namespace
}  // namespace sven::test
