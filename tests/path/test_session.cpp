// One problem, solved many times with changes between: every answer is that of a fresh fit, and
// less is asked of X.

#include <atomic>

#include "api/calls.hpp"
#include "path/session.hpp"
#include "support/certify.hpp"
#include "support/counting_design.hpp"
#include "support/outcome_data.hpp"
#include "support/shapes.hpp"
#include "sven/error.hpp"
#include "sven/session.hpp"

namespace sven::test {
namespace {

class Sessions : public ShapeAndMethod {};

Options by(Method method) {
    Options options;
    options.method = method;
    return options;
}

// A change of one part of the data, told to the session too; `offset` is of the data's y.
void change(Random& random, Data& data, std::vector<double>& y, std::vector<double>& offset,
            Session& session) {
    const auto rows = static_cast<std::size_t>(data.n);
    switch (random.index(5)) {
        case 0:  // a response much like the last one
            for (double& value : y) value += 0.1 * random.normal();
            session.set_response(y);
            break;
        case 1: {  // one of another size
            const Index j = random.index(data.p);
            const double size = std::pow(10.0, 4 * random.uniform() - 2);
            for (Index i = 0; i < data.n; ++i)
                y[i] = size * (data.at(i, j) + 0.3 * random.normal() + 5);
            session.set_response(y);
            break;
        }
        case 2:
            if (random.uniform() < 0.3)
                data.weights.clear();
            else
                add_weights(data, static_cast<unsigned>(random.index(1000)));
            session.set_weights(data.weights);
            break;
        case 3:
            offset.assign(random.uniform() < 0.3 ? 0 : rows, 0.0);
            for (double& value : offset) value = random.normal();
            session.set_offset(offset);
            break;
        default:  // the same data
            break;
    }
    data.y = y;
    for (std::size_t i = 0; i < offset.size(); ++i) data.y[i] -= offset[i];
}

std::vector<Setting> random_settings(Random& random, const Data& data) {
    const std::vector<Setting> grid =
        lambda_grid(data.problem(), {.alpha = 0.2 + 0.8 * random.uniform(), .count = 30});
    std::vector<Setting> settings;
    const Index count = random.uniform() < 0.7 ? 1 : 1 + random.index(12);
    for (Index k = 0; k < count; ++k) settings.push_back(grid[5 + random.index(20)]);
    const double kind = random.uniform();
    if (kind < 0.3) {  // as budgets
        for (Setting& setting : settings) {
            const Solution solution = fit(data.problem(), setting);
            setting = Budget{solution.t * (0.5 + random.uniform()), solution.l2};
        }
    } else if (kind < 0.4) {
        settings.back() = Penalty{0, 0.1};
    }
    return settings;
}

TEST_P(Sessions, AnswerAsFreshFitsAfterEveryChange) {
    for (const bool is_plain : {true, false}) {
        SCOPED_TRACE(is_plain);
        Random random(is_plain ? 81 : 82);
        Data data = random_regression(shape().n, shape().p, 83);
        if (!is_plain) add_factors(data, 84);
        std::vector<double> y = data.y;
        std::vector<double> offset;
        Session session(data.problem(), options());
        for (int step = 0; step < 40; ++step) {
            SCOPED_TRACE(step);
            change(random, data, y, offset, session);
            const std::vector<Setting> settings = random_settings(random, data);
            const std::vector<Solution> path = session.solve_path(settings);
            ASSERT_EQ(path.size(), settings.size());
            for (std::size_t s = 0; s < settings.size(); ++s) {
                certify(data, settings[s], path[s]);
                const Solution fresh = fit(data.problem(), settings[s], options());
                const double scale = std::abs(fresh.intercept) + fresh.t + 1e-300;
                EXPECT_NEAR(path[s].t, fresh.t, 1e-5 * scale);
                EXPECT_NEAR(path[s].objective, fresh.objective, 1e-9 * fresh.objective);
                EXPECT_EQ(path[s].status, fresh.status);
            }
            if (HasFailure()) return;
        }
    }
}

TEST_P(Sessions, NonnegativeProblems) {
    Data data = random_regression(shape().n, shape().p, 85);
    data.nonnegative = true;
    Session session(data.problem(), options());
    for (unsigned seed = 0; seed < 6; ++seed) {
        add_weights(data, seed);
        session.set_weights(data.weights);
        for (const double lambda : {0.05, 0.2, 0.02}) {
            const Setting setting = Mixing{lambda, 0.7};
            certify(data, setting, session.fit(setting));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Sessions, by_both_methods({{40, 150}, {120, 25}}),
                         shape_and_method);

// A support found for other weights is a guess: what it leaves out is verified by products of its
// own, so that as much is proven of the features as by a fresh fit.
TEST(Session, ProvesAsMuchFromAGuess) {
    Data data = random_regression(60, 300, 94);
    Session session(data.problem());
    Index undecided = 0;
    Index fresh = 0;
    for (unsigned seed = 0; seed < 20; ++seed) {
        add_weights(data, seed);
        session.set_weights(data.weights);
        const Setting setting = Mixing{0.1, 0.9};
        undecided += session.fit(setting).certificate.undecided;
        fresh += fit(data.problem(), setting).certificate.undecided;
    }
    EXPECT_LE(undecided, fresh + 20);
}

// A grid, a curve and a fit of one session are those of the functions.
TEST(Session, GridsAndCurves) {
    for (const Index p : {150, 8}) {
        const Data data = random_regression(60, p, 86);
        Session session(data.problem());
        const Grid grid{.alpha = 0.5, .count = 12};
        const auto settings = session.lambda_grid(grid);
        const auto fresh = lambda_grid(data.problem(), grid);
        for (std::size_t k = 0; k < fresh.size(); ++k)
            EXPECT_NEAR(std::get<Mixing>(settings[k]).lambda, std::get<Mixing>(fresh[k]).lambda,
                        1e-12 * std::get<Mixing>(fresh[k]).lambda);
        for (std::size_t k = 0; k < 3; ++k) certify(data, settings[8], session.fit(settings[8]));
        CrossValidation plan;
        plan.folds = make_folds(60, 5);
        plan.grids = {grid};
        const CvCurve curve = session.cross_validate(plan).curves[0];
        const CvCurve other = cross_validate(data.problem(), plan).curves[0];
        EXPECT_EQ(curve.best, other.best);
        for (std::size_t k = 0; k < curve.fold_error.size(); ++k)
            EXPECT_NEAR(curve.fold_error[k], other.fold_error[k], 1e-6 * other.fold_error[k]);
        for (std::size_t k = 0; k < curve.path.size(); ++k)
            certify(data, settings[k], curve.path[k]);
        certify(data, settings[5], session.fit(settings[5]));
    }
}

// The convention is the settings': glmnet's rescales the penalty factors.
TEST(Session, ConventionsMayChange) {
    Data data = random_regression(50, 12, 87);
    add_factors(data, 88);
    Session session(data.problem());
    for (const Convention convention :
         {Convention::documented, Convention::glmnet, Convention::documented}) {
        const Setting setting = Mixing{0.1, 0.8, convention};
        const Solution fresh = fit(data.problem(), setting);
        EXPECT_NEAR(session.fit(setting).t, fresh.t, 1e-7 * fresh.t);
    }
}

TEST(Session, RefusesAndStaysAsItWas) {
    const Data data = random_regression(30, 5, 89);
    Session session(data.problem());
    const Setting setting = Mixing{0.1, 1};
    const Solution before = session.fit(setting);
    const std::vector<double> shorter(29, 1.0);
    const std::vector<double> zeros(30, 0.0);
    const std::vector<double> infinite(30, HUGE_VAL);
    EXPECT_THROW(session.set_response(shorter), InvalidArgument);
    EXPECT_THROW(session.set_response(infinite), InvalidArgument);
    EXPECT_THROW(session.set_offset(shorter), InvalidArgument);
    EXPECT_THROW(session.set_offset(infinite), InvalidArgument);
    EXPECT_THROW(session.set_weights(shorter), InvalidArgument);
    EXPECT_THROW(session.set_weights(zeros), InvalidArgument);
    Options loose;
    loose.tolerance = 0;
    EXPECT_THROW(session.set_options(loose), InvalidArgument);
    EXPECT_THROW(session.set_options(by(Method::dual)), InvalidArgument);
    EXPECT_THROW((void)session.fit(Mixing{-1, 1}), InvalidArgument);
    EXPECT_THROW((void)session.lambda_grid({.alpha = 2}), InvalidArgument);
    EXPECT_THROW((void)session.cross_validate({}), InvalidArgument);
    EXPECT_NEAR(session.fit(setting).t, before.t, 1e-9 * before.t);
    Session moved = std::move(session);
    EXPECT_NEAR(moved.fit(setting).t, before.t, 1e-9 * before.t);
}

// Stopped at every one of its looks at the token in turn, the session solves afterwards.
TEST(Session, ACancelledSolveLeavesItUsable) {
    for (const Method method : {Method::primal, Method::dual}) {
        SCOPED_TRACE(name(method));
        Data data = random_regression(60, method == Method::dual ? 20 : 200, 90);
        Options options;
        options.method = method;
        CancelToken cancel = false;
        options.cancel = &cancel;
        Session session(data.problem(), options);
        const std::vector<Setting> settings = lambda_grid(data.problem(), {.count = 20});
        for (Index stop = 0; stop < 20; stop += 3) {
            for (double& value : data.y) value += 0.05;
            session.set_response(data.y);
            Options stopping = options;
            stopping.progress = [&](const Progress& progress) {
                if (progress.done >= stop) cancel = true;
            };
            cancel = stop == 0;
            session.set_options(stopping);
            const std::vector<Solution> cut = session.solve_path(settings);
            EXPECT_EQ(cut.back().status, Status::cancelled);
            EXPECT_THROW((void)session.cross_validate({.folds = make_folds(60, 3)}), Interrupted);
            cancel = false;
            session.set_options(options);
            for (const std::size_t k : {12U, 19U}) {
                SCOPED_TRACE(stop);
                certify(data, settings[k], session.fit(settings[k]));
            }
        }
    }
}

// ---- what is asked of X ----

struct Counted {
    explicit Counted(const Data& data, const Options& options = {})
        : design(std::make_shared<CountingDesign>(data.problem().X)),
          session(data.problem(), options, design) {}

    CountingDesign::Counts solve(const Setting& setting) {
        design->take();
        const std::vector<Setting> settings{setting};
        solution = session.solve(settings).front();
        return design->take();
    }

    std::shared_ptr<CountingDesign> design;
    path::Session session;
    Solution solution;
};

TEST(Session, GoesOnFromItsSupportAndColumns) {
    Data data = random_regression(60, 400, 91);
    const auto grid = lambda_grid(data.problem(), {.count = 30});
    Counted counted(data, by(Method::primal));
    const auto first = counted.solve(grid[18]);
    EXPECT_EQ(first.moments, 1);
    EXPECT_GE(first.products, 3);
    EXPECT_GT(first.columns, 20);
    // The same question: one product is its proof.
    const auto again = counted.solve(grid[18]);
    EXPECT_EQ(again.moments, 0);
    EXPECT_EQ(again.products, 1);
    EXPECT_EQ(again.columns, 0);
    // A neighbour: a few columns more.
    const auto next = counted.solve(grid[19]);
    EXPECT_EQ(next.moments, 0);
    EXPECT_EQ(next.products, 1);
    EXPECT_LT(next.columns, first.columns / 3);
    // Another response: one product for X'y, one for the proof; the columns stay.
    for (double& value : data.y) value *= 1.5;
    counted.session.set_response(data.y);
    const auto scaled = counted.solve(Mixing{1.5 * std::get<Mixing>(grid[19]).lambda, 1});
    EXPECT_EQ(scaled.moments, 0);
    EXPECT_EQ(scaled.products, 2);
    EXPECT_EQ(scaled.columns, 0);
    certify(data, Mixing{1.5 * std::get<Mixing>(grid[19]).lambda, 1}, counted.solution);
    // Other weights: the support is a seed, without the steps on the way.
    const Setting setting = Mixing{1.5 * std::get<Mixing>(grid[19]).lambda, 1};
    data.weights.assign(60, 1.0);
    data.weights[7] = 1.2;
    counted.session.set_weights(data.weights);
    const auto weighted = counted.solve(setting);
    const auto fresh = Counted(data, by(Method::primal)).solve(setting);
    EXPECT_EQ(weighted.moments, 1);
    EXPECT_LT(weighted.products, fresh.products);
    certify(data, setting, counted.solution);
}

TEST(Session, KeepsTheGramMatrix) {
    Data data = random_regression(200, 12, 92);
    Counted counted(data, by(Method::dual));
    EXPECT_EQ(counted.solve(Mixing{0.1, 0.5}).packed_rows, 200);
    const auto again = counted.solve(Mixing{0.05, 0.5});
    EXPECT_EQ(again.packed_rows + again.moments, 0);
    for (double& value : data.y) value += 1 / (2 + value * value);
    counted.session.set_response(data.y);
    const auto changed = counted.solve(Mixing{0.05, 0.5});
    EXPECT_EQ(changed.packed_rows + changed.moments, 0);
    certify(data, Mixing{0.05, 0.5}, counted.solution);
    counted.session.grid_start(Convention::documented);
    EXPECT_EQ(counted.design->take().moments, 0);
}

// A grid that a path follows is made from the pass that the path needs anyway.
TEST(Session, AGridAndItsPathShareOnePass) {
    for (const Index p : {12, 300}) {
        SCOPED_TRACE(p);
        const Data data = random_regression(100, p, 95);
        const Grid grid{.count = 20};
        Counted counted(data);
        const auto settings =
            api::lambda_grids(counted.session, {&grid, 1}, api::Purpose::path).front();
        (void)counted.session.solve(settings);
        const auto counts = counted.design->take();
        EXPECT_EQ(counts.moments, p == 12 ? 0 : 1);
        EXPECT_EQ(counts.packed_rows, p == 12 ? 100 : 0);
        const double largest = std::get<Mixing>(lambda_grid(data.problem(), grid)[0]).lambda;
        EXPECT_NEAR(std::get<Mixing>(settings[0]).lambda, largest, 1e-13 * largest);
    }
}

// Three alphas ask no more of X than one, but for the products of their paths: one grid pass, one
// design, one set of Gram matrices.
TEST(Session, SeveralAlphasShareTheirPasses) {
    for (const Index p : {12, 300}) {
        SCOPED_TRACE(p);
        const Data data = random_regression(100, p, 93);
        CrossValidation plan;
        plan.folds = make_folds(100, 4);
        const auto count = [&](std::vector<Grid> grids) {
            plan.grids = std::move(grids);
            Counted counted(data);
            const CvResult result = api::cross_validate(counted.session, plan);
            EXPECT_EQ(result.curves.size(), plan.grids.size());
            return counted.design->take();
        };
        const auto one = count({{.alpha = 0.1, .count = 10}});
        const auto three = count(
            {{.alpha = 0.1, .count = 10}, {.alpha = 0.5, .count = 10}, {.alpha = 1, .count = 10}});
        EXPECT_EQ(one.moments,
                  p == 12 ? 1 : 1 + 4);  // the grid's, and the folds' where they are needed
        EXPECT_EQ(one.packed_rows, p == 12 ? 100 : 0);
        EXPECT_EQ(three.moments, one.moments);
        EXPECT_EQ(three.packed_rows, one.packed_rows);
    }
}

// The folds of classes are solved in one session over the design of all rows: the moments of a fold
// serve every alpha, and afterwards the design stands where it stood.
TEST(Session, FoldsOfClassesShareTheDesign) {
    Data data = outcome_data(Family::binomial, 100, 30, 94);
    for (Index i = 0; i < data.n; ++i) data.at(i, 3) += 1e6;  // shifted, by fold
    CrossValidation plan;
    plan.folds = make_folds(100, 4);
    const auto count = [&](std::vector<Grid> grids) {
        plan.grids = std::move(grids);
        Counted counted(data);
        (void)api::cross_validate(counted.session, plan);
        const std::vector<double> shift(counted.design->shift().begin(),
                                        counted.design->shift().end());
        const Setting setting = Mixing{0.02, 0.5};
        const auto counts = counted.design->take();
        const Solution after = counted.session.solve({&setting, 1}).front();
        const Solution alone = fit(data.problem(), setting);
        EXPECT_LE(after.gap, 1e-10);
        EXPECT_NEAR(after.objective, alone.objective, 1e-10 * alone.objective);
        EXPECT_EQ(
            std::vector<double>(counted.design->shift().begin(), counted.design->shift().end()),
            shift);
        EXPECT_EQ(counted.design->take().moments, 0);
        return counts.moments;
    };
    const Grid grid{.alpha = 0.5, .count = 8};
    EXPECT_EQ(count({grid}), 1 + 4);
    EXPECT_EQ(count({grid, {.alpha = 0.2, .count = 8}, {.alpha = 1, .count = 8}}), 1 + 4);
}

}  // namespace
}  // namespace sven::test
