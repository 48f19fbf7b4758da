// Coordinate sweeps by themselves: on problems so small that the driver would not choose them, over
// every kind of data that has them, they reach the gap that they claim.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numeric>

#include "reduction/column_kernel.hpp"
#include "reduction/gram_kernel.hpp"
#include "reduction/sweeps.hpp"
#include "support/matrix_kinds.hpp"
#include "support/problems.hpp"

namespace sven::test {
namespace {

// Columns centred and scaled by the design, or as they are; half of the entries are zero.
struct Swept {
    Swept(Index n, Index p, unsigned seed) : data(random_regression(n, p, seed)) {
        Random random(seed + 1);
        for (double& x : data.X)
            if (random.uniform() < 0.5) x = 0;
        const auto size = static_cast<std::size_t>(p);
        offset.assign(size, 0.0);
        inverse_scale.assign(size, 1.0);
        excluded.resize(size);
        factors.resize(size);
        for (double& f : factors) f = 0.5 + random.uniform();
        candidates.resize(size);
        std::iota(candidates.begin(), candidates.end(), Index{0});
    }

    void centre() {
        double total = 0;
        for (Index i = 0; i < data.n; ++i) {
            root_weights.push_back(0.5 + 0.1 * static_cast<double>(i % 7));
            total += root_weights[i] * root_weights[i];
        }
        double mean_y = 0;
        for (Index i = 0; i < data.n; ++i)
            mean_y += root_weights[i] * root_weights[i] * data.y[i] / total;
        for (Index i = 0; i < data.n; ++i) data.y[i] = root_weights[i] * (data.y[i] - mean_y);
        for (Index j = 0; j < data.p; ++j) {
            for (Index i = 0; i < data.n; ++i)
                offset[j] += root_weights[i] * root_weights[i] * data.at(i, j) / total;
            inverse_scale[j] = 0.5 + 0.2 * static_cast<double>(j % 3);
        }
    }

    // The columns that the solver sees, by plain loops, and what is made of them.
    void finish() {
        columns = data.X;
        for (Index j = 0; j < data.p; ++j)
            for (Index i = 0; i < data.n; ++i)
                columns[j * data.n + i] = (data.at(i, j) - offset[j]) * inverse_scale[j] *
                                          (root_weights.empty() ? 1 : root_weights[i]);
        gram.features = data.p;
        gram.values->reserve(data.p * data.p);
        for (Index j = 0; j < data.p; ++j) {
            gram.products.push_back(dot(column(j), data.y.data()));
            gram.norms.push_back(std::sqrt(dot(column(j), column(j))));
            for (Index k = 0; k < data.p; ++k)
                (*gram.values)[j * data.p + k] = dot(column(j), column(k));
        }
        gram.response_squares = dot(data.y.data(), data.y.data());
    }

    const double* column(Index j) const { return columns.data() + j * data.n; }
    double dot(const double* a, const double* b) const {
        return std::inner_product(a, a + data.n, b, 0.0);
    }
    double largest() const {
        double h = 0;
        for (Index j = 0; j < data.p; ++j) h = std::max(h, std::abs(gram.products[j]) / factors[j]);
        return h;
    }

    // The relative gap by the better of two dual points, from the coefficients alone.
    double gap(const std::vector<double>& b, double h, double l2, bool nonnegative) const {
        std::vector<double> r = data.y;
        for (Index j = 0; j < data.p; ++j)
            for (Index i = 0; i < data.n; ++i) r[i] -= column(j)[i] * b[j];
        const double rr = dot(r.data(), r.data());
        const double yr = dot(data.y.data(), r.data());
        double primal = rr;
        double quadratic = rr;
        double hinge = 0;
        double steepest = 0;
        for (Index j = 0; j < data.p; ++j) {
            const double f = factors[j];
            const double c = dot(column(j), r.data());
            const double g = c - l2 * f * b[j];
            primal += 2 * h * f * std::abs(b[j]) + l2 * f * b[j] * b[j];
            quadratic += l2 * f * b[j] * b[j];
            const double excess = (nonnegative ? c : std::abs(c)) - h * f;
            if (excess > 0 && l2 > 0) hinge += excess * excess / (l2 * f);
            steepest = std::max(steepest, (nonnegative ? g : std::abs(g)) / f);
        }
        const double kappa = steepest > h ? h / steepest : 1;
        double gap = primal - (2 * kappa * yr - kappa * kappa * quadratic);
        if (l2 > 0) gap = std::min(gap, primal - (2 * yr - rr - hinge));
        return gap / gram.response_squares;
    }

