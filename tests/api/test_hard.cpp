// Near-duplicate columns, rank deficiency, ties, tiny and zero ridge: two thousand seeded problems.

#include <numeric>

#include "support/certify.hpp"
#include "support/options.hpp"

namespace sven::test {
namespace {

// Integer data have exact ties; low rank, duplicates and near-duplicates come on top.
Data hard_problem(unsigned seed) {
    Random random(seed);
    const Index n = 5 + random.index(40);
    const Index p = 3 + random.index(60);
    Data data = random_regression(n, p, seed, 0.9 * random.uniform());
    const int kind = static_cast<int>(seed % 5);
    if (kind == 0)  // ties
        for (double& x : data.X) x = std::round(x);
    if (kind == 1) {  // rank two
        for (Index j = 2; j < p; ++j) {
            const double a = random.normal();
            const double b = random.normal();
            for (Index i = 0; i < n; ++i) data.at(i, j) = a * data.at(i, 0) + b * data.at(i, 1);
        }
    }
    if (kind >= 2) {  // near-duplicates, from 1e-9 to 1e-3, or exact
        const double distance = kind == 4 ? 0 : std::pow(10, -9 + 6 * random.uniform());
        const Index copies = 1 + random.index(p);
        for (Index k = 0; k < copies; ++k) {
            const Index from = random.index(p);
            const Index to = random.index(p);
            const double sign = random.uniform() < 0.3 ? -1 : 1;
            for (Index i = 0; i < n; ++i)
                data.at(i, to) = sign * data.at(i, from) + distance * random.normal();
        }
    }
    data.intercept = random.uniform() < 0.5;
    data.standardize = random.uniform() < 0.5;
    data.nonnegative = random.uniform() < 0.2;
    if (random.uniform() < 0.2) add_weights(data, seed + 1);
    return data;
}

void run_hard(unsigned first, unsigned last, Method method) {
    int limits = 0;
    for (unsigned seed = first; seed < last; ++seed) {
        const Data data = hard_problem(seed);
        const Problem problem = data.problem();
        const Options options = by(method);
        Random random(seed + 77);
        const double largest = largest_lambda(problem);
        const double total = static_cast<double>(standardize(data).total);
        const double l1 = 2 * total * largest * std::pow(10, -3 * random.uniform());
        const double l2 = seed % 3 == 0 ? 0 : total * std::pow(10, -14 * random.uniform());
        SCOPED_TRACE(testing::Message() << "seed " << seed << " n " << data.n << " p " << data.p
                                        << " l1 " << l1 << " l2 " << l2);
        const Setting penalty = Penalty{l1, l2};
        const Solution solution = fit(problem, penalty, options);
        const Naive naive = certify_naively(data, penalty, solution);
        // it tells the truth, whatever it reached
        EXPECT_NEAR(solution.gap, static_cast<double>(naive.gap), 1e-11);
        EXPECT_LE(static_cast<double>(naive.gap), 1e-10);
        limits += solution.status == Status::iteration_limit;
        if (seed % 2 == 0 && solution.t > 0) {
            const Setting budget = Budget{solution.t * (0.1 + 0.9 * random.uniform()), l2};
            const Solution constrained = fit(problem, budget, options);
            const Naive other = certify_naively(data, budget, constrained);
            EXPECT_NEAR(constrained.gap, static_cast<double>(other.gap), 1e-11);
            EXPECT_LE(static_cast<double>(other.gap), 1e-10) << std::get<Budget>(budget).t;
            limits += constrained.status == Status::iteration_limit;
        }
    }
    EXPECT_EQ(limits, 0);
}

// Cut off after a few steps, the answer is not good, and says so.
TEST(Hard, TellsTheTruthAtAnyLimit) {
    int cut_off = 0;
    for (unsigned seed = 0; seed < 240; ++seed) {
        Data data = hard_problem(seed);
        if (seed % 4 == 1) add_factors(data, seed);
        const Problem problem = data.problem();
        Options options = by(both_methods[seed % 2]);
        options.max_iterations = 1 + static_cast<int>(seed / 2 % 4);
        const double total = static_cast<double>(standardize(data).total);
        const double largest = largest_lambda(problem);
        const double l2 = seed % 3 == 0 ? 0 : 0.01 * total;
        const Solution whole = fit(problem, Penalty{0.1 * total * largest, l2});
        for (const Setting& setting :
             {Setting(Penalty{0.05 * total * largest, l2}), Setting(Penalty{0, l2 + 1}),
              Setting(Budget{0.7 * whole.t, l2}), Setting(Budget{100 * whole.t, l2})}) {
            SCOPED_TRACE(testing::Message() << "seed " << seed << " form " << setting.index());
            const Solution solution = fit(problem, setting, options);
            const Naive naive = certify_naively(data, setting, solution);
            const bool claims = solution.status != Status::iteration_limit;
            cut_off += !claims;
            EXPECT_EQ(claims, solution.gap <= 1e-10);
            const double best = fit(problem, setting).objective;
            const auto scale = static_cast<double>(standardize(data).squares);
            EXPECT_GE(solution.gap, (solution.objective - best) / scale - 1e-12);
            if (const auto* budget = std::get_if<Budget>(&setting)) {
                EXPECT_LE(static_cast<double>(naive.use), budget->t * (1 + 1e-12));
            }
        }
    }
    EXPECT_GT(cut_off, 50);
}

TEST(Hard, PrimalSolvesThemAll) {
    run_hard(0, 1000, Method::primal);
}
TEST(Hard, DualSolvesThemAll) {
    run_hard(1000, 2000, Method::dual);
}

// Without penalties nothing bounds a product, and columns are too many for twofold precision: the
// dual point is orthogonal to all of them.
TEST(Hard, LeastSquaresOfManyColumns) {
    constexpr Index n = 600;
    constexpr Index p = 400;
    Data data = random_regression(n, p, 71);
    for (Index j = 1; j < p; j += 7)  // some are near their neighbours
        for (Index i = 0; i < n; ++i) data.at(i, j) = data.at(i, j - 1) + 1e-3 * data.at(i, j);
    for (const Method method : both_methods)
        for (const Setting& setting : {Setting(Penalty{0, 0}), Setting(Budget{1e9, 0})}) {
            const Solution solution = fit(data.problem(), setting, by(method));
            EXPECT_NE(solution.status, Status::iteration_limit);
            EXPECT_LE(solution.gap, 1e-10);
            std::vector<Real> r(data.y.begin(), data.y.end());
            for (Index i = 0; i < n; ++i) r[i] -= solution.intercept;
            for (const Coefficient& b : solution.coefficients)
                for (Index i = 0; i < n; ++i) r[i] -= Real(data.at(i, b.feature)) * b.value;
            Real squares = 0;
            for (const Real e : r) squares += e * e;
            for (Index j = 0; j < p; ++j) {
                Real product = 0;
                Real length = 0;
                for (Index i = 0; i < n; ++i) {
                    product += data.at(i, j) * r[i];
                    length += Real(data.at(i, j)) * data.at(i, j);
                }
                EXPECT_LE(std::abs(product), 1e-9 * std::sqrt(length * squares));
            }
        }
}

// More features than rows, whose unpenalised ones cancel each other: the residual has few digits.
TEST(Hard, AnObjectiveIsThatOfTheCoefficients) {
    for (unsigned seed = 0; seed < 300; ++seed) {
        Data data = random_regression(8, 10, seed, 0);
        Random random(seed + 5);
        const double distance = std::pow(10, -12 + 2 * random.uniform());
        for (Index i = 0; i < data.n; ++i)
            data.at(i, 1) = data.at(i, 0) + distance * random.normal();
        data.factors.assign(10, 1.0);
        std::fill_n(data.factors.begin(), 4, 0.0);
        const Setting penalty = Penalty{0.01, 5};
        const Solution solution = fit(data.problem(), penalty, {});
        const Naive naive = certify_naively(data, penalty, solution);
        const auto squares = static_cast<double>(
            std::inner_product(data.y.begin(), data.y.end(), data.y.begin(), Real{0}));
        EXPECT_NEAR(solution.objective, static_cast<double>(naive.objective), 1e-6 * squares)
            << seed << " " << distance;
    }
}

}  // namespace
}  // namespace sven::test
