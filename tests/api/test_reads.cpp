// How often X is read: what a session says, against a matrix that counts the entries it is asked
// for.

#include <gtest/gtest.h>

#include "support/outside_matrix.hpp"
#include "support/problems.hpp"
#include "sven/session.hpp"

namespace sven::test {
namespace {

class SessionReads : public testing::Test {
  protected:
    void SetUp() override {
        data_ = random_regression(60, 400, 7);
        matrix_ = std::make_shared<OutsideMatrix>(column_major(data_.X.data(), data_.n, data_.p),
                                                  Offer::entries);
        problem_ = data_.problem();
        problem_.X = matrix_;
        options_.method = Method::primal;
        options_.threads = 2;
    }
    void expect_what_was_read(const Session& session) const {
        const Reads reads = session.reads();
        const double counted =
            (reads.passes * static_cast<double>(data_.p) + static_cast<double>(reads.columns)) *
            static_cast<double>(data_.n);
        EXPECT_EQ(counted, static_cast<double>(matrix_->entries_read));
    }

    Data data_;
    std::shared_ptr<OutsideMatrix> matrix_;
    Problem problem_;
    Options options_;
};

TEST_F(SessionReads, AreThoseOfTheMatrix) {
    Session session(problem_, options_);
    EXPECT_EQ(session.reads().passes, 0);
    const std::vector<Setting> grid = session.lambda_grid({.count = 20});
    (void)session.solve_path(grid);
    expect_what_was_read(session);
    const Reads before = session.reads();
    EXPECT_GT(before.columns, 0);
    // several settings share a product
    EXPECT_LT(before.passes, 20);
    (void)session.fit(grid[10]);
    EXPECT_GT(session.reads().passes, before.passes);
    expect_what_was_read(session);
}

TEST_F(SessionReads, CountTheFoldsToo) {
    Session session(problem_, options_);
    CrossValidation plan;
    plan.folds = make_folds(data_.n, 4, 1);
    plan.grids = {{.count = 10}};
    (void)session.cross_validate(plan);
    EXPECT_GT(session.reads().passes, 1);
    expect_what_was_read(session);
    // the folds' moments are taken from the columns of an array in one pass for all of them
    Session of_array(data_.problem(), options_);
    (void)of_array.cross_validate(plan);
    EXPECT_EQ(of_array.reads().passes, session.reads().passes - 3);
}

}  // namespace
}  // namespace sven::test