    Data data;
    std::vector<double> offset, inverse_scale, root_weights, factors, columns;
    std::vector<problem::Exclusion> excluded;
    std::vector<Index> candidates;
    problem::ScaledGram gram;
};

// Sweeps of steps that are too short, against the response and all that left it.
void expect_kept(const Swept& swept, const Kind& kind) {
    const StoredMatrix matrix(kind, swept.data.n, swept.data.p, swept.data.X);
    const auto design = linalg::make_design(matrix.view());
    linalg::ScaledDesign X(*design, swept.offset, swept.inverse_scale, swept.root_weights);
    std::vector<double> r = swept.data.y;
    std::vector<double> change(static_cast<std::size_t>(swept.data.p));
    ASSERT_TRUE(X.sweep(
        swept.candidates, 3,
        [&](Index c, double product) {
            EXPECT_NEAR(
                product,
                [&] {  // from the response and all that left it
                    std::vector<double> now = swept.data.y;
                    for (Index j = 0; j < swept.data.p; ++j)
                        for (Index i = 0; i < swept.data.n; ++i)
                            now[i] -= change[j] * swept.column(j)[i];
                    return swept.dot(swept.column(swept.candidates[c]), now.data());
                }(),
                1e-9 * swept.gram.norms[c] * std::sqrt(swept.gram.response_squares));
            const double t = 0.3 * product / (swept.gram.norms[c] * swept.gram.norms[c]);
            change[c] += t;
            return t;
        },
        r));
    for (Index j = 0; j < swept.data.p; ++j)
        for (Index i = 0; i < swept.data.n; ++i) r[i] += change[j] * swept.column(j)[i];
    for (Index i = 0; i < swept.data.n; ++i) EXPECT_NEAR(r[i], swept.data.y[i], 1e-10);
}

// A machine at a share of the largest multiplier that has begun, from nothing.
struct Begun {
    Begun(const Swept& swept, reduction::Kernel& kernel, const problem::Penalties& penalties,
          double l2, double goal, double share = 0.1)
        : machine(kernel, penalties, {}, goal), state(reduction::make_state(machine)) {
        machine.candidates = swept.candidates;
        machine.gap_goal = goal;
        machine.stops_short = true;
        reduction::load(machine, {}, state);
        set_share(swept, share, l2);
        sweeps.begin(machine, state);
    }

    void set_share(const Swept& swept, double share, double l2) {
        state.h = share * swept.largest();
        reduction::set_target(machine, problem::Target::penalty(state.h, l2), state);
    }

    // Begins again wherever exact steps would have taken over. Returns the looks that it took.
    int go_to_the_gap(int most) {
        int looks = 0;
        reduction::Verdict verdict = reduction::Verdict::changed;
        for (; looks < most && verdict != reduction::Verdict::near; ++looks) {
            if (verdict == reduction::Verdict::stuck) sweeps.begin(machine, state);
            verdict = sweeps.take(machine, state).verdict;
        }
        EXPECT_EQ(verdict, reduction::Verdict::near);
        return looks;
    }

    std::vector<double> coefficients() const {
        std::vector<double> b(static_cast<std::size_t>(machine.kernel.features()));
        for (Index slot = 0; slot < machine.kernel.slots(); ++slot)
            b[machine.kernel.feature(slot)] = state.beta[slot];
        return b;
    }

