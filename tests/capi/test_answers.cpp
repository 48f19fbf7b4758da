// The C interface gives what the C++ one gives, from the same arguments.

#include <cmath>

#include "capi/plain.hpp"
#include "support/matrix_kinds.hpp"
#include "sven/predict.hpp"

namespace sven::test {
namespace {

// Some zeros, so that compressed storage differs from dense.
Data sparse_regression(Index n, Index p, unsigned seed) {
    Data data = random_regression(n, p, seed);
    Random random(seed + 1);
    for (double& value : data.X)
        if (random.uniform() < 0.6) value = 0;
    for (double& value : data.X) value = static_cast<float>(value);
    return data;
}

class CMatrices : public testing::TestWithParam<Kind> {};

TEST_P(CMatrices, FitAndPredictAsTheViewsDo) {
    const Data data = sparse_regression(40, 25, 1);
    const StoredMatrix stored(GetParam(), data.n, data.p, data.X);
    Problem problem = data.problem();
    problem.X = stored.view();
    const Solution expected = Session(problem).fit(Mixing{0.05, 0.8});

    const SvenMatrix X = plain_matrix(stored.view());
    const SvenProblem plain = plain_problem(data, X);
    SvenSession* made = nullptr;
    ASSERT_OK(sven_session_create(&plain, nullptr, &made));
    const PlainSession session(made);
    const PlainPath path = plain_fit(session, SVEN_MIXING, 0.05, 0.8);
    expect_same(solution(path.get()), expected);

    const std::vector<double> wanted = predict(problem.X, expected);
    std::vector<double> predictions(wanted.size(), nan);
    EXPECT_OK(sven_path_predict(path.get(), 0, &X, predictions.data()));
    EXPECT_EQ(predictions, wanted);
    const SvenSolution found = solution(path.get());
    std::fill(predictions.begin(), predictions.end(), nan);
    EXPECT_OK(sven_predict(&X, found.intercept, found.nonzeros, found.features, found.values,
                           predictions.data()));
    EXPECT_EQ(predictions, wanted);
}

INSTANTIATE_TEST_SUITE_P(All, CMatrices, testing::ValuesIn(all_kinds()), kind_name);

TEST(CAnswers, EveryPartOfTheProblemCounts) {
    Data data = random_regression(30, 12, 2);
    add_weights(data, 3);
    add_factors(data, 4);
    data.offset = random_vector(30, 5);
    data.lower.assign(12, -0.2);
    data.upper.assign(12, 0.1);
    for (int variant = 0; variant < 8; ++variant) {
        SCOPED_TRACE(variant);
        data.nonnegative = (variant & 1) != 0;
        data.intercept = (variant & 2) != 0;
        data.standardize = (variant & 4) != 0;
        const PlainSession session = plain_session(data);
        const PlainPath path = plain_fit(session, SVEN_PENALTY, 2, 0.3);
        expect_same(solution(path.get()), Session(data.problem()).fit(Penalty{2, 0.3}));
    }
}

TEST(CAnswers, EveryFormOfASetting) {
    Data data = random_regression(60, 20, 5);
    add_factors(data, 6);  // glmnet rescales them
    const auto expect_fit = [&](int form, double first, double second, const Setting& setting) {
        SCOPED_TRACE(form);
        const PlainSession session = plain_session(data);
        const PlainPath path = plain_fit(session, form, first, second);
        expect_same(solution(path.get()), Session(data.problem()).fit(setting));
    };
    expect_fit(SVEN_BUDGET, 0.7, 0.2, Budget{0.7, 0.2});
    expect_fit(SVEN_BUDGET, infinity, 0.2, Budget{infinity, 0.2});
    expect_fit(SVEN_PENALTY, 3, 0.2, Penalty{3, 0.2});
    expect_fit(SVEN_PENALTY, 0, 0, Penalty{0, 0});  // no alpha
    expect_fit(SVEN_MIXING, 0.1, 0.4, Mixing{0.1, 0.4});
    expect_fit(SVEN_GLMNET, 0.1, 0.4, Mixing{0.1, 0.4, Convention::glmnet});
}

TEST(CAnswers, OptionsReachTheSolver) {
    const Data data = random_regression(80, 15, 7);
    SvenOptions plain = plain_options();
    Options options;
    for (const Method method : {Method::primal, Method::dual}) {
        plain.method = static_cast<std::int32_t>(method);
        options.method = method;
        const PlainPath path = plain_fit(plain_session(data, &plain), SVEN_MIXING, 0.01, 0.9);
        EXPECT_EQ(solution(path.get()).method, plain.method);
        expect_same(solution(path.get()), Session(data.problem(), options).fit(Mixing{0.01, 0.9}));
    }
    plain.max_iterations = options.max_iterations = 1;
    plain.threads = options.threads = 1;
    plain.tolerance = options.tolerance = 1e-13;
    const PlainPath path = plain_fit(plain_session(data, &plain), SVEN_MIXING, 1e-4, 0.9);
    expect_same(solution(path.get()), Session(data.problem(), options).fit(Mixing{1e-4, 0.9}));
    if (has_liblinear()) {
        plain = plain_options();
        plain.svm = SVEN_LIBLINEAR;
        const PlainPath other = plain_fit(plain_session(data, &plain), SVEN_BUDGET, 0.5, 0.9);
        EXPECT_EQ(solution(other.get()).svm, SVEN_LIBLINEAR);
    }
}

TEST(CAnswers, AGridAndItsPath) {
    const Data data = random_regression(25, 50, 8);
    for (const Convention convention : {Convention::documented, Convention::glmnet}) {
        const int form = convention == Convention::glmnet ? SVEN_GLMNET : SVEN_MIXING;
        Session expected(data.problem());
        const std::vector<Setting> grid = expected.lambda_grid({0.7, 12, 0.05, convention});
        const std::vector<Solution> solutions = expected.solve_path(grid);

        const PlainSession session = plain_session(data);
        std::vector<double> lambdas(12);
        ASSERT_OK(sven_lambda_grid(session.get(), form, 0.7, 0.05, 12, lambdas.data()));
        const std::vector<double> alphas(12, 0.7);
        SvenPath* made = nullptr;
        ASSERT_OK(sven_solve_path(session.get(), form, lambdas.data(), alphas.data(), 12, &made));
        const PlainPath path(made);
        Index count = 0;
        EXPECT_OK(sven_path_count(path.get(), &count));
        ASSERT_EQ(count, 12);
        std::vector<double> coefficients(50, nan);
        for (Index k = 0; k < count; ++k) {
            SCOPED_TRACE(k);
            expect_same(solution(path.get(), k), solutions[k]);
            ASSERT_OK(sven_path_coefficients(path.get(), k, coefficients.data(), 50));
            std::vector<double> wanted(50, 0.0);
            for (const Coefficient& b : solutions[k].coefficients) wanted[b.feature] = b.value;
            EXPECT_EQ(coefficients, wanted);
        }
        EXPECT_GT(solution(path.get(), 11).seconds, 0);
    }
}

TEST(CAnswers, NoSettingsNoSolutions) {
    const Data data = random_regression(10, 3, 9);
    const PlainSession session = plain_session(data);
    SvenPath* made = nullptr;
    ASSERT_OK(sven_solve_path(session.get(), SVEN_MIXING, nullptr, nullptr, 0, &made));
    const PlainPath path(made);
    Index count = -1;
    EXPECT_OK(sven_path_count(path.get(), &count));
    EXPECT_EQ(count, 0);
}

TEST(CAnswers, ASessionIsChangedAndSolvedAgain) {
    const Data data = random_regression(50, 30, 10);
    const std::vector<double> y = random_vector(50, 11);
    const std::vector<double> offset = random_vector(50, 12);
    std::vector<double> weights = random_vector(50, 13);
    for (double& w : weights) w = std::abs(w);
    Session expected(data.problem());
    const PlainSession session = plain_session(data);
    const auto expect_fit = [&](const char* what) {
        SCOPED_TRACE(what);
        const PlainPath path = plain_fit(session, SVEN_MIXING, 0.05, 0.5);
        expect_same(solution(path.get()), expected.fit(Mixing{0.05, 0.5}));
    };
    expect_fit("as it is");
    ASSERT_OK(sven_set_response(session.get(), y.data()));
    expected.set_response(y);
    expect_fit("response");
    ASSERT_OK(sven_set_offset(session.get(), offset.data()));
    expected.set_offset(offset);
    expect_fit("offset");
    ASSERT_OK(sven_set_weights(session.get(), weights.data()));
    expected.set_weights(weights);
    expect_fit("weights");
    ASSERT_OK(sven_set_weights(session.get(), nullptr));
    expected.set_weights({});
    ASSERT_OK(sven_set_offset(session.get(), nullptr));
    expected.set_offset({});
    expect_fit("neither");
    SvenOptions plain = plain_options();
    Options options;
    plain.tolerance = options.tolerance = 1e-3;
    ASSERT_OK(sven_set_options(session.get(), &plain));
    expected.set_options(options);
    expect_fit("tolerance");
}

TEST(CAnswers, AnOffsetOfTheProblemIsThatOfTheSession) {
    const Data data = random_regression(30, 10, 14);
    const std::vector<double> offset = random_vector(30, 15);
    const SvenMatrix X = plain_matrix(data.problem().X);
    SvenProblem problem = plain_problem(data, X);
    problem.offset = offset.data();
    SvenSession* made = nullptr;
    ASSERT_OK(sven_session_create(&problem, nullptr, &made));
    const PlainSession session(made);
    Session expected(data.problem());
    expected.set_offset(offset);
    const PlainPath path = plain_fit(session, SVEN_MIXING, 0.05, 0.5);
    expect_same(solution(path.get()), expected.fit(Mixing{0.05, 0.5}));
}

TEST(CAnswers, ResultsOutliveTheirSession) {
    const Data data = random_regression(30, 10, 16);
    PlainSession session = plain_session(data);
    const PlainPath path = plain_fit(session, SVEN_MIXING, 0.05, 0.5);
    session.reset();
    expect_same(solution(path.get()), Session(data.problem()).fit(Mixing{0.05, 0.5}));
}

TEST(CAnswers, CrossValidation) {
    const Data data = random_regression(60, 15, 17);
    const std::vector<double> alphas = {0.3, 1};
    std::vector<Index> fold_of_row(2 * 60, -1);
    ASSERT_OK(sven_make_folds(60, 4, 9, 2, fold_of_row.data()));
    SvenCvPlan plain;
    ASSERT_OK(sven_cv_plan_init(&plain, sizeof plain));
    plain.fold_of_row = fold_of_row.data();
    plain.repeats = 2;
    plain.alphas = alphas.data();
    plain.alpha_count = 2;
    plain.lambda_count = 15;
    plain.min_ratio = 0.01;
    CrossValidation plan;
    plan.folds = make_folds(60, 4, 9, 2);
    plan.grids = {{0.3, 15, 0.01}, {1, 15, 0.01}};

    const PlainSession session = plain_session(data);
    SvenCv* made = nullptr;
    ASSERT_OK(sven_cross_validate(session.get(), &plain, &made));
    const PlainCv cv(made);
    expect_same_curves(cv.get(), Session(data.problem()).cross_validate(plan));
}

TEST(CAnswers, KindsOfFoldsAndTheirPredictions) {
    const Data data = random_regression(60, 6, 20);
    std::vector<Index> groups(60);
    for (Index i = 0; i < 60; ++i) groups[i] = i % 11;
    std::vector<Index> fold_of_row(60, -1);
    for (const int kind : {0, 1, 2}) {
        SvenCvPlan plain;
        ASSERT_OK(sven_cv_plan_init(&plain, sizeof plain));
        plain.fold_of_row = fold_of_row.data();
        plain.keeps_predictions = 1;
        CrossValidation plan;
        plan.keeps_predictions = true;
        if (kind == 0) {
            ASSERT_OK(sven_stratified_folds(60, data.y.data(), 4, 3, 1, fold_of_row.data()));
            plan.folds = stratified_folds(data.y, 4, 3);
        } else if (kind == 1) {
            ASSERT_OK(sven_grouped_folds(60, groups.data(), 4, 3, 1, fold_of_row.data()));
            plan.folds = grouped_folds(groups, 4, 3);
        } else {
            plain.fold_of_row = nullptr;
            plain.time_ordered_folds = 3;
            plan.folds = time_ordered_folds(60, 3);
        }
        const PlainSession session = plain_session(data);
        SvenCv* made = nullptr;
        ASSERT_OK(sven_cross_validate(session.get(), &plain, &made));
        const PlainCv cv(made);
        const CvResult expected = Session(data.problem()).cross_validate(plan);
        expect_same_curves(cv.get(), expected);
        SvenCvCurve curve;
        ASSERT_OK(sven_cv_curve(cv.get(), 0, &curve, sizeof curve));
        const OutOfFold& kept = expected.curves[0].out_of_fold;
        for (std::size_t i = 0; i < 60; ++i) {
            if (std::isnan(kept.best[i])) {
                EXPECT_TRUE(std::isnan(curve.out_of_fold_best[i]));
                continue;
            }
            EXPECT_EQ(curve.out_of_fold_best[i], kept.best[i]);
            EXPECT_EQ(curve.out_of_fold_one_standard_error[i], kept.one_standard_error[i]);
        }
    }
}

TEST(CAnswers, CrossValidationByDefaultAndWithLambdas) {
    const Data data = random_regression(40, 8, 18);
    std::vector<Index> fold_of_row(40);
    for (Index i = 0; i < 40; ++i) fold_of_row[i] = 7 * (i % 5) - 3;  // any numbers
    const std::vector<double> lambdas = {0.01, 0.3, 0.1};
    for (const bool has_lambdas : {false, true}) {
        SvenCvPlan plain;
        ASSERT_OK(sven_cv_plan_init(&plain, sizeof plain));
        plain.fold_of_row = fold_of_row.data();
        plain.form = SVEN_GLMNET;
        CrossValidation plan;
        plan.folds = folds_of(fold_of_row);
        plan.grids = {{.convention = Convention::glmnet}};
        if (has_lambdas) {
            plain.lambdas = lambdas.data();
            plain.lambda_count = 3;
            plan.lambdas = lambdas;
        }
        const PlainSession session = plain_session(data);
        SvenCv* made = nullptr;
        ASSERT_OK(sven_cross_validate(session.get(), &plain, &made));
        const PlainCv cv(made);
        expect_same_curves(cv.get(), Session(data.problem()).cross_validate(plan));
    }
}

TEST(CAnswers, ProofsWhereTheyAreAskedFor) {
    const Data data = random_regression(40, 8, 23);
    SvenOptions plain = plain_options();
    const PlainPath without = plain_fit(plain_session(data, &plain), SVEN_MIXING, 0.1, 0.5);
    EXPECT_EQ(solution(without.get()).proofs, nullptr);
    plain.proofs = 1;
    const PlainPath with = plain_fit(plain_session(data, &plain), SVEN_MIXING, 0.1, 0.5);
    const std::uint8_t* const found = solution(with.get()).proofs;
    ASSERT_NE(found, nullptr);
    Options options;
    options.proofs = true;
    const std::vector<Proof> expected = fit(data.problem(), Mixing{0.1, 0.5}, options).proofs;
    for (std::size_t j = 0; j < expected.size(); ++j)
        EXPECT_EQ(found[j], static_cast<std::uint8_t>(expected[j])) << j;
}

TEST(CAnswers, FoldsThatMissTheTolerance) {
    const Data data = random_regression(40, 8, 19);
    std::vector<Index> fold_of_row(40);
    ASSERT_OK(sven_make_folds(40, 3, 1, 1, fold_of_row.data()));
    SvenCvPlan plain;
    ASSERT_OK(sven_cv_plan_init(&plain, sizeof plain));
    plain.fold_of_row = fold_of_row.data();
    plain.lambda_count = 6;
    SvenOptions plain_choice = plain_options();
    Options choice;
    plain_choice.tolerance = choice.tolerance = 1.5e-16;  // some meet it
    const PlainSession session = plain_session(data, &plain_choice);
    SvenCv* made = nullptr;
    ASSERT_OK(sven_cross_validate(session.get(), &plain, &made));
    const PlainCv cv(made);
    SvenCvCurve curve;
    ASSERT_OK(sven_cv_curve(cv.get(), 0, &curve, sizeof curve));
    EXPECT_GT(curve.missed, 0);
    EXPECT_GT(curve.worst_gap, choice.tolerance);
    const CrossValidation plan{folds_of(fold_of_row), {{.count = 6}}, {}};
    expect_same_curves(cv.get(), Session(data.problem(), choice).cross_validate(plan));
}

}  // namespace
}  // namespace sven::test
