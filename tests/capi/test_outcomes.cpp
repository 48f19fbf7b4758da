// Binomial and poisson responses through the C interface: the same answers as the C++ interface.

#include <cstddef>

#include "plain.hpp"
#include "support/outcome_data.hpp"
#include "sven/predict.hpp"

namespace sven::test {
namespace {

void expect_refused(int result, const char* sentence) {
    EXPECT_EQ(result, SVEN_INVALID_ARGUMENT);
    EXPECT_STREQ(sven_last_error(), sentence);
}

class COutcomes : public testing::TestWithParam<Family> {};

INSTANTIATE_TEST_SUITE_P(Families, COutcomes, testing::Values(Family::binomial, Family::poisson),
                         [](const auto& family) { return std::string(name(family.param)); });

TEST_P(COutcomes, FitsHaveTheirDeviance) {
    Data data = outcome_data(GetParam(), 50, 8, 31);
    data.offset.assign(50, 0.1);
    data.offset[3] = -0.4;
    const PlainSession session = plain_session(data);
    const PlainPath path = plain_fit(session, SVEN_MIXING, 0.05, 0.5);
    const SvenSolution found = solution(path.get());
    expect_same(found, fit(data.problem(), Mixing{0.05, 0.5}));
    EXPECT_LT(found.deviance, found.null_deviance);
}

TEST_P(COutcomes, PredictionsAreTransformed) {
    const int family = static_cast<int>(GetParam());
    std::vector<double> plain = {-1.5, 0, 0.25, 3};
    std::vector<double> expected = plain;
    ASSERT_OK(sven_transform_predictions(family, SVEN_RESPONSE, 4, plain.data()));
    transform_predictions(GetParam(), Prediction::response, expected);
    EXPECT_EQ(plain, expected);
    ASSERT_OK(sven_transform_predictions(family, SVEN_LINK, 0, nullptr));
}

TEST_P(COutcomes, FoldsAreJudgedAndHeldAsAsked) {
    const Data data = outcome_data(GetParam(), 60, 10, 32);
    std::vector<Index> fold_of_row(60);
    ASSERT_OK(sven_make_folds(60, 3, 5, 1, fold_of_row.data()));
    SvenCvPlan plain;
    ASSERT_OK(sven_cv_plan_init(&plain, sizeof plain));
    plain.fold_of_row = fold_of_row.data();
    plain.lambda_count = 6;
    CrossValidation plan;
    plan.folds = make_folds(60, 3, 5);
    plan.grids = {{.count = 6}};
    for (const Measure measure : {Measure::automatic, Measure::mae})
        for (const Held held : {Held::lambda, Held::penalty}) {
            plain.measure = static_cast<std::int32_t>(plan.measure = measure);
            plain.held = static_cast<std::int32_t>(plan.held = held);
            const PlainSession session = plain_session(data);
            SvenCv* made = nullptr;
            ASSERT_OK(sven_cross_validate(session.get(), &plain, &made));
            const PlainCv cv(made);
            expect_same_curves(cv.get(), Session(data.problem()).cross_validate(plan));
        }
}

TEST_P(COutcomes, RelaxedFitsAndBlends) {
    const Data data = outcome_data(GetParam(), 80, 10, 36);
    const PlainSession session = plain_session(data);
    const double lambda[] = {0.2, 0.05, 0.02};
    const double alpha[] = {0.7, 0.7, 0.7};
    SvenPath* made = nullptr;
    ASSERT_OK(sven_solve_path(session.get(), SVEN_MIXING, lambda, alpha, 3, &made));
    const PlainPath path(made);
    ASSERT_OK(sven_relax(session.get(), path.get(), &made));
    const PlainPath relaxed(made);
    ASSERT_OK(sven_blend(session.get(), path.get(), relaxed.get(), 0.25, &made));
    const PlainPath blended(made);
    const std::vector<Setting> settings{Mixing{0.2, 0.7}, Mixing{0.05, 0.7}, Mixing{0.02, 0.7}};
    const std::vector<Solution> expected = solve_path(data.problem(), settings);
    const std::vector<Relaxed> refits = relax(data.problem(), expected);
    for (std::size_t k = 0; k < 3; ++k) {
        const auto at = static_cast<std::int64_t>(k);
        std::int32_t refit = -1;
        ASSERT_OK(sven_path_refit(relaxed.get(), at, &refit));
        EXPECT_EQ(sven_refit_name(refit), name(refits[k].refit));
        SvenSolution found;
        ASSERT_OK(sven_path_solution(relaxed.get(), at, &found, sizeof found));
        EXPECT_NEAR(found.deviance, refits[k].solution.deviance, 1e-9 * found.deviance);
        const Solution mixed = blend(data.problem(), expected[k], refits[k].solution, 0.25);
        ASSERT_OK(sven_path_solution(blended.get(), at, &found, sizeof found));
        EXPECT_NEAR(found.deviance, mixed.deviance, 1e-9 * found.deviance);
        EXPECT_NEAR(found.intercept, mixed.intercept, 1e-7);
        ASSERT_EQ(found.nonzeros, static_cast<std::int64_t>(mixed.coefficients.size()));
        for (std::size_t j = 0; j < mixed.coefficients.size(); ++j)
            EXPECT_NEAR(found.values[j], mixed.coefficients[j].value, 1e-6);
    }
    std::int32_t refit = 0;
    expect_refused(sven_path_refit(path.get(), 0, &refit), "refit 0 is asked for; there are 0");
    expect_refused(sven_blend(session.get(), path.get(), relaxed.get(), 1.5, &made),
                   "gamma is 1.5; it must lie between 0 and 1");
    EXPECT_EQ(made, nullptr);
}

TEST_P(COutcomes, RelaxedFoldsAndUngroupedErrors) {
    const Data data = outcome_data(GetParam(), 60, 8, 37);
    std::vector<Index> fold_of_row(60);
    ASSERT_OK(sven_make_folds(60, 3, 5, 1, fold_of_row.data()));
    const double gammas[] = {0, 0.5, 1};
    SvenCvPlan plain;
    ASSERT_OK(sven_cv_plan_init(&plain, sizeof plain));
    EXPECT_EQ(plain.grouped, 1);
    plain.fold_of_row = fold_of_row.data();
    plain.lambda_count = 5;
    plain.grouped = 0;
    plain.gammas = gammas;
    plain.gamma_count = 3;
    const PlainSession session = plain_session(data);
    SvenCv* made = nullptr;
    ASSERT_OK(sven_cross_validate(session.get(), &plain, &made));
    const PlainCv cv(made);
    CrossValidation plan;
    plan.folds = make_folds(60, 3, 5);
    plan.grids = {{.count = 5}};
    plan.grouped = false;
    plan.gammas = {0, 0.5, 1};
    const CvCurve expected = Session(data.problem()).cross_validate(plan).curves[0];
    SvenCvCurve curve;
    ASSERT_OK(sven_cv_curve(cv.get(), 0, &curve, sizeof curve));
    for (std::size_t k = 0; k < 5; ++k)
        EXPECT_NEAR(curve.standard_error[k], expected.standard_error[k], 1e-9);
    SvenCvRelaxed table;
    ASSERT_OK(sven_cv_relaxed(cv.get(), 0, &table, sizeof table));
    ASSERT_EQ(table.count, 3);
    EXPECT_EQ(table.best_gamma, expected.relaxed.best.gamma);
    EXPECT_EQ(table.best_lambda, expected.relaxed.best.lambda);
    EXPECT_EQ(table.one_standard_error_gamma, expected.relaxed.one_standard_error.gamma);
    EXPECT_EQ(table.one_standard_error_lambda, expected.relaxed.one_standard_error.lambda);
    for (std::size_t k = 0; k < expected.relaxed.fold_refit.size(); ++k)
        EXPECT_EQ(table.fold_refit[k], static_cast<std::int32_t>(expected.relaxed.fold_refit[k]));
    for (std::int64_t g = 0; g < 3; ++g) {
        SvenGammaCurve one;
        ASSERT_OK(sven_cv_gamma(cv.get(), 0, g, &one, sizeof one));
        const GammaCurve& same = expected.relaxed.curves[static_cast<std::size_t>(g)];
        EXPECT_EQ(one.gamma, same.gamma);
        for (std::size_t k = 0; k < 5; ++k) {
            EXPECT_NEAR(one.mean[k], same.mean[k], 1e-8);
            EXPECT_NEAR(one.standard_error[k], same.standard_error[k], 1e-8);
        }
    }
    const SvenPath* relaxed = nullptr;
    ASSERT_OK(sven_cv_relaxed_path(cv.get(), 0, &relaxed));
    std::int64_t count = 0;
    ASSERT_OK(sven_path_count(relaxed, &count));
    EXPECT_EQ(count, 5);
    SvenGammaCurve none;
    expect_refused(sven_cv_gamma(cv.get(), 0, 3, &none, sizeof none),
                   "gamma 3 is asked for; there are 3");
}

TEST(COutcome, ProgramsOfBeforeAreGaussian) {
    const Data data = random_regression(30, 5, 33);
    const SvenMatrix X = plain_matrix(data.problem().X);
    SvenProblem problem = plain_problem(data, X);
    problem.family = 77;  // beyond what such a program knows
    problem.size = offsetof(SvenProblem, family);
    SvenSession* made = nullptr;
    ASSERT_OK(sven_session_create(&problem, nullptr, &made));
    const PlainSession session(made);
    expect_same(solution(plain_fit(session, SVEN_PENALTY, 1, 0.5).get()),
                fit(data.problem(), Penalty{1, 0.5}));
}

TEST(COutcome, WhatIsRefused) {
    Data data = outcome_data(Family::binomial, 30, 5, 34);
    const SvenMatrix X = plain_matrix(data.problem().X);
    SvenProblem problem = plain_problem(data, X);
    SvenSession* made = nullptr;
    problem.family = 3;
    expect_refused(sven_session_create(&problem, nullptr, &made),
                   "the family is 3; it must lie between 0 and 2");
    problem.family = SVEN_BINOMIAL;
    data.y.assign(30, 1);
    problem.y = data.y.data();
    expect_refused(sven_session_create(&problem, nullptr, &made),
                   "the response is of one class alone");
    problem.family = SVEN_POISSON;
    data.y[2] = -1;
    expect_refused(sven_session_create(&problem, nullptr, &made),
                   "entry 2 of y is -1; a poisson response must not be negative");
    double value = 1;
    expect_refused(sven_transform_predictions(SVEN_POISSON, SVEN_LABEL, 1, &value),
                   "a poisson response has no classes");
    expect_refused(sven_transform_predictions(SVEN_POISSON, 3, 1, &value),
                   "the type is 3; it must lie between 0 and 2");
    expect_refused(sven_transform_predictions(SVEN_POISSON, SVEN_LINK, 1, nullptr),
                   "values is NULL");
}

TEST(COutcome, PlansThatMakeNoSense) {
    const Data data = random_regression(20, 5, 35);
    const PlainSession session = plain_session(data);
    std::vector<Index> fold_of_row(20);
    ASSERT_OK(sven_make_folds(20, 4, 1, 1, fold_of_row.data()));
    SvenCvPlan plan;
    ASSERT_OK(sven_cv_plan_init(&plan, sizeof plan));
    plan.fold_of_row = fold_of_row.data();
    SvenCv* cv = nullptr;
    plan.measure = SVEN_AUC;
    expect_refused(sven_cross_validate(session.get(), &plan, &cv),
                   "a gaussian response has no classes to judge folds by");
    plan.measure = 6;
    expect_refused(sven_cross_validate(session.get(), &plan, &cv),
                   "the measure is 6; it must lie between 0 and 5");
    plan.measure = SVEN_MSE;
    plan.held = SVEN_HELD_PENALTY;
    expect_refused(sven_cross_validate(session.get(), &plan, &cv),
                   "folds of a gaussian response have the lambda in common alone");
}

}  // namespace
}  // namespace sven::test