    reduction::Machine machine;
    reduction::State state;
    reduction::Sweeps sweeps{linalg::Execution{}};
};

// From nothing to the gap.
void expect_reached(const Swept& swept, reduction::Kernel& kernel, double l2, bool nonnegative) {
    const std::vector<double> lower(nonnegative ? swept.excluded.size() : 0, 0.0);
    const problem::Penalties penalties{swept.factors, swept.excluded, lower, {}};
    for (const double goal : {1e-1, 1e-3, 1e-8}) {
        SCOPED_TRACE(testing::Message() << "gap " << goal << " l2 " << l2);
        Begun begun(swept, kernel, penalties, l2, goal);
        begun.go_to_the_gap(20000);
        const reduction::State& state = begun.state;
        for (Index slot = 0; slot < kernel.slots(); ++slot) {
            EXPECT_EQ(state.active[slot] != 0, state.beta[slot] != 0);
            EXPECT_GE(state.sign[slot] * state.beta[slot], 0);
            EXPECT_TRUE(!nonnegative || state.beta[slot] >= 0);
        }
        EXPECT_LE(swept.gap(begun.coefficients(), state.h, l2, nonnegative), goal * (1 + 1e-6));
        EXPECT_GT(state.support_size(), 0);
    }
}

class SweepTest : public testing::TestWithParam<bool> {
  protected:
    Swept make(Index n, Index p) const {
        Swept swept(n, p, 31);
        if (GetParam()) swept.centre();
        swept.finish();
        return swept;
    }
};

TEST_P(SweepTest, ReachTheGapOverEveryKindOfColumns) {
    const Swept swept = make(60, 40);
    for (const Kind& kind : all_kinds()) {
        const bool has_loop = !kind.is_sparse || kind.by_columns;
        if (kind.scalar == Scalar::float32 || !has_loop) continue;
        SCOPED_TRACE(name(kind));
        const StoredMatrix matrix(kind, swept.data.n, swept.data.p, swept.data.X);
        const auto design = linalg::make_design(matrix.view());
        linalg::ScaledDesign X(*design, swept.offset, swept.inverse_scale, swept.root_weights);
        for (const double l2 : {0.0, 5.0})
            for (const bool nonnegative : {false, true}) {
                reduction::ColumnKernel kernel(X, swept.data.y, swept.gram.products,
                                               swept.gram.norms, {});
                expect_reached(swept, kernel, l2, nonnegative);
            }
    }
}

TEST_P(SweepTest, ReachTheGapOverTheGramMatrix) {
    const Swept swept = make(60, 40);
    for (const double l2 : {0.0, 5.0})
        for (const bool nonnegative : {false, true}) {
            reduction::GramKernel kernel(swept.gram, {});
            expect_reached(swept, kernel, l2, nonnegative);
        }
}

// The residual that the sweeps kept is that of the coefficients.
TEST_P(SweepTest, LeaveTheKernelAtTheCoefficients) {
    const Swept swept = make(30, 80);
    for (const bool by_columns : {true, false}) expect_kept(swept, {true, by_columns});
}

double objective(const Swept& swept, const std::vector<double>& b, double h, double l2) {
    std::vector<double> r = swept.data.y;
    double sum = 0;
    for (Index j = 0; j < swept.data.p; ++j) {
        for (Index i = 0; i < swept.data.n; ++i) r[i] -= swept.column(j)[i] * b[j];
        sum += swept.factors[j] * (h * std::abs(b[j]) + 0.5 * l2 * b[j] * b[j]);
    }
    return sum + 0.5 * swept.dot(r.data(), r.data());
}

// Zeros stay, nothing turns its sign or passes its limit, and the objective falls at every one.
TEST_P(SweepTest, GoDownhillOnTheirSupport) {
    const Swept swept = make(60, 40);
    std::vector<double> upper(swept.excluded.size(), 100.0);
    std::vector<double> lower(swept.excluded.size(), -100.0);
    for (std::size_t j = 0; j < upper.size(); j += 3) lower[j] = -(upper[j] = 0.1);
    const problem::Penalties penalties{swept.factors, swept.excluded, lower, upper};
    reduction::GramKernel kernel(swept.gram, {});
    Begun begun(swept, kernel, penalties, 0.01, 1e-8);
    begun.sweeps.take(begun.machine, begun.state);
    reduction::SweptSupport support({});
    support.begin();
    std::vector<double> products(static_cast<std::size_t>(kernel.slots()));
    Index iterations = 0;
    int turned = 0;
    for (int k = 0; k < 6; ++k) {
        SCOPED_TRACE(k);
        const std::vector<double> before = begun.coefficients();
        kernel.slot_correlations(products.data());
        iterations += support.descend(begun.machine, begun.state, products);
        const std::vector<double> after = begun.coefficients();
        for (Index j = 0; j < swept.data.p; ++j) {
            EXPECT_GE(before[j] * after[j], 0);
            EXPECT_LE(std::abs(after[j]), upper[j]);
            EXPECT_TRUE(before[j] != 0 || after[j] == 0);
            turned += before[j] != 0 && after[j] == 0;
        }
        EXPECT_LE(objective(swept, after, begun.state.h, 0.01),
                  objective(swept, before, begun.state.h, 0.01) * (1 + 1e-14));
        std::vector<double> r = swept.data.y;
        for (Index j = 0; j < swept.data.p; ++j)
            for (Index i = 0; i < swept.data.n; ++i) r[i] -= swept.column(j)[i] * after[j];
        kernel.slot_correlations(products.data());
        for (Index slot = 0; slot < kernel.slots(); ++slot)
            EXPECT_NEAR(products[slot], swept.dot(swept.column(kernel.feature(slot)), r.data()),
                        1e-9);
    }
    EXPECT_GT(iterations, 0);
    EXPECT_GT(turned, 0);
}

// Of columns that are nearly the same sweeps alone would take five times as many looks.
TEST_P(SweepTest, IterateWhereColumnsAreAlike) {
    Swept swept(60, 40, 31);
    for (Index j = 0; j < 40; ++j)
        for (Index i = 0; i < 60; ++i)
            swept.data.X[j * 60 + i] =
                0.1 * swept.data.X[j * 60 + i] + std::sin(0.3 * i + 0.02 * j);
    if (GetParam()) swept.centre();
    swept.finish();
    const problem::Penalties penalties{swept.factors, swept.excluded, {}, {}};
    reduction::GramKernel kernel(swept.gram, {});
    Begun begun(swept, kernel, penalties, 0.01, 1e-8);
    const int looks = begun.go_to_the_gap(2000);
    EXPECT_LE(swept.gap(begun.coefficients(), begun.state.h, 0.01, false), 1e-8 * (1 + 1e-6));
    RecordProperty("looks", looks);
    EXPECT_LT(looks, 60);
}

// A setting without any feature, as at the top of a path, costs nothing and says nothing about the
// next.
TEST_P(SweepTest, BeginAgainAfterASettingWithoutFeatures) {
    const Swept swept = make(60, 40);
    const problem::Penalties penalties{swept.factors, swept.excluded, {}, {}};
    reduction::GramKernel kernel(swept.gram, {});
    Begun begun(swept, kernel, penalties, 5, 1e-3, 2);
    EXPECT_TRUE(begun.sweeps.can_begin(begun.machine, begun.state));
    EXPECT_EQ(begun.go_to_the_gap(1), 1);
    EXPECT_EQ(kernel.slots(), 0);
    begun.set_share(swept, 0.5, 5);
    EXPECT_TRUE(begun.sweeps.can_begin(begun.machine, begun.state));
}

// Where a column is far from zero its zeros count: nothing is touched, and the driver goes on with
// exact steps.
TEST_P(SweepTest, AreDeclinedWhereColumnsAreShifted) {
    const Swept swept = make(30, 20);
    for (const bool by_columns : {true, false}) {
        const StoredMatrix matrix({true, by_columns}, swept.data.n, swept.data.p, swept.data.X);
        const auto design = linalg::make_design(matrix.view());
        design->set_shift(std::vector<double>(static_cast<std::size_t>(swept.data.p), 1.0));
        linalg::ScaledDesign X(*design, swept.offset, swept.inverse_scale, swept.root_weights);
        std::vector<double> r = swept.data.y;
        EXPECT_FALSE(X.sweep(
            swept.candidates, 1, [](Index, double) { return 1.0; }, r));
        EXPECT_EQ(r, swept.data.y);
    }
}

INSTANTIATE_TEST_SUITE_P(Columns, SweepTest, testing::Bool(), [](const auto& tested) {
    return std::string(tested.param ? "centred" : "plain");
});

}  // namespace
}  // namespace sven::test
