// The proof of each feature: asked for or not, by every route, and the certificate counts them.
// Whether they are true is for tests/soak and tests/problem to judge.

#include <gtest/gtest.h>

#include "support/certify.hpp"
#include "support/options.hpp"
#include "support/outcome_data.hpp"
#include "sven/cross_validation.hpp"
#include "sven/session.hpp"

namespace sven::test {
namespace {

Index count(const Solution& solution, Proof proof) {
    return std::count(solution.proofs.begin(), solution.proofs.end(), proof);
}

void expect_counted(const Data& data, const Solution& solution) {
    ASSERT_EQ(static_cast<Index>(solution.proofs.size()), data.p);
    EXPECT_EQ(count(solution, Proof::selected), solution.certificate.proven_selected);
    EXPECT_EQ(count(solution, Proof::zero), solution.certificate.proven_zero);
    EXPECT_EQ(count(solution, Proof::undecided), solution.certificate.undecided);
    EXPECT_EQ(count(solution, Proof::left_out), solution.certificate.left_out);
    std::vector<char> has_coefficient(static_cast<std::size_t>(data.p), 0);
    for (const Coefficient& coefficient : solution.coefficients) {
        has_coefficient[coefficient.feature] = 1;
        EXPECT_NE(solution.proofs[coefficient.feature], Proof::zero);
    }
    for (Index j = 0; j < data.p; ++j)
        EXPECT_TRUE(solution.proofs[j] != Proof::selected || has_coefficient[j]) << j;
}

class Proofs : public EachMethod {};
INSTANTIATE_TEST_SUITE_P(Methods, Proofs, testing::ValuesIn(both_methods), method_name);

TEST_P(Proofs, OfFitsPathsAndCrossValidations) {
    for (const bool is_wide : {false, true}) {
        const Data data = random_regression(40, is_wide ? 90 : 12, 7);
        const Problem problem = data.problem();
        for (const double alpha : {1.0, 0.5}) {
            const auto settings = lambda_grid(problem, {.alpha = alpha, .count = 12});
            const std::vector<Solution> path =
                solve_path(problem, settings, with_proofs(by(GetParam())));
            for (const Solution& solution : path) expect_counted(data, solution);
            EXPECT_GT(path[6].certificate.proven_selected, 0);
            expect_counted(data, fit(problem, settings[6], with_proofs(by(GetParam()))));
            CrossValidation plan;
            plan.folds = make_folds(data.n, 4, 1);
            plan.grids[0].alpha = alpha;
            const CvResult found = cross_validate(problem, plan, with_proofs(by(GetParam())));
            for (const Solution& solution : found.curves[0].path) expect_counted(data, solution);
        }
    }
}

// Most tiles of columns are counted at a look: the count is that of the features one by one, also
// where some of a tile have slots, are copies of selected ones, or constant.
TEST_P(Proofs, OfManyTiles) {
    Data data = random_regression(50, 1500, 11);
    for (const Index copy : {70, 700, 1499})
        std::copy_n(data.X.begin() + 3 * data.n, data.n, data.X.begin() + copy * data.n);
    std::fill_n(data.X.begin() + 900 * data.n, data.n, 2.0);
    for (const double alpha : {1.0, 0.3})
        for (const double tolerance : {1e-3, 1e-10}) {
            Options options = with_proofs(by(GetParam()));
            options.tolerance = tolerance;
            const auto settings = lambda_grid(data.problem(), {.alpha = alpha, .count = 15});
            for (const Solution& solution : solve_path(data.problem(), settings, options))
                expect_counted(data, solution);
        }
}

TEST_P(Proofs, AreThereWhereTheyAreAskedFor) {
    const Data data = random_regression(30, 50, 3);
    Session session(data.problem(), by(GetParam()));
    EXPECT_TRUE(session.fit(Mixing{0.1, 0.5}).proofs.empty());
    session.set_options(with_proofs(by(GetParam())));
    expect_counted(data, session.fit(Mixing{0.1, 0.5}));
}

TEST_P(Proofs, SayWhatWasLeftOut) {
    Data data = random_regression(30, 6, 5);
    for (Index i = 0; i < data.n; ++i)
        data.X[2 * data.n + i] = 1e15 + 0.25 * static_cast<double>(i % 4);
    const Solution solution = fit(data.problem(), Mixing{0.1, 0.5}, with_proofs(by(GetParam())));
    expect_counted(data, solution);
    EXPECT_EQ(solution.proofs[2], Proof::left_out);
}

TEST(ProofsOfOutcomes, OfClassesAndCounts) {
    for (const Family family : {Family::binomial, Family::poisson}) {
        const Data data = outcome_data(family, 80, 20, 2);
        const auto settings = lambda_grid(data.problem(), {.alpha = 0.5, .count = 10});
        for (const Solution& solution : solve_path(data.problem(), settings, with_proofs()))
            expect_counted(data, solution);
        // nothing is penalised: free features, and with limits the refit of all
        expect_counted(data, fit(data.problem(), Penalty{0, 0}, with_proofs()));
        Data limited = data;
        limited.lower.assign(20, -5.0);
        limited.upper.assign(20, 5.0);
        expect_counted(limited, fit(limited.problem(), Penalty{0, 0}, with_proofs()));
    }
}

}  // namespace
}  // namespace sven::test
