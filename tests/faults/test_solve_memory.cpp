// Memory that runs out while the library solves: std::bad_alloc, nothing lost, and the next call
// answers as if nothing had happened.

#include <algorithm>

#include "faults/sweep.hpp"
#include "linalg/buffer.hpp"
#include "support/matrix_kinds.hpp"
#include "support/options.hpp"
#include "support/outcome_data.hpp"
#include "support/problems.hpp"
#include "support/two_class.hpp"
#include "sven/sven.hpp"

namespace sven::test {
namespace {

using Numbers = std::vector<double>;

void append(const Solution& solution, Numbers& numbers) {
    numbers.insert(numbers.end(), {solution.objective, solution.gap, solution.intercept});
    for (const Coefficient& c : solution.coefficients) numbers.push_back(c.value);
}

Numbers numbers_of(const std::vector<Solution>& solutions) {
    Numbers numbers;
    for (const Solution& solution : solutions) append(solution, numbers);
    return numbers;
}

// The path is solved from there on, in steps too large to be the grid's own.
std::vector<Setting> settings_for(const Data& data) {
    double largest = 0;
    for (Index j = 0; j < data.p; ++j) {
        double product = 0;
        for (Index i = 0; i < data.n; ++i) product += data.at(i, j) * data.y[i];
        largest = std::max(largest, std::abs(product) / static_cast<double>(data.n));
    }
    return {Mixing{0.5 * largest, 1}, Mixing{0.1 * largest, 0.7}, Penalty{0.02 * largest, 1},
            Budget{0.3, 1}, Mixing{0.01 * largest, 0}};
}

struct Case {
    std::string name;
    Index n = 0;
    Index p = 0;
    Kind kind;
    Method method = Method::automatic;
    int threads = 1;
    bool is_odd = false;  // weights, penalty factors, no negative coefficients
};

// The small ones stay on one thread and are quick; the large ones, of more than 1e6 operations a
// product, have teams at work.
std::vector<Case> cases() {
    const Kind dense{};
    const Kind rows{.by_columns = false};
    const Kind single{.scalar = Scalar::float32};
    const Kind csc{.is_sparse = true};
    const Kind csr{.is_sparse = true, .by_columns = false};
    return {{"wide", 12, 30, dense, Method::primal, 1, false},
            {"tall", 30, 8, dense, Method::dual, 1, false},
            {"odd", 20, 9, dense, Method::automatic, 1, true},
            {"rows", 15, 20, rows, Method::primal, 1, true},
            {"single", 15, 20, single, Method::automatic, 1, false},
            {"csc", 15, 20, csc, Method::primal, 1, true},
            {"csr", 15, 20, csr, Method::primal, 1, true},
            {"csr_gram", 25, 9, csr, Method::dual, 1, false},
            {"team_columns", 150, 900, dense, Method::primal, 2, false},
            {"team_rows", 150, 900, rows, Method::primal, 2, false},
            {"team_csc", 150, 900, csc, Method::primal, 2, false},
            {"team_csr", 150, 900, csr, Method::primal, 2, false},
            {"team_gram", 3000, 40, dense, Method::dual, 2, false}};
}

class Memory : public testing::TestWithParam<Case> {
  protected:
    void SetUp() override {
        const Case& c = GetParam();
        data_ = random_regression(c.n, c.p, 5);
        if (c.kind.is_sparse && c.threads == 1) {
            Random random(3);
            for (double& x : data_.X) x = random.uniform() < 0.4 ? x : 0;
        }
        if (c.is_odd) {
            add_weights(data_, 1);
            add_factors(data_, 2);
            data_.nonnegative = true;
        }
        matrix_ = std::make_unique<StoredMatrix>(c.kind, c.n, c.p, data_.X);
        problem_ = data_.problem();
        problem_.X = matrix_->view();
        options_ = by(c.method);
        options_.threads = c.threads;
        settings_ = settings_for(data_);
        if (c.threads > 1) {  // the others take long
            settings_ = {settings_[1]};
            pace_ = Pace::slow;
        }
    }

