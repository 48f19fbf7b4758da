// Memory that runs out in a call of the C interface: a number, nothing lost, no exception.

#include "capi/plain.hpp"
#include "faults/sweep.hpp"

namespace sven::test {
namespace {

void expect_done(int outcome) {
    if (outcome == SVEN_OUT_OF_MEMORY) throw std::bad_alloc();
    EXPECT_EQ(outcome, SVEN_OK) << sven_last_error();
}

TEST(CMemory, EveryCallIsANumber) {
    const Data data = random_regression(20, 9, 1);
    const SvenMatrix X = plain_matrix(data.problem().X);
    const SvenProblem problem = plain_problem(data, X);
    SvenOptions options = plain_options();
    options.threads = 1;
    SvenCvPlan plan;
    expect_done(sven_cv_plan_init(&plan, sizeof plan));
    Index fold_of_row[20];
    for (Index i = 0; i < 20; ++i) fold_of_row[i] = i % 3;
    plan.fold_of_row = fold_of_row;
    plan.lambda_count = 4;
    expect_clean_failures("the C interface", [&] {
        SvenSession* session = nullptr;
        expect_done(sven_session_create(&problem, &options, &session));
        const PlainSession owner(session);
        expect_done(sven_set_offset(session, data.X.data()));
        SvenPath* path = nullptr;
        expect_done(sven_fit(session, SVEN_MIXING, 0.1, 0.9, &path));
        const PlainPath path_owner(path);
        SvenCv* cv = nullptr;
        expect_done(sven_cross_validate(session, &plan, &cv));
        const PlainCv cv_owner(cv);
        std::array<double, 20> predictions{};
        expect_done(sven_path_predict(path, 0, &X, predictions.data()));
        return predictions;
    });
}

}  // namespace
}  // namespace sven::test
