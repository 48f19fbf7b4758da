// Every shape, form and option through the public interface, certified by plain loops.

#include "support/certify.hpp"
#include "support/shapes.hpp"

namespace sven::test {
namespace {

class Fit : public ShapeAndMethod {};

// All that can be switched.
std::vector<Data> variants(Shape shape, unsigned seed) {
    std::vector<Data> all;
    for (int bits = 0; bits < 32; ++bits) {
        Data data = random_regression(shape.n, shape.p, seed + bits);
        data.intercept = (bits & 1) == 0;
        data.standardize = (bits & 2) == 0;
        if (bits & 4) add_weights(data, seed + bits + 100);
        if (bits & 8) add_factors(data, seed + bits + 200);
        data.nonnegative = (bits & 16) != 0;
        all.push_back(data);
    }
    return all;
}

TEST_P(Fit, PenaltyFormIsCertified) {
    unsigned seed = 1;
    for (const Data& data : variants(shape(), 10)) {
        const Problem problem = data.problem();
        const double largest = largest_lambda(problem);
        for (const double alpha : {1.0, 0.95, 0.5, 0.05})
            for (const double ratio : {1.1, 0.7, 0.2, 0.02, 1e-4}) {
                SCOPED_TRACE(testing::Message()
                             << "variant " << seed - 1 << " alpha " << alpha << " ratio " << ratio);
                const Setting setting = Mixing{largest * ratio / alpha, alpha};
                certify(data, setting, fit(problem, setting, options()));
                if (HasFatalFailure() || HasFailure()) return;
            }
        ++seed;
    }
}

TEST_P(Fit, BudgetFormIsCertifiedAndMeetsThePenaltyForm) {
    unsigned variant = 0;
    for (const Data& data : variants(shape(), 50)) {
        const Problem problem = data.problem();
        const double largest = largest_lambda(problem);
        const double total = static_cast<double>(standardize(data).total);
        for (const double l2 : {0.0, 0.1 * total, 10 * total})
            for (const double ratio : {0.9, 0.3, 0.03}) {
                SCOPED_TRACE(testing::Message()
                             << "variant " << variant << " l2 " << l2 << " ratio " << ratio);
                const double l1 = 2 * total * largest * ratio;
                const Solution penalty = fit(problem, Penalty{l1, l2}, options());
                const Setting setting = Budget{penalty.t, l2};
                const Solution budget = fit(problem, setting, options());
                certify(data, setting, budget);
                if (penalty.t > 0) {
                    EXPECT_NEAR(budget.l1, l1, 1e-6 * l1);
                }
                if (HasFailure()) return;
            }
        ++variant;
    }
}

TEST_P(Fit, SlackBudgetIsTheRidgeSolution) {
    Data data = random_regression(shape().n, shape().p, 7);
    for (const bool nonnegative : {false, true}) {
        data.nonnegative = nonnegative;
        const Solution ridge = fit(data.problem(), Penalty{0, 2.5}, options());
        certify(data, Penalty{0, 2.5}, ridge);
        for (const double share : {1.05, 1000.0, infinity}) {
            SCOPED_TRACE(share);
            const Setting setting = Budget{ridge.t * share, 2.5};
            const Solution slack = fit(data.problem(), setting, options());
            EXPECT_EQ(slack.status, Status::ridge);
            EXPECT_EQ(slack.l1, 0);
            EXPECT_NEAR(slack.objective, ridge.objective, 1e-9 * ridge.objective);
            certify(data, setting, slack);
        }
        const Setting tight = Budget{ridge.t * 0.95, 2.5};
        const Solution bound = fit(data.problem(), tight, options());
        EXPECT_GT(bound.l1, 0);
        certify(data, tight, bound);
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Fit,
                         by_both_methods({Shape{30, 80}, Shape{200, 12}, Shape{50, 50},
                                          Shape{20, 300}, Shape{2, 3}, Shape{9, 1}, Shape{5, 4}}),
                         shape_and_method);

}  // namespace
}  // namespace sven::test
