// Paths whose products a device keeps, here one that the host stands for: the answers, and what is
// said of them, are those of tiles that come to the host.

#include <gtest/gtest.h>

#include "path/cross_validation.hpp"
#include "path/session.hpp"
#include "support/host_table.hpp"
#include "support/options.hpp"
#include "support/problems.hpp"
#include "support/solutions.hpp"
#include "sven/checkpoint.hpp"
#include "sven/cross_validation.hpp"

namespace sven::test {
namespace {

struct Tabled {
    std::vector<Solution> path;
    TableCounts counts;
};

Tabled solve(const Data& data, const Options& options, std::span<const Setting> settings) {
    const auto design = std::make_shared<DesignWithTables>(data.problem().X);
    path::Session session(data.problem(), options, design);
    std::vector<Solution> path = session.solve(settings);
    return {std::move(path), design->counts()};
}

void expect_same(const std::vector<Solution>& found, const std::vector<Solution>& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
        SCOPED_TRACE(k);
        EXPECT_EQ(found[k].status, expected[k].status);
        EXPECT_LE(found[k].gap, 1e-10);
        EXPECT_EQ(found[k].certificate.proven_zero, expected[k].certificate.proven_zero);
        EXPECT_EQ(found[k].certificate.proven_selected, expected[k].certificate.proven_selected);
        EXPECT_EQ(found[k].certificate.undecided, expected[k].certificate.undecided);
        EXPECT_EQ(found[k].proofs, expected[k].proofs);
        expect_same_coefficients(found[k], expected[k], 1e-10);
    }
}

Tabled expect_same_path(const Data& data, const Options& options,
                        std::span<const Setting> settings) {
    Tabled found = solve(data, options, settings);
    expect_same(found.path, solve_path(data.problem(), settings, options));
    return found;
}

std::vector<Setting> grid(const Data& data, double alpha, int count, double ratio = 0.05) {
    return lambda_grid(data.problem(), {.alpha = alpha, .count = count, .min_ratio = ratio});
}

TEST(Tables, SayWhatTilesDo) {
    for (const double alpha : {0.3, 1.0}) {
        SCOPED_TRACE(alpha);
        const Data data = random_regression(60, 900, 41);
        const Tabled found = expect_same_path(data, by(Method::primal), grid(data, alpha, 25));
        EXPECT_GT(found.counts.blocks, 2);
        // every block but the first is screened there
        EXPECT_EQ(found.counts.looks, found.counts.blocks - 1);
    }
}

// Most of a path needs no row but those of the slots.
TEST(Tables, LeaveMostRowsWhereTheyAre) {
    const Data data = random_regression(60, 900, 42);
    const Tabled found = solve(data, by(Method::primal), grid(data, 0.5, 60));
    EXPECT_LT(found.counts.fetched, 900 * found.counts.blocks / 2);
    EXPECT_LT(found.counts.all, found.counts.blocks);
}

TEST(Tables, WithWeightsAndColumnsLeftOut) {
    Data data = random_regression(50, 400, 43);
    Random random(44);
    for (Index i = 0; i < data.n; ++i) data.weights.push_back(i % 7 == 0 ? 0 : random.uniform());
    for (Index i = 0; i < data.n; ++i) {
        data.at(i, 3) = 2.5;
        data.at(i, 390) = 1e6 + 1e-11 * static_cast<double>(i);  // constant up to rounding
    }
    expect_same_path(data, by(Method::primal), grid(data, 0.5, 20));
}

// What violates is solved for again.
TEST(Tables, WhereFeaturesWereNotForeseen) {
    const Data data = random_regression(80, 600, 60, 0.5);
    const Tabled found = expect_same_path(data, by(Method::primal), grid(data, 0.9, 40, 1e-2));
    EXPECT_GT(found.counts.fetched, 0);
    EXPECT_GT(found.counts.all, 0);
}

// Copies of columns are at their bounds together, so that there are other solutions.
TEST(Tables, WhereSolutionsAreNotUnique) {
    Data data = random_regression(60, 500, 46);
    for (Index j = 0; j < 200; ++j)
        for (Index i = 0; i < data.n; ++i) data.at(i, 499 - j) = data.at(i, j);
    const Tabled found = expect_same_path(data, by(Method::primal), grid(data, 1, 12));
    EXPECT_EQ(found.path.back().status, Status::not_unique);
}

TEST(Tables, WithTheProofOfEachFeature) {
    const Data data = random_regression(60, 500, 47);
    expect_same_path(data, with_proofs(by(Method::primal)), grid(data, 0.5, 10));
}

TEST(Tables, ToLooserTolerances) {
    const Data data = random_regression(60, 900, 48);
    const Tabled found = solve(data, by(Method::primal, 1e-3), grid(data, 0.5, 20));
    for (const Solution& solution : found.path) EXPECT_LE(solution.gap, 1e-3);
    EXPECT_GT(found.counts.blocks, 0);
}

// A table knows one bound for all features, and no limits.
TEST(Tables, AreNotAskedWhereFeaturesDiffer) {
    Data data = random_regression(40, 300, 49);
    const auto settings = grid(data, 0.5, 8);
    data.nonnegative = true;
    EXPECT_EQ(expect_same_path(data, by(Method::primal), settings).counts.blocks, 0);
    data.nonnegative = false;
    data.factors.assign(300, 1.0);
    data.factors[5] = 0;
    data.factors[6] = 2;
    EXPECT_EQ(expect_same_path(data, by(Method::primal), settings).counts.blocks, 0);
}

// One that begins where another ended takes the products along, and so does one that is recorded.
TEST(Tables, HandTheirProductsOver) {
    const Data data = random_regression(60, 900, 50);
    const auto settings = grid(data, 0.5, 30);
    const auto design = std::make_shared<DesignWithTables>(data.problem().X);
    path::Session session(data.problem(), by(Method::primal), design);
    const std::span<const Setting> all(settings);
    std::vector<Solution> found = session.solve(all.first(15));
    EXPECT_EQ(design->counts().lanes, 1);
    for (const Solution& solution : session.solve(all.subspan(15))) found.push_back(solution);
    expect_same(found, solve_path(data.problem(), settings, by(Method::primal)));

    const Checkpoint checkpoint([](std::span<const std::byte>) {});
    Options options = by(Method::primal);
    options.checkpoint = &checkpoint;
    const Tabled recorded = solve(data, options, settings);
    EXPECT_GT(recorded.counts.lanes, 1);
    expect_same(recorded.path, solve_path(data.problem(), settings, by(Method::primal)));
}

// Every fold has a table, with scales of its own.
TEST(Tables, OfFolds) {
    const Data data = random_regression(60, 700, 51);
    const std::vector<std::vector<Setting>> grids{grid(data, 0.5, 15)};
    std::vector<Fold> folds(4);
    for (Index i = 0; i < data.n; ++i) folds[i % 4].test.push_back(i);
    const auto design = std::make_shared<DesignWithTables>(data.problem().X);
    path::Session with(data.problem(), by(Method::primal), design);
    path::Session without(data.problem(), by(Method::primal));
    const CvResult found = path::cross_validate_curves(with, grids, {.folds = folds});
    const CvResult expected = path::cross_validate_curves(without, grids, {.folds = folds});
    EXPECT_GT(design->counts().blocks, 4);
    ASSERT_EQ(found.curves.size(), expected.curves.size());
    for (std::size_t k = 0; k < expected.curves[0].mean.size(); ++k)
        EXPECT_NEAR(found.curves[0].mean[k], expected.curves[0].mean[k],
                    1e-10 * expected.curves[0].mean[0]);
}

}  // namespace
}  // namespace sven::test
