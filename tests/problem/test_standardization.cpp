// The Gram matrix of the scaled columns out of raw sums, against the columns scaled by plain loops.

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "linalg/gram.hpp"
#include "problem/standardization.hpp"
#include "support/problems.hpp"

namespace sven::test {
namespace {

struct Prepared {
    explicit Prepared(const Data& data)
        : problem(data.problem()),
          response(problem::make_response(problem, {})),
          sums(linalg::accumulate_gram(*linalg::make_design(problem.X), response.centred, {}, {})),
          columns(problem::make_columns(problem, response, moments(), {})) {}

    linalg::ColumnMoments moments() const {
        bool needs_care = false;
        return problem::moments_of(sums, needs_care);
    }

    Problem problem;
    problem::Response response;
    linalg::GramSums sums;
    problem::Columns columns;
};

// Several tiles, and a number of columns that is no multiple of one.
TEST(ScaledGram, HoldsTheProductsOfTheScaledColumnsOnBothSides) {
    const Data data = random_regression(50, 203, 11);
    const Prepared prepared(data);
    for (const int threads : {1, 3}) {
        const problem::ScaledGram gram = problem::scale_gram(
            prepared.sums, prepared.problem, prepared.response, prepared.columns, {threads, {}});
        for (Index j = 0; j < data.p; ++j)
            for (Index k = 0; k < data.p; ++k) {
                double product = 0;
                for (Index i = 0; i < data.n; ++i)
                    product += (data.X[j * data.n + i] - prepared.columns.mean[j]) *
                               (data.X[k * data.n + i] - prepared.columns.mean[k]);
                product /= prepared.columns.scale[j] * prepared.columns.scale[k];
                ASSERT_NEAR((*gram.values)[j * data.p + k], product, 1e-11 * data.n)
                    << j << " " << k;
                ASSERT_EQ((*gram.values)[j * data.p + k], (*gram.values)[k * data.p + j]);
            }
    }
}

TEST(ScaledGram, IsNotMadeAfterACancel) {
    const Prepared prepared(random_regression(20, 5, 12));
    std::atomic<bool> cancel{true};
    EXPECT_THROW(problem::scale_gram(prepared.sums, prepared.problem, prepared.response,
                                     prepared.columns, {1, &cancel}),
                 linalg::Cancelled);
}

}  // namespace
}  // namespace sven::test
