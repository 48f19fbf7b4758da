// Answers from sufficient statistics beside those from the rows, and judged by plain loops over the
// rows.

#include "linalg/row_statistics.hpp"
#include "support/certify.hpp"
#include "support/solutions.hpp"
#include "support/summed.hpp"
#include "sven/error.hpp"
#include "sven/session.hpp"
#include "sven/statistics.hpp"

namespace sven::test {
namespace {

// The rows in so many pieces of uneven size, added up.
Statistics in_pieces(const Data& data, Index pieces, const std::vector<Index>& folds = {}) {
    Statistics total;
    for (Index k = 0; k < pieces; ++k) {
        const Index begin = data.n * k * (k + 1) / (pieces * (pieces + 1));
        const Index end = data.n * (k + 1) * (k + 2) / (pieces * (pieces + 1));
        const Data part = rows_of(data, begin, end);
        std::span<const Index> fold_of_row(folds);
        if (!folds.empty()) fold_of_row = fold_of_row.subspan(begin, end - begin);
        total += Statistics(part.problem(), fold_of_row);
    }
    return total;
}

struct Case {
    const char* name;
    Data data;
};

std::vector<Case> cases() {
    std::vector<Case> all;
    const auto add = [&](const char* name, const auto& change) {
        Data data = random_regression(150, 24, 7);
        change(data);
        all.push_back({name, data});
    };
    add("plain", [](Data&) {});
    add("weights", [](Data& data) { add_weights(data, 3); });
    add("no intercept", [](Data& data) { data.intercept = false; });
    add("no scales", [](Data& data) { data.standardize = false; });
    add("neither", [](Data& data) { data.intercept = data.standardize = false; });
    add("factors", [](Data& data) { add_factors(data, 5); });
    add("factors, limits", [](Data& data) {
        add_factors(data, 5);
        data.lower.assign(24, -0.1);
        data.upper.assign(24, 0.2);
    });
    add("free on one side", [](Data& data) {
        add_factors(data, 5);
        data.factors[4] = data.factors[7] = 0;
        data.upper.assign(24, infinity);
        data.upper[1] = 0.01;
        data.upper[4] = 3;
    });
    add("nonnegative", [](Data& data) { data.nonnegative = true; });
    add("offset", [](Data& data) { data.offset = random_vector(data.n, 9); });
    add("far from zero", [](Data& data) {
        for (Index j = 0; j < data.p; j += 3)
            for (Index i = 0; i < data.n; ++i) data.at(i, j) += 1e6;
        for (double& y : data.y) y += 1e5;
    });
    add("constant columns", [](Data& data) {
        for (Index i = 0; i < data.n; ++i) data.at(i, 2) = 0.1;
        for (Index i = 0; i < data.n; ++i) data.at(i, 5) = i < 2 ? 3 : 1e9;
    });
    add("in order", [](Data& data) {
        for (Index i = 0; i < data.n; ++i) data.at(i, 4) = static_cast<double>(i);
        std::sort(data.y.begin(), data.y.end());
    });
    return all;
}

std::vector<Setting> settings_for(const Data& data) {
    const double largest = largest_lambda(data);
    std::vector<Setting> settings;
    for (const double share : {0.5, 0.1, 0.01}) settings.push_back(Mixing{share * largest, 0.7});
    return settings;
}

TEST(Statistics, GiveTheAnswersOfTheRows) {
    for (const Case& one : cases()) {
        SCOPED_TRACE(one.name);
        const Statistics statistics(one.data.problem());
        const Problem problem = without_rows(one.data, statistics);
        EXPECT_NEAR(largest_lambda(problem), largest_lambda(one.data),
                    1e-11 * largest_lambda(one.data));
        std::vector<Setting> settings = settings_for(one.data);
        for (const Setting& setting : settings) {
            const Solution expected = fit(one.data.problem(), setting);
            const Solution solution = fit(problem, setting);
            certify(one.data, setting, solution);
            expect_same_coefficients(solution, expected, 1e-9);
            EXPECT_EQ(solution.gap_source, GapSource::gram);
            EXPECT_EQ(solution.method, Method::dual);
        }
        const Solution middle = fit(one.data.problem(), settings[1]);
        for (const Setting& setting :
             std::vector<Setting>{Budget{middle.t / 2, middle.l2}, Penalty{middle.l1, middle.l2}}) {
            const Solution solution = fit(problem, setting);
            certify(one.data, setting, solution);
            expect_same_coefficients(solution, fit(one.data.problem(), setting), 1e-9);
        }
    }
}

TEST(Statistics, DoNotDependOnThePieces) {
    for (const Case& one : cases()) {
        SCOPED_TRACE(one.name);
        const std::vector<Setting> settings = settings_for(one.data);
        const Statistics whole(one.data.problem());
        const std::vector<Solution> expected = solve_path(without_rows(one.data, whole), settings);
        for (const Index pieces : {2, 3, 5}) {
            const Statistics statistics = in_pieces(one.data, pieces);
            EXPECT_EQ(statistics.rows(), one.data.n);
            EXPECT_LT(statistics.rounding(), 1e-14);
            const std::vector<Solution> path =
                solve_path(without_rows(one.data, statistics), settings);
            for (std::size_t k = 0; k < path.size(); ++k) {
                expect_same_coefficients(path[k], expected[k], 1e-12);
                certify(one.data, settings[k], path[k]);
            }
        }
    }
}

// Every sum within its bound, from rows whose columns drift far in the order of the pieces.
TEST(Statistics, KnowTheirRounding) {
    Data data = random_regression(700, 6, 11);
    add_weights(data, 4);
    for (Index i = 0; i < data.n; ++i) {
        data.at(i, 1) = 1e8 + static_cast<double>(i);
        data.at(i, 3) = i < 600 ? 1e-3 * data.at(i, 3) : 1e5;
    }
    for (const Index pieces : {1, 3, 30}) {
        const linalg::RowStatistics sums = linalg::merged(in_pieces(data, pieces).data().groups);
        const Index size = data.p + 1;
        std::vector<Real> mean(static_cast<std::size_t>(size));
        const auto entry = [&](Index i, Index j) -> Real {
            return j < data.p ? data.at(i, j) : data.y[i];
        };
        Real total = 0;
        for (const double w : data.weights) total += w;
        for (Index j = 0; j < size; ++j) {
            const double centre = j < data.p ? sums.sums.centre[j] : sums.y_centre;
            for (Index i = 0; i < data.n; ++i)
                mean[j] += data.weights[i] * (entry(i, j) - Real{centre}) / total;
            mean[j] += centre;
        }
        for (Index a = 0; a < size; ++a)
            for (Index b = 0; b <= a; ++b) {
                Real exact = 0;
                for (Index i = 0; i < data.n; ++i)
                    exact += data.weights[i] * (entry(i, a) - mean[a]) * (entry(i, b) - mean[b]);
                const double scale = std::sqrt(sums.sums(a, a) * sums.sums(b, b));
                EXPECT_NEAR(sums.sums(a, b), static_cast<double>(exact), sums.rounding * scale);
            }
        EXPECT_LT(sums.rounding, 1e-13);
        EXPECT_NEAR(static_cast<double>(total), sums.weight(), 1e-12 * sums.weight());
    }
}

// The gap is no smaller than the truth even where the sums are known to few digits.
TEST(Statistics, GapsCountTheRoundingOfTheSums) {
    const Data data = random_regression(100, 12, 21);
    const Setting setting = settings_for(data)[1];
    const Statistics statistics(data.problem());
    const double gap = fit(without_rows(data, statistics), setting).gap;
    auto coarse = std::make_shared<Statistics::Data>();
    coarse->groups.push_back(linalg::copy_of(statistics.data().groups.front()));
    coarse->groups.front().rounding = 1e-8;
    for (Index j = 0; j <= data.p; ++j)
        for (Index i = j; i <= data.p; ++i)
            coarse->groups.front().sums.values[j * coarse->groups.front().sums.stride + i] *=
                1 + ((i + j) % 2 == 0 ? 1e-9 : -1e-9);
    const Statistics rounded(coarse);
    const Solution solution = fit(without_rows(data, rounded), setting);
    EXPECT_LT(gap, 1e-12);
    EXPECT_EQ(solution.status, Status::iteration_limit);
    EXPECT_GT(solution.gap, static_cast<double>(certify_naively(data, setting, solution).gap));
}

TEST(Statistics, CrossValidateAsTheRowsDo) {
    for (const Case& one : cases()) {
        if (!one.data.offset.empty()) continue;
        SCOPED_TRACE(one.name);
        const std::vector<Fold> folds = make_folds(one.data.n, 5, 3);
        std::vector<Index> fold_of_row(static_cast<std::size_t>(one.data.n));
        for (std::size_t k = 0; k < folds.size(); ++k)
            for (const Index i : folds[k].test) fold_of_row[i] = static_cast<Index>(10 * k);
        CrossValidation plan;
        plan.grids = {{.alpha = 0.8, .count = 15, .min_ratio = 1e-2}};
        for (const Index pieces : {1, 3}) {
            const Statistics statistics = in_pieces(one.data, pieces, fold_of_row);
            EXPECT_EQ(statistics.folds(), (std::vector<Index>{0, 10, 20, 30, 40}));
            plan.folds.clear();
            const CvCurve curve =
                cross_validate(without_rows(one.data, statistics), plan).curves.front();
            plan.folds = folds;
            const CvCurve expected = cross_validate(one.data.problem(), plan).curves.front();
            EXPECT_EQ(missed(curve), 0);
            EXPECT_EQ(curve.best, expected.best);
            EXPECT_EQ(curve.one_standard_error, expected.one_standard_error);
            for (std::size_t s = 0; s < expected.lambda.size(); ++s) {
                EXPECT_NEAR(curve.lambda[s], expected.lambda[s], 1e-11 * expected.lambda[s]);
                EXPECT_NEAR(curve.mean[s], expected.mean[s], 1e-8 * expected.mean[s]);
                EXPECT_NEAR(curve.standard_error[s], expected.standard_error[s],
                            1e-7 * expected.standard_error[s]);
                certify(one.data, Mixing{curve.lambda[s], 0.8}, curve.path[s]);
            }
        }
    }
}

TEST(Statistics, ServeASession) {
    const Data data = random_regression(120, 20, 31);
    Statistics statistics(data.problem());
    Session session(without_rows(data, statistics));
    statistics = {};  // the session has its own
    const std::vector<Setting> settings = session.lambda_grid({.count = 10});
    for (int round = 0; round < 2; ++round) {
        const std::vector<Solution> path = session.solve_path(settings);
        for (std::size_t k = 0; k < settings.size(); ++k) certify(data, settings[k], path[k]);
    }
    const Setting budget = Budget{1, 0.1};
    certify(data, budget, session.fit(budget));
    EXPECT_THROW(session.set_response(data.y), InvalidArgument);
    EXPECT_THROW(session.set_weights({}), InvalidArgument);
    EXPECT_THROW(session.set_offset({}), InvalidArgument);
}

TEST(Statistics, OfOtherKindsOfMatrices) {
    const Data data = random_regression(90, 10, 41);
    std::vector<float> rows;
    for (Index i = 0; i < data.n; ++i)
        for (Index j = 0; j < data.p; ++j) rows.push_back(static_cast<float>(data.at(i, j)));
    Problem problem = data.problem();
    problem.X = row_major(rows.data(), data.n, data.p);
    const Statistics statistics(problem);
    const Setting setting = settings_for(data)[1];
    Problem summed = without_rows(data, statistics);
    expect_same_coefficients(fit(summed, setting), fit(problem, setting), 1e-9);
}

// Most entries zero, one column far from that: over the stored entries, or about the means.
TEST(Statistics, OfSparseMatrices) {
    for (const double far : {0.0, 1e6}) {
        Data data = random_regression(400, 30, 43);
        Random random(5);
        for (double& x : data.X) x = random.uniform() < 0.95 ? 0 : x;
        for (Index i = 0; i < data.n; ++i) data.at(i, 0) += far;
        std::vector<double> values;
        std::vector<std::int32_t> indices;
        std::vector<std::int32_t> offsets{0};
        for (Index j = 0; j < data.p; ++j) {
            for (Index i = 0; i < data.n; ++i) {
                if (data.at(i, j) == 0) continue;
                values.push_back(data.at(i, j));
                indices.push_back(static_cast<std::int32_t>(i));
            }
            offsets.push_back(static_cast<std::int32_t>(values.size()));
        }
        Problem problem = data.problem();
        problem.X = SparseView{.values = values.data(),
                               .indices = indices.data(),
                               .offsets = offsets.data(),
                               .rows = data.n,
                               .cols = data.p};
        std::vector<Index> folds(static_cast<std::size_t>(data.n));
        for (Index i = 0; i < data.n; ++i) folds[i] = i % 3;
        for (const auto& fold_of_row : {std::vector<Index>(), folds}) {
            const Statistics statistics(problem, fold_of_row);
            const Setting setting = settings_for(data)[2];
            const Solution solution = fit(without_rows(data, statistics), setting);
            certify(data, setting, solution);
            expect_same_coefficients(solution, fit(data.problem(), setting), 1e-9);
        }
    }
}

// A block of a larger whole may have no weight at all.
TEST(Statistics, OfRowsWithoutWeight) {
    Data data = random_regression(60, 5, 45);
    add_weights(data, 4);
    for (Index i = 20; i < 40; ++i) data.weights[i] = 0;
    Statistics sum;
    for (Index begin = 0; begin < 60; begin += 20)
        sum += Statistics(rows_of(data, begin, begin + 20).problem());
    EXPECT_EQ(sum.rows(), 60);
    const Setting setting = settings_for(data)[1];
    certify(data, setting, fit(without_rows(data, sum), setting));
    const Statistics nothing(rows_of(data, 20, 40).problem());
    EXPECT_EQ(nothing.total_weight(), 0);
    EXPECT_EQ((nothing + sum).rows(), 80);
}

TEST(Statistics, CopiesAreIndependent) {
    const Data data = random_regression(40, 5, 51);
    const Statistics one(data.problem());
    Statistics two = one;
    two += one;
    EXPECT_EQ(one.rows(), 40);
    EXPECT_EQ(two.rows(), 80);
    two += two;
    EXPECT_EQ(two.rows(), 160);
    EXPECT_EQ(two.total_weight(), 160);
    EXPECT_EQ((one + two).rows(), 200);
    EXPECT_EQ((Statistics() + one).rows(), 40);
}

}  // namespace
}  // namespace sven::test
