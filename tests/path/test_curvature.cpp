// Row curvature and a linear term in the place of weights and a response, against coordinate
// descent by plain loops on the same quadratic problem, and a Newton method for a logistic loss
// whose every step is one of them.

#include <gtest/gtest.h>

#include <cmath>

#include "path/session.hpp"
#include "support/problems.hpp"
#include "sven/error.hpp"

namespace sven::test {
namespace {

struct Quadratic {
    std::vector<double> weights;
    std::vector<double> point;
    std::vector<double> slopes;

    path::Curvature curvature(double reference = 1) const {
        return {weights, point, slopes, reference};
    }
};

struct Model {
    double intercept = 0;
    std::vector<double> b;
};

// Deviations by the weights of the data: what the penalties are of.
std::vector<double> scales_of(const Data& data) {
    std::vector<double> scales(static_cast<std::size_t>(data.p), 1.0);
    const auto weight = [&](Index i) { return data.weights.empty() ? 1 : data.weights[i]; };
    for (Index j = 0; j < data.p && data.standardize; ++j) {
        double total = 0, sum = 0, squares = 0;
        for (Index i = 0; i < data.n; ++i) total += weight(i);
        for (Index i = 0; i < data.n; ++i) sum += weight(i) * data.at(i, j);
        for (Index i = 0; i < data.n; ++i)
            squares += weight(i) * std::pow(data.at(i, j) - sum / total, 2);
        scales[j] = std::sqrt(squares / total);
    }
    return scales;
}

// eta - point
std::vector<double> steps_of(const Data& data, const Quadratic& q, const Model& model) {
    std::vector<double> d(static_cast<std::size_t>(data.n));
    for (Index i = 0; i < data.n; ++i) {
        d[i] = model.intercept - q.point[i];
        for (Index j = 0; j < data.p; ++j) d[i] += model.b[j] * data.at(i, j);
    }
    return d;
}

// Twice the smooth part, and the penalties.
double objective(const Data& data, const Quadratic& q, const Penalty& penalty, const Model& model) {
    const std::vector<double> d = steps_of(data, q, model);
    const std::vector<double> scales = scales_of(data);
    double value = 0;
    for (Index i = 0; i < data.n; ++i) value += q.weights[i] * d[i] * d[i] - 2 * q.slopes[i] * d[i];
    for (Index j = 0; j < data.p; ++j) {
        const double b = scales[j] * model.b[j];
        value += penalty.l1 * std::abs(b) + penalty.l2 * b * b;
    }
    return value;
}

Model descend(const Data& data, const Quadratic& q, const Penalty& penalty) {
    const std::vector<double> scales = scales_of(data);
    Model model{0, std::vector<double>(static_cast<std::size_t>(data.p), 0.0)};
    std::vector<double> d = steps_of(data, q, model);
    const auto move = [&](double& value, double to, const auto& x) {
        for (Index i = 0; i < data.n; ++i) d[i] += (to - value) * x(i);
        value = to;
    };
    for (double moved = 1; moved > 1e-14;) {
        moved = 0;
        for (Index j = data.intercept ? -1 : 0; j < data.p; ++j) {
            const auto x = [&](Index i) { return j < 0 ? 1 : data.at(i, j); };
            double& value = j < 0 ? model.intercept : model.b[j];
            double slope = 0, curvature = 0;
            for (Index i = 0; i < data.n; ++i) {
                slope += x(i) * (q.slopes[i] - q.weights[i] * d[i]);
                curvature += q.weights[i] * x(i) * x(i);
            }
            slope += curvature * value;
            const double h = j < 0 ? 0 : penalty.l1 / 2 * scales[j];
            const double ridge = j < 0 ? 0 : penalty.l2 * scales[j] * scales[j];
            const double size = std::max(0.0, std::abs(slope) - h) / (curvature + ridge);
            const double before = value;
            move(value, std::copysign(size, slope), x);
            moved = std::max(moved, std::abs(value - before));
        }
    }
    return model;
}

Model model_of(const Data& data, const Solution& solution) {
    Model model{solution.intercept, std::vector<double>(static_cast<std::size_t>(data.p), 0.0)};
    for (const Coefficient& c : solution.coefficients) model.b[c.feature] = c.value;
    return model;
}

// Some rows without curvature, some with next to none; slopes in all of them.
Quadratic random_quadratic(const Data& data, unsigned seed) {
    Random random(seed);
    Quadratic q;
    for (Index i = 0; i < data.n; ++i) {
        const double w = i % 7 == 3 ? 0 : i % 7 == 5 ? 1e-12 : 0.25 * random.uniform();
        const bool counts = data.weights.empty() || data.weights[i] > 0;
        q.weights.push_back(counts ? w : 0);
        q.point.push_back(random.normal());
        q.slopes.push_back(counts ? random.normal() : 0);
    }
    return q;
}

Options by(Method method) {
    Options options;
    options.method = method;
    return options;
}

class Curvatures : public testing::TestWithParam<Method> {};

TEST_P(Curvatures, EqualPlainCoordinateDescent) {
    for (const unsigned seed : {1u, 2u, 3u, 4u})
        for (const Penalty penalty : {Penalty{2, 0.5}, Penalty{1, 1e-3}, Penalty{3, 10}}) {
            SCOPED_TRACE(testing::Message() << seed << " " << penalty.l2);
            Data data = random_regression(60, 9, seed);
            if (seed > 1) add_weights(data, seed);
            data.intercept = seed % 2 == 1;
            data.standardize = seed < 4;
            const Quadratic q = random_quadratic(data, seed + 10);
            const Problem problem = data.problem();
            path::Session session(problem, by(GetParam()));
            session.set_curvature(q.curvature());
            const Setting setting = penalty;
            const Solution solution = session.solve({&setting, 1}).front();
            const Model found = model_of(data, solution);
            const Model exact = descend(data, q, penalty);
            EXPECT_EQ(solution.status, Status::optimal);
            EXPECT_LE(solution.gap, 1e-10);
            const double optimum = objective(data, q, penalty, exact);
            EXPECT_NEAR(solution.objective, optimum, 1e-9 * (1 + std::abs(optimum)));
            EXPECT_LE(objective(data, q, penalty, found) - optimum,
                      solution.gap + 1e-11 * (1 + std::abs(optimum)));
            EXPECT_NEAR(found.intercept, exact.intercept, 1e-6);
            for (Index j = 0; j < data.p; ++j)
                EXPECT_NEAR(found.b[j], exact.b[j], 1e-6 * (1 + std::abs(exact.b[j])));
        }
}

// Without a ridge a dual point must be scaled down by rounding at least: rows with a slope and no
// curvature admit none, and nothing is claimed.
TEST_P(Curvatures, LassoIsCertifiedWhereSlopesHaveCurvature) {
    const Data data = random_regression(60, 9, 5);
    Quadratic q = random_quadratic(data, 15);
    const Penalty penalty{2, 0};
    for (const bool has_bare_slopes : {true, false}) {
        for (Index i = 0; i < data.n && !has_bare_slopes; ++i)
            if (q.weights[i] == 0) q.slopes[i] = 0;
        const Problem problem = data.problem();
        path::Session session(problem, by(GetParam()));
        session.set_curvature(q.curvature());
        const Setting setting = penalty;
        const Solution solution = session.solve({&setting, 1}).front();
        const Model found = model_of(data, solution);
        const Model exact = descend(data, q, penalty);
        EXPECT_EQ(solution.status == Status::optimal, !has_bare_slopes);
        EXPECT_EQ(solution.gap <= 1e-10, !has_bare_slopes);
        for (Index j = 0; j < data.p; ++j)
            EXPECT_NEAR(found.b[j], exact.b[j], 1e-8 * (1 + std::abs(exact.b[j])));
    }
}

// Slopes of zero about the response, and slopes w y about zero.
TEST_P(Curvatures, ASquaredLossIsASpecialCase) {
    Data data = random_regression(50, 12, 6);
    add_weights(data, 7);
    const Problem problem = data.problem();
    const Setting setting = Penalty{4, 0.7};
    path::Session plain(problem, by(GetParam()));
    const Solution expected = plain.solve({&setting, 1}).front();
    const std::vector<double> zero(static_cast<std::size_t>(data.n), 0.0);
    std::vector<double> products = data.y;
    for (Index i = 0; i < data.n; ++i) products[i] *= data.weights[i];
    for (const Quadratic& q :
         {Quadratic{data.weights, data.y, zero}, Quadratic{data.weights, zero, products}}) {
        path::Session session(problem, by(GetParam()));
        session.set_curvature(q.curvature(expected.objective));
        const Solution found = session.solve({&setting, 1}).front();
        EXPECT_EQ(found.status, Status::optimal);
        EXPECT_NEAR(found.intercept, expected.intercept, 1e-9);
        ASSERT_EQ(found.coefficients.size(), expected.coefficients.size());
        for (std::size_t k = 0; k < found.coefficients.size(); ++k)
            EXPECT_NEAR(found.coefficients[k].value, expected.coefficients[k].value, 1e-9);
    }
}

// Back to weights and a response, everything is as if nothing had been.
TEST_P(Curvatures, LeaveNothingBehind) {
    Data data = random_regression(50, 12, 8);
    add_weights(data, 9);
    const Problem problem = data.problem();
    const Setting setting = Penalty{4, 0.7};
    path::Session session(problem, by(GetParam()));
    const Solution expected = session.solve({&setting, 1}).front();
    const Quadratic q = random_quadratic(data, 10);
    session.set_curvature(q.curvature());
    session.solve({&setting, 1});
    session.set_weights(data.weights);
    session.set_response(data.y);
    const Solution again = session.solve({&setting, 1}).front();
    ASSERT_EQ(again.coefficients.size(), expected.coefficients.size());
    for (std::size_t k = 0; k < again.coefficients.size(); ++k)
        EXPECT_NEAR(again.coefficients[k].value, expected.coefficients[k].value, 1e-10);
}

// Whole Newton steps of a logistic loss, each from the support of the last.
TEST_P(Curvatures, SolveALogisticLossByNewtonSteps) {
    Data data = random_regression(80, GetParam() == Method::primal ? 120 : 20, 11);
    std::vector<double> y;
    for (Index i = 0; i < data.n; ++i) y.push_back(data.y[i] > 1 ? 1 : 0);
    data.y = y;
    const Problem problem = data.problem();
    path::Session session(problem, by(GetParam()));
    const double h = 2, l2 = 0.5;
    const Setting setting = Penalty{2 * h, l2};
    const std::vector<double> scales = scales_of(data);
    Quadratic q{std::vector<double>(y.size()), std::vector<double>(y.size(), 0.0),
                std::vector<double>(y.size())};
    Model model;
    Index last_iterations = 0;
    for (int step = 0; step < 8; ++step) {
        for (std::size_t i = 0; i < y.size(); ++i) {
            const double mu = 1 / (1 + std::exp(-q.point[i]));
            q.weights[i] = mu * (1 - mu);
            q.slopes[i] = y[i] - mu;
        }
        session.set_curvature(q.curvature(static_cast<double>(data.n)));
        const Solution solution = session.solve({&setting, 1}).front();
        EXPECT_LE(solution.gap, 1e-10) << step;
        last_iterations = solution.iterations;
        model = model_of(data, solution);
        const std::vector<double> d = steps_of(data, q, model);
        for (std::size_t i = 0; i < y.size(); ++i) q.point[i] += d[i];
    }
    // the last step changes nothing and begins where it ends
    EXPECT_LE(last_iterations, 2);
    Index selected = 0;
    for (Index j = 0; j < data.p; ++j) {
        double product = 0;
        for (std::size_t i = 0; i < y.size(); ++i)
            product += data.at(static_cast<Index>(i), j) / scales[j] *
                       (y[i] - 1 / (1 + std::exp(-q.point[i])));
        const double b = scales[j] * model.b[j];
        if (b != 0)
            EXPECT_NEAR(product, std::copysign(h, b) + l2 * b, 1e-8);
        else
            EXPECT_LE(std::abs(product), h + 1e-8);
        selected += b != 0 ? 1 : 0;
    }
    EXPECT_GT(selected, 3);
}

INSTANTIATE_TEST_SUITE_P(Methods, Curvatures, testing::Values(Method::primal, Method::dual),
                         [](const auto& tested) {
                             return tested.param == Method::primal ? "Columns" : "Gram";
                         });

TEST(Curvature, RefusesWhatHasNone) {
    const Data data = random_regression(20, 3, 12);
    const Problem problem = data.problem();
    path::Session session(problem, {});
    const std::vector<double> zero(20, 0.0);
    EXPECT_THROW(session.set_curvature({zero, zero, zero, 1}), InvalidArgument);
}

}  // namespace
}  // namespace sven::test
