// The same bits for any number of threads: every partition of the work is fixed by the problem.

#include <array>

#include "support/certify.hpp"
#include "support/matrix_kinds.hpp"
#include "support/options.hpp"
#include "support/outcome_data.hpp"
#include "support/solutions.hpp"
#include "sven/cross_validation.hpp"

namespace sven::test {
namespace {

constexpr std::array<int, 3> teams{2, 3, 5};

std::vector<Setting> grid(const Problem& problem, double alpha, int count) {
    return lambda_grid(problem, {.alpha = alpha, .count = count});
}

// Large enough for teams everywhere: wide, tall enough for several shares of the Gram pass, and
// with a support of many hundred features.
std::vector<Data> large_ones() {
    return {random_regression(150, 4000, 5), random_regression(9000, 110, 6),
            random_regression(1300, 1500, 7)};
}

// With zeros, so that it can be stored sparsely, and exact in float32.
Data storable(Data data, double zeros) {
    Random random(17);
    for (double& x : data.X) x = random.uniform() < zeros ? 0 : static_cast<float>(x);
    return data;
}

TEST(SameBits, PathsOfDenseData) {
    for (const Data& data : large_ones())
        for (const double alpha : {1.0, 0.3}) {
            SCOPED_TRACE(testing::Message() << data.n << " x " << data.p << ", " << alpha);
            const auto settings = grid(data.problem(), alpha, 12);
            const auto one = solve_path(data.problem(), settings, with_threads(1));
            for (const int threads : teams)
                expect_same_bits(solve_path(data.problem(), settings, with_threads(threads)), one);
        }
}

TEST(SameBits, EveryKindOfStorage) {
    for (Data data : {random_regression(150, 3000, 8), random_regression(6000, 60, 9)}) {
        data = storable(data, 0.5);
        for (Kind kind : each_layout())
            for (const Scalar scalar : {Scalar::float64, Scalar::float32})
                for (const bool has_weights : {false, true}) {
                    kind.scalar = scalar;
                    if (has_weights) add_weights(data, 3);
                    SCOPED_TRACE(testing::Message() << name(kind) << " " << data.n);
                    const StoredMatrix matrix(kind, data.n, data.p, data.X);
                    Problem problem = data.problem();
                    problem.X = matrix.view();
                    const auto settings = grid(problem, 0.7, 8);
                    const auto one = solve_path(problem, settings, with_threads(1));
                    for (const int threads : teams)
                        expect_same_bits(solve_path(problem, settings, with_threads(threads)), one);
                    if (has_weights) data.weights.clear();
                }
    }
}

// Columns far from zero have a shift, which sparse storage takes out entry by entry.
TEST(SameBits, ShiftedSparseColumns) {
    Data data = storable(random_regression(2000, 300, 10), 0.1);
    for (Index i = 0; i < data.n; ++i)
        for (Index j = 0; j < 20; ++j)
            if (data.at(i, j) != 0) data.at(i, j) = static_cast<float>(data.at(i, j) + 1000);
    for (const bool by_columns : {true, false}) {
        const StoredMatrix matrix({true, by_columns}, data.n, data.p, data.X);
        Problem problem = data.problem();
        problem.X = matrix.view();
        for (const Method method : both_methods) {
            Options options = by(method);
            options.threads = 1;
            const auto settings = grid(problem, 0.7, 6);
            const auto one = solve_path(problem, settings, options);
            for (const int threads : teams) {
                options.threads = threads;
                expect_same_bits(solve_path(problem, settings, options), one);
            }
        }
    }
}

TEST(SameBits, CrossValidation) {
    for (const Data& data : {random_regression(120, 2000, 11), random_regression(5000, 80, 12)}) {
        const auto run = [&](int threads) {
            const CrossValidation plan{make_folds(data.n, 4), {{.count = 8}}};
            return cross_validate(data.problem(), plan, with_threads(threads));
        };
        const CvResult one = run(1);
        for (const int threads : teams) {
            const CvResult many = run(threads);
            ASSERT_EQ(many.curves.size(), one.curves.size());
            EXPECT_EQ(many.curves[0].mean, one.curves[0].mean);
            EXPECT_EQ(many.curves[0].best, one.curves[0].best);
            expect_same_bits(many.curves[0].path, one.curves[0].path);
        }
    }
}

// More rows than a block of the sums over them has, and enough work for a team.
TEST(SameBits, AnOutcomeOfManyRows) {
    Data data = outcome_data(Family::binomial, 130000, 3, 14);
    add_weights(data, 15);
    data.factors = {0, 1, 1};
    const auto run = [&](int threads) {
        const CrossValidation plan{make_folds(data.n, 2), {{.count = 2}}};
        return cross_validate(data.problem(), plan, with_threads(threads));
    };
    const CvResult one = run(1);
    const CvResult many = run(3);
    EXPECT_EQ(many.curves[0].fold_error, one.curves[0].fold_error);
    expect_same_bits(many.curves[0].path, one.curves[0].path);
}

TEST(SameBits, SeveralResponses) {
    const Data data = random_regression(200, 2500, 13);
    std::vector<double> responses = data.y;
    for (int k = 1; k < 3; ++k)
        for (Index i = 0; i < data.n; ++i) responses.push_back(data.at(i, k) + data.y[i] / k);
    const auto settings = grid(data.problem(), 0.6, 6);
    const auto one = solve_paths(data.problem(), responses, settings, with_threads(1));
    for (const int threads : teams) {
        const auto many = solve_paths(data.problem(), responses, settings, with_threads(threads));
        ASSERT_EQ(many.size(), one.size());
        for (std::size_t k = 0; k < one.size(); ++k) expect_same_bits(many[k], one[k]);
    }
}

}  // namespace
}  // namespace sven::test
