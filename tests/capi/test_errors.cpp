// What the C interface refuses, and how it says so.

#include <cstring>
#include <limits>

#include "capi/plain.hpp"

namespace sven::test {
namespace {

void expect_refused(int outcome, const std::string& message, int error = SVEN_INVALID_ARGUMENT) {
    EXPECT_EQ(outcome, error);
    EXPECT_EQ(std::string(sven_last_error()), message);
}

// A pointer that a call with a result must set to NULL.
template <class Handle>
Handle* stale() {
    static char somewhere = 0;
    return reinterpret_cast<Handle*>(&somewhere);
}

struct Parts {
    Data data = random_regression(20, 5, 1);
    SvenMatrix X = plain_matrix(data.problem().X);
    SvenProblem problem = plain_problem(data, X);
    SvenOptions options = plain_options();

    void expect_no_session(const std::string& message) const {
        SvenSession* session = stale<SvenSession>();
        expect_refused(sven_session_create(&problem, &options, &session), message);
        EXPECT_EQ(session, nullptr);
    }
};

TEST(CErrors, VersionsAreThoseOfTheHeader) {
    EXPECT_STREQ(sven_version(), SVEN_VERSION);
    EXPECT_EQ(sven_version_number(), SVEN_VERSION_NUMBER);
    EXPECT_EQ(std::to_string(SVEN_VERSION_MAJOR) + "." + std::to_string(SVEN_VERSION_MINOR) + "." +
                  std::to_string(SVEN_VERSION_PATCH),
              SVEN_VERSION);
}

TEST(CErrors, StatusesHaveNames) {
    EXPECT_STREQ(sven_status_name(SVEN_OPTIMAL), "optimal");
    EXPECT_STREQ(sven_status_name(SVEN_RIDGE), "ridge");
    EXPECT_STREQ(sven_status_name(SVEN_NOT_UNIQUE), "not_unique");
    EXPECT_STREQ(sven_status_name(SVEN_ITERATION_LIMIT), "iteration_limit");
    EXPECT_STREQ(sven_status_name(SVEN_CANCELLED), "cancelled");
    EXPECT_STREQ(sven_status_name(5), "unknown");
    EXPECT_STREQ(sven_status_name(-1), "unknown");
}

TEST(CErrors, StructsThatAreNull) {
    expect_refused(sven_matrix_init(nullptr, sizeof(SvenMatrix)), "matrix is NULL");
    expect_refused(sven_problem_init(nullptr, sizeof(SvenProblem)), "problem is NULL");
    expect_refused(sven_options_init(nullptr, sizeof(SvenOptions)), "options is NULL");
    expect_refused(sven_cv_plan_init(nullptr, sizeof(SvenCvPlan)), "plan is NULL");
    SvenOptions options;
    expect_refused(sven_options_init(&options, 4), "the size of the options is 4; pass sizeof");
}

TEST(CErrors, ProblemsThatAreNull) {
    Parts parts;
    expect_refused(sven_session_create(&parts.problem, nullptr, nullptr), "session is NULL");
    SvenSession* session = stale<SvenSession>();
    expect_refused(sven_session_create(nullptr, nullptr, &session), "problem is NULL");
    EXPECT_EQ(session, nullptr);
    parts.problem.y = nullptr;
    parts.expect_no_session("y is NULL");
    parts.problem.X = nullptr;
    parts.expect_no_session("X is NULL");
}

TEST(CErrors, SessionsThatAreNull) {
    const Parts parts;
    const double* y = parts.data.y.data();
    expect_refused(sven_set_response(nullptr, y), "session is NULL");
    expect_refused(sven_set_weights(nullptr, y), "session is NULL");
    expect_refused(sven_set_offset(nullptr, y), "session is NULL");
    expect_refused(sven_set_options(nullptr, &parts.options), "session is NULL");
    expect_refused(sven_cancel(nullptr, 1), "session is NULL");
    double lambda = 0;
    expect_refused(sven_lambda_grid(nullptr, SVEN_MIXING, 1, 0, 1, &lambda), "session is NULL");
    SvenPath* path = stale<SvenPath>();
    expect_refused(sven_fit(nullptr, SVEN_MIXING, 1, 1, &path), "session is NULL");
    EXPECT_EQ(path, nullptr);
    SvenCv* cv = stale<SvenCv>();
    SvenCvPlan plan;
    ASSERT_OK(sven_cv_plan_init(&plan, sizeof plan));
    expect_refused(sven_cross_validate(nullptr, &plan, &cv), "session is NULL");
    EXPECT_EQ(cv, nullptr);
}

TEST(CErrors, ArgumentsThatAreNull) {
    const Data data = random_regression(20, 5, 2);
    const PlainSession session = plain_session(data);
    SvenSession* it = session.get();
    expect_refused(sven_set_response(it, nullptr), "y is NULL");
    expect_refused(sven_set_options(it, nullptr), "options is NULL");
    expect_refused(sven_fit(it, SVEN_MIXING, 1, 1, nullptr), "path is NULL");
    expect_refused(sven_lambda_grid(it, SVEN_MIXING, 1, 0, 3, nullptr), "lambdas is NULL");
    const double one = 1;
    SvenPath* path = stale<SvenPath>();
    expect_refused(sven_solve_path(it, SVEN_MIXING, nullptr, &one, 1, &path), "first is NULL");
    EXPECT_EQ(path, nullptr);
    expect_refused(sven_solve_path(it, SVEN_MIXING, &one, nullptr, 1, &path), "second is NULL");
    expect_refused(sven_cross_validate(it, nullptr, nullptr), "cv is NULL");
    SvenCv* cv = stale<SvenCv>();
    expect_refused(sven_cross_validate(it, nullptr, &cv), "plan is NULL");
    EXPECT_EQ(cv, nullptr);
    SvenCvPlan plan;
    ASSERT_OK(sven_cv_plan_init(&plan, sizeof plan));
    expect_refused(sven_cross_validate(it, &plan, &cv), "fold_of_row is NULL");
    expect_refused(sven_make_folds(10, 2, 1, 1, nullptr), "fold_of_row is NULL");
    expect_refused(sven_stratified_folds(10, nullptr, 2, 1, 1, nullptr), "y is NULL");
    expect_refused(sven_grouped_folds(10, nullptr, 2, 1, 1, nullptr), "group_of_row is NULL");
    expect_refused(sven_device_name(nullptr, 10), "name is NULL");
}

TEST(CErrors, ResultsThatAreNull) {
    const Data data = random_regression(20, 5, 3);
    const PlainSession session = plain_session(data);
    const PlainPath path = plain_fit(session, SVEN_MIXING, 0.1, 1);
    Index count = 0;
    SvenSolution solution;
    double numbers[20];
    expect_refused(sven_path_count(nullptr, &count), "path is NULL");
    expect_refused(sven_path_count(path.get(), nullptr), "count is NULL");
    expect_refused(sven_path_solution(nullptr, 0, &solution, sizeof solution), "path is NULL");
    expect_refused(sven_path_solution(path.get(), 0, nullptr, sizeof solution), "solution is NULL");
    expect_refused(sven_path_solution(path.get(), 0, &solution, 0),
                   "the size of the solution is 0");
    expect_refused(sven_path_coefficients(nullptr, 0, numbers, 5), "path is NULL");
    expect_refused(sven_path_coefficients(path.get(), 0, nullptr, 5), "coefficients is NULL");
    expect_refused(sven_path_predict(nullptr, 0, nullptr, numbers), "path is NULL");
    expect_refused(sven_path_predict(path.get(), 0, nullptr, numbers), "X is NULL");
    const Parts parts;
    expect_refused(sven_path_predict(path.get(), 0, &parts.X, nullptr), "predictions is NULL");
    expect_refused(sven_predict(&parts.X, 0, 1, nullptr, numbers, numbers), "features is NULL");
    expect_refused(sven_predict(&parts.X, 0, 1, &count, nullptr, numbers), "values is NULL");
    SvenCvCurve curve;
    const SvenPath* borrowed = path.get();
    expect_refused(sven_cv_count(nullptr, &count), "cv is NULL");
    expect_refused(sven_cv_best(nullptr, &count), "cv is NULL");
    expect_refused(sven_cv_curve(nullptr, 0, &curve, sizeof curve), "cv is NULL");
    expect_refused(sven_cv_path(nullptr, 0, &borrowed), "cv is NULL");
    EXPECT_EQ(borrowed, nullptr);
    expect_refused(sven_cv_path(nullptr, 0, nullptr), "path is NULL");
    sven_session_free(nullptr);
    sven_path_free(nullptr);
    sven_cv_free(nullptr);
}

TEST(CErrors, NumbersOutOfRange) {
    const Data data = random_regression(20, 5, 4);
    const PlainSession session = plain_session(data);
    const PlainPath path = plain_fit(session, SVEN_MIXING, 0.1, 1);
    SvenSolution solution;
    for (const Index k : {Index{-1}, Index{1}})
        expect_refused(sven_path_solution(path.get(), k, &solution, sizeof solution),
                       "solution " + std::to_string(k) + " is asked for; there are 1");
    double numbers[20];
    expect_refused(sven_path_coefficients(path.get(), 0, numbers, 4),
                   "4 coefficients are asked for; X has 5 columns");
    const Parts parts;
    expect_refused(sven_predict(&parts.X, 0, -1, nullptr, nullptr, numbers),
                   "the number of coefficients is negative");
    const Index feature = 5;
    expect_refused(sven_predict(&parts.X, 0, 1, &feature, numbers, numbers),
                   "feature 5 is no column of X, which has 5");
    SvenPath* none = nullptr;
    expect_refused(sven_solve_path(session.get(), SVEN_MIXING, numbers, numbers, -1, &none),
                   "the number of settings is negative");
    expect_refused(sven_fit(session.get(), 4, 1, 1, &none),
                   "the form is 4; it must lie between 0 and 3");
    expect_refused(sven_fit(session.get(), SVEN_BUDGET, -1, 1, &none),
                   "the budget t is -1; it must not be negative");
    expect_refused(sven_lambda_grid(session.get(), SVEN_BUDGET, 1, 0, 1, numbers),
                   "the form is 0; lambdas are of SVEN_MIXING or SVEN_GLMNET");
    expect_refused(sven_lambda_grid(session.get(), SVEN_MIXING, 1, 0, 0, numbers),
                   "the number of lambdas is 0");
    expect_refused(sven_lambda_grid(session.get(), SVEN_MIXING, 1, 0, Index{1} << 40, numbers),
                   "the number of lambdas is 1099511627776");
    Index folds[4];
    EXPECT_EQ(sven_make_folds(4, 1, 1, 1, folds), SVEN_INVALID_ARGUMENT);
    EXPECT_EQ(sven_make_folds(4, 2, 1, 0, folds), SVEN_INVALID_ARGUMENT);
    char name[4];
    expect_refused(sven_device_name(name, 0), "the size of the name is 0");
}

TEST(CErrors, PlansThatMakeNoSense) {
    const Data data = random_regression(20, 5, 5);
    const PlainSession session = plain_session(data);
    std::vector<Index> fold_of_row(20);
    ASSERT_OK(sven_make_folds(20, 4, 1, 1, fold_of_row.data()));
    SvenCvPlan good;
    ASSERT_OK(sven_cv_plan_init(&good, sizeof good));
    good.fold_of_row = fold_of_row.data();
    SvenCv* cv = nullptr;
    SvenCvPlan plan = good;
    plan.repeats = 0;
    expect_refused(sven_cross_validate(session.get(), &plan, &cv), "repeats must be at least 1");
    plan = good;
    const double alpha = 1;
    plan.alphas = &alpha;
    expect_refused(sven_cross_validate(session.get(), &plan, &cv),
                   "alpha_count must be at least 1");
    plan = good;
    plan.form = SVEN_PENALTY;
    expect_refused(sven_cross_validate(session.get(), &plan, &cv),
                   "the form is 1; lambdas are of SVEN_MIXING or SVEN_GLMNET");
    plan = good;
    std::fill(fold_of_row.begin(), fold_of_row.end(), 1);
    expect_refused(sven_cross_validate(session.get(), &plan, &cv),
                   "cross-validation needs at least two folds");
}

TEST(CErrors, MatricesThatAreNone) {
    const auto expect_no_matrix = [](const std::string& message, auto change) {
        Parts parts;
        change(parts.X);
        parts.expect_no_session(message);
        double predictions[20];
        expect_refused(sven_predict(&parts.X, 0, 0, nullptr, nullptr, predictions), message);
    };
    expect_no_matrix("the storage of X is 4; it must lie between 0 and 3",
                     [](SvenMatrix& X) { X.storage = 4; });
    expect_no_matrix("the scalar of X is -1; it must lie between 0 and 2",
                     [](SvenMatrix& X) { X.scalar = -1; });
    expect_no_matrix("the index_width of X is 2; it must lie between 0 and 1", [](SvenMatrix& X) {
        X.storage = SVEN_CSC;
        X.index_width = 2;
    });
    expect_no_matrix("the offset_width of X is 2; it must lie between 0 and 1", [](SvenMatrix& X) {
        X.storage = SVEN_CSC;
        X.offset_width = 2;
    });
    expect_no_matrix("X has a negative number of rows or columns",
                     [](SvenMatrix& X) { X.rows = -1; });
    expect_no_matrix("the stride of X is 19, less than a line of 20",
                     [](SvenMatrix& X) { X.stride = 19; });
    expect_no_matrix("X->values is NULL", [](SvenMatrix& X) { X.values = nullptr; });
    expect_no_matrix("X->offsets is NULL", [](SvenMatrix& X) { X.storage = SVEN_CSR; });
}

TEST(CErrors, OptionsThatAreNone) {
    Parts parts;
    parts.options.method = 3;
    parts.expect_no_session("the method is 3; it must lie between 0 and 2");
    parts.options = plain_options();
    parts.options.svm = 2;
    parts.expect_no_session("the svm is 2; it must lie between 0 and 1");
    parts.options = plain_options();
    parts.options.device = -1;
    parts.expect_no_session("the device is -1; it must lie between 0 and 2");
    parts.options = plain_options();
    parts.options.tolerance = 0;
    parts.expect_no_session("the tolerance is 0; it must be positive");
    const PlainSession session = plain_session(parts.data);
    parts.options = plain_options();
    parts.options.method = SVEN_DUAL;
    expect_refused(sven_set_options(session.get(), &parts.options),
                   "a session keeps its method, SVM, device and number of threads");
}

TEST(CErrors, WhatIsRefusedLeavesTheSession) {
    const Data data = random_regression(20, 5, 6);
    const PlainSession session = plain_session(data);
    const std::vector<double> bad(20, nan);
    EXPECT_EQ(sven_set_response(session.get(), bad.data()), SVEN_INVALID_ARGUMENT);
    EXPECT_EQ(sven_set_weights(session.get(), bad.data()), SVEN_INVALID_ARGUMENT);
    EXPECT_EQ(sven_set_offset(session.get(), bad.data()), SVEN_INVALID_ARGUMENT);
    const PlainPath path = plain_fit(session, SVEN_MIXING, 0.1, 1);
    expect_same(solution(path.get()), Session(data.problem()).fit(Mixing{0.1, 1}));
}

TEST(CErrors, MemoryThatNobodyHas) {
    SvenMatrix X;
    ASSERT_OK(sven_matrix_init(&X, sizeof X));
    X.rows = std::numeric_limits<Index>::max();
    double prediction = 0;
    expect_refused(sven_predict(&X, 0, 0, nullptr, nullptr, &prediction), "not enough memory",
                   SVEN_OUT_OF_MEMORY);
}

TEST(CErrors, ADeviceThatIsNotThere) {
    char name[100] = "x";
    if (sven_device_name(name, sizeof name) == SVEN_OK) GTEST_SKIP() << "there is one: " << name;
    EXPECT_STREQ(name, "");
    EXPECT_STRNE(sven_last_error(), "");
    SvenOptions options = plain_options();
    options.device = SVEN_CUDA;
    const Data data = random_regression(20, 5, 7);
    const PlainSession session = plain_session(data, &options);
    SvenPath* path = stale<SvenPath>();
    EXPECT_EQ(sven_fit(session.get(), SVEN_MIXING, 0.1, 1, &path), SVEN_DEVICE_ERROR);
    EXPECT_EQ(path, nullptr);
}

// Structs of other versions: an earlier one is a prefix of ours, a later one has more.
struct LaterOptions {
    SvenOptions known;
    double unknown;
};

TEST(CErrors, StructsOfOtherVersions) {
    Parts parts;
    parts.options.size = offsetof(SvenOptions, tolerance);
    parts.options.tolerance = -1;  // what lies there is not looked at
    SvenSession* session = nullptr;
    ASSERT_OK(sven_session_create(&parts.problem, &parts.options, &session));
    sven_session_free(session);

    LaterOptions later;
    std::memset(&later, 0xff, sizeof later);
    ASSERT_OK(sven_options_init(&later.known, sizeof later));
    EXPECT_EQ(later.known.size, sizeof later);
    EXPECT_EQ(later.known.tolerance, 1e-10);
    EXPECT_EQ(later.unknown, 0);
    ASSERT_OK(sven_session_create(&parts.problem, &later.known, &session));
    sven_session_free(session);
    later.unknown = 1;
    expect_refused(sven_session_create(&parts.problem, &later.known, &session),
                   "the options struct has fields set that this version of sven does not know");
    for (const std::size_t size : {std::size_t{0}, std::size_t{1} << 40}) {
        parts.options.size = size;
        parts.expect_no_session("the options struct has no size: set it up by its _init function");
    }
}

TEST(CErrors, ResultsOfOtherVersions) {
    const Data data = random_regression(20, 5, 8);
    const PlainSession session = plain_session(data);
    const PlainPath path = plain_fit(session, SVEN_MIXING, 0.1, 1);
    const SvenSolution whole = solution(path.get());
    SvenSolution part;
    std::memset(&part, 0xff, sizeof part);
    const std::size_t size = offsetof(SvenSolution, gap);
    ASSERT_OK(sven_path_solution(path.get(), 0, &part, size));
    EXPECT_EQ(std::memcmp(&part, &whole, size), 0);
    EXPECT_TRUE(std::isnan(part.gap));  // as it was
    struct {
        SvenSolution known;
        Index unknown = 7;
    } later;
    ASSERT_OK(sven_path_solution(path.get(), 0, &later.known, sizeof later));
    EXPECT_EQ(later.known.gap, whole.gap);
    EXPECT_EQ(later.unknown, 0);
}

}  // namespace
}  // namespace sven::test