    Data data_;
    std::unique_ptr<StoredMatrix> matrix_;
    Problem problem_;
    Options options_;
    std::vector<Setting> settings_;
    Pace pace_ = Pace::quick;
};

TEST_P(Memory, OfFit) {
    for (std::size_t k = 0; k < settings_.size(); ++k)
        expect_clean_failures(
            "fit " + GetParam().name + " " + std::to_string(k),
            [&] { return numbers_of({fit(problem_, settings_[k], options_)}); }, pace_);
}

TEST_P(Memory, OfPath) {
    expect_clean_failures(
        "path " + GetParam().name,
        [&] { return numbers_of(solve_path(problem_, settings_, options_)); }, pace_);
}

TEST_P(Memory, OfGrid) {
    const Grid grid{.alpha = 0.8, .count = 4, .min_ratio = 0.4};
    expect_clean_failures(
        "grid " + GetParam().name,
        [&] {
            return numbers_of(
                solve_path(problem_, lambda_grid(problem_, grid, options_), options_));
        },
        pace_);
}

TEST_P(Memory, OfCrossValidation) {
    CrossValidation plan;
    plan.folds = make_folds(data_.n, 3);
    plan.grids = {{.alpha = 1, .count = 3, .min_ratio = 0.5}};
    if (pace_ == Pace::quick) plan.grids.push_back({.alpha = 0.5, .count = 3, .min_ratio = 0.5});
    const auto validate = [&] {
        Numbers numbers;
        for (const CvCurve& curve : cross_validate(problem_, plan, options_).curves) {
            numbers.insert(numbers.end(), curve.fold_error.begin(), curve.fold_error.end());
            const Numbers path = numbers_of(curve.path);
            numbers.insert(numbers.end(), path.begin(), path.end());
        }
        return numbers;
    };
    expect_clean_failures("cv " + GetParam().name, validate, pace_);
}

INSTANTIATE_TEST_SUITE_P(Cases, Memory, testing::ValuesIn(cases()),
                         [](const auto& tested) { return tested.param.name; });

Numbers numbers_of(const std::vector<Relaxed>& relaxed) {
    Numbers numbers;
    for (const Relaxed& one : relaxed) {
        numbers.push_back(static_cast<double>(one.refit));
        append(one.solution, numbers);
    }
    return numbers;
}

class OutcomeMemory : public testing::TestWithParam<Family> {
  protected:
    Data data_ = outcome_data(GetParam(), 25, 6, 7);
    std::vector<Setting> settings_{Mixing{0.1, 1}, Mixing{0.05, 0.5}, Budget{0.5, 0.1}};
    Options options_ = with_threads(1);
};

TEST_P(OutcomeMemory, OfPath) {
    data_.factors = {0, 1, 2, 1, 1, 1};
    expect_clean_failures(
        "path", [&] { return numbers_of(solve_path(data_.problem(), settings_, options_)); });
}

TEST_P(OutcomeMemory, OfRefits) {
    const std::vector<Solution> path = solve_path(data_.problem(), {settings_.data(), 2}, options_);
    expect_clean_failures("refits",
                          [&] { return numbers_of(relax(data_.problem(), path, options_)); });
}

TEST_P(OutcomeMemory, OfCrossValidation) {
    CrossValidation plan;
    plan.folds = make_folds(data_.n, 3);
    plan.grids = {{.alpha = 1, .count = 3, .min_ratio = 0.3}};
    plan.keeps_predictions = true;
    expect_clean_failures("cv", [&] {
        const CvResult result = cross_validate(data_.problem(), plan, options_);
        Numbers numbers = result.curves[0].fold_error;
        const std::vector<double>& predicted = result.curves[0].out_of_fold.best;
        numbers.insert(numbers.end(), predicted.begin(), predicted.end());
        return numbers;
    });
}

INSTANTIATE_TEST_SUITE_P(Families, OutcomeMemory,
                         testing::Values(Family::binomial, Family::poisson),
                         [](const auto& tested) { return std::string(name(tested.param)); });

TEST(MemoryOf, SeveralResponses) {
    const Data data = random_regression(20, 12, 4);
    Numbers responses = data.y;
    for (Index i = 0; i < data.n; ++i) responses.push_back(data.at(i, 2) - data.at(i, 5));
    expect_clean_failures("paths", [&] {
        Numbers numbers;
        for (const auto& path :
             solve_paths(data.problem(), responses, settings_for(data), with_threads(1))) {
            const Numbers some = numbers_of(path);
            numbers.insert(numbers.end(), some.begin(), some.end());
        }
        return numbers;
    });
}

TEST(MemoryOf, DistinctBudgets) {
    const Data data = random_regression(20, 12, 4);
    expect_clean_failures("budgets", [&] {
        Numbers numbers;
        for (const Setting& s :
             distinct_budgets(data.problem(), {.alpha = 0.9, .count = 8}, 3, with_threads(1)))
            numbers.push_back(std::get<Budget>(s).t);
        return numbers;
    });
}

TEST(MemoryOf, Machine) {
    for (const auto& [samples, features] : {std::pair<Index, Index>{40, 6}, {12, 30}, {2000, 60}}) {
        const TwoClass data = random_two_class(samples, features, 3);
        expect_clean_failures("svm " + std::to_string(samples), [&] {
            const svm::Classifier trained = svm::train(data.problem(), with_threads(2));
            Numbers numbers = trained.w;
            numbers.push_back(trained.gap);
            return numbers;
        });
    }
}

TEST(MemoryOf, Prediction) {
    const Data data = random_regression(20, 12, 4);
    const Solution solution = fit(data.problem(), settings_for(data)[1], with_threads(1));
    expect_clean_failures("predict", [&] { return predict(data.problem().X, solution); });
}

TEST(MemoryOf, ABuffer) {
    linalg::Buffer<double> buffer(3);
    {
        const NoMemory fault(1, false);
        EXPECT_THROW(buffer.reserve(1000), std::bad_alloc);
    }
    EXPECT_EQ(buffer.capacity(), 0) << "it says that it holds what it gave back";
    buffer.reserve(3);
    buffer[2] = 7;
    EXPECT_EQ(buffer[2], 7);
}

}  // namespace
}  // namespace sven::test
