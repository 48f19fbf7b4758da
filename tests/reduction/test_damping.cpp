// Steps cut short by the line search in the residual, on their own and from nothing, on problems
// of which whole steps alone go round in circles on every other one.

#include <cmath>
#include <numeric>

#include "linalg/dense.hpp"
#include "linalg/naive.hpp"
#include "reduction/active_set.hpp"
#include "reduction/column_kernel.hpp"
#include "reduction/gram_kernel.hpp"

namespace sven::test {
namespace {

constexpr Index n = 10;
constexpr Index p = 20;

struct Found {
    Index steps = 0;
    std::vector<double> beta;  // by feature
};

// Random columns and response: more features than rows and little ridge.
class Case {
  public:
    explicit Case(unsigned seed)
        : X_(random_vector(n * p, seed)),
          y_(random_vector(n, seed + 1000)),
          design_(linalg::make_design(column_major(X_.data(), n, p))),
          scaled_(*design_, std::vector<double>(p, 0.0), std::vector<double>(p, 1.0), {}),
          all_(p),
          excluded_(p) {
        gram_.features = p;
        gram_.values->reserve(p * p);
        gram_.response_squares = linalg::dot(n, y_.data(), y_.data());
        for (Index i = 0; i < p; ++i) {
            for (Index j = 0; j < p; ++j)
                (*gram_.values)[i * p + j] = linalg::dot(n, X_.data() + i * n, X_.data() + j * n);
            gram_.norms.push_back(std::sqrt((*gram_.values)[i * p + i]));
            gram_.products.push_back(linalg::dot(n, X_.data() + i * n, y_.data()));
        }
        std::iota(all_.begin(), all_.end(), Index{0});
        double largest = 0;
        for (const double c : gram_.products) largest = std::max(largest, std::abs(c));
        target_ = problem::Target::penalty(0.1 * largest, 1e-3 * static_cast<double>(n));
    }

    // `lower`, `upper`: limits of every coefficient.
    Found solve(bool by_gram, double lower, double upper, bool is_damped) {
        std::unique_ptr<reduction::Kernel> kernel;
        if (by_gram)
            kernel = std::make_unique<reduction::GramKernel>(gram_, linalg::Execution{});
        else
            kernel = std::make_unique<reduction::ColumnKernel>(scaled_, y_, gram_.products,
                                                               gram_.norms, linalg::Execution{});
        const std::vector<double> lowest(excluded_.size(), lower);
        const std::vector<double> highest(excluded_.size(), upper);
        reduction::ActiveSet set(*kernel, {{}, excluded_, lowest, highest}, {}, 1e-10);
        set.set_candidates(all_);
        Found found;
        if (is_damped) {
            set.load({}, target_, target_.h());
            reduction::DampedSteps damped;
            damped.begin(set.machine(), {}, set.state());
            reduction::Step step;
            while (step.verdict == reduction::Verdict::changed) {
                step = damped.take(set.machine(), set.state());
                ++found.steps;
            }
            EXPECT_EQ(step.verdict, reduction::Verdict::optimal);
        } else {
            found.steps = set.run(target_, {500, 0}).iterations;
        }
        problem::Support support;
        set.save(support);
        found.beta.assign(p, 0.0);
        for (std::size_t k = 0; k < support.features.size(); ++k)
            found.beta[support.features[k]] = support.beta[k];
        return found;
    }

  private:
    std::vector<double> X_, y_;
    std::unique_ptr<linalg::Design> design_;
    linalg::ScaledDesign scaled_;
    problem::ScaledGram gram_;
    std::vector<Index> all_;
    std::vector<problem::Exclusion> excluded_;
    problem::Target target_;
};

class Damping : public testing::TestWithParam<bool> {};

TEST_P(Damping, ReachesTheSolutionByItself) {
    for (unsigned seed = 1; seed <= 60; ++seed)
        for (const auto& [lower, upper] :
             {std::pair{-infinity, infinity}, std::pair{0.0, infinity}, std::pair{-0.05, 0.1}}) {
            SCOPED_TRACE(testing::Message() << seed << " " << lower << " to " << upper);
            Case problem(seed);
            const Found expected = problem.solve(GetParam(), lower, upper, false);
            const Found damped = problem.solve(GetParam(), lower, upper, true);
            // forty of its steps, and descent would have taken over
            EXPECT_LE(damped.steps, 40);
            double largest = 0;
            for (const double b : expected.beta) largest = std::max(largest, std::abs(b));
            for (Index j = 0; j < p; ++j)
                EXPECT_NEAR(damped.beta[j], expected.beta[j], 1e-9 * largest) << j;
        }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Damping, testing::Bool(), [](const auto& tested) {
    return std::string(tested.param ? "gram" : "columns");
});

}  // namespace
}  // namespace sven::test
