// Limits of the coefficients, and offsets, through the public interface: certified by plain loops.

#include "support/certify.hpp"
#include "support/shapes.hpp"
#include "sven/error.hpp"
#include "sven/session.hpp"

namespace sven::test {
namespace {

// Limits that bind: about the size of the coefficients, some infinite, some closed.
void add_limits(Data& data, unsigned seed) {
    Random random(seed);
    for (Index j = 0; j < data.p; ++j) {
        const auto limit = [&] {
            const double draw = random.uniform();
            return draw < 0.25 ? 0 : draw < 0.5 ? infinity : 0.3 * random.uniform();
        };
        data.lower.push_back(-limit());
        data.upper.push_back(limit());
    }
}

std::vector<Data> limited_variants(Shape shape, unsigned seed) {
    std::vector<Data> all;
    for (int bits = 0; bits < 16; ++bits) {
        Data data = random_regression(shape.n, shape.p, seed + bits);
        data.intercept = (bits & 1) == 0;
        data.standardize = (bits & 2) == 0;
        if (bits & 4) add_weights(data, seed + bits + 100);
        if (bits & 8) add_factors(data, seed + bits + 200);
        add_limits(data, seed + bits + 300);
        all.push_back(data);
    }
    return all;
}

Index count_held(const Data& data, const Solution& solution) {
    Index held = 0;
    for (const Coefficient& b : solution.coefficients)
        held += b.value == data.lower[b.feature] || b.value == data.upper[b.feature];
    return held;
}

class Limits : public ShapeAndMethod {};

TEST_P(Limits, PenaltyFormIsCertified) {
    unsigned variant = 0;
    Index held = 0;
    for (const Data& data : limited_variants(shape(), 10)) {
        const Problem problem = data.problem();
        const double largest = largest_lambda(problem);
        for (const double alpha : {1.0, 0.9, 0.3})
            for (const double ratio : {1.1, 0.7, 0.2, 0.02, 1e-4}) {
                SCOPED_TRACE(testing::Message()
                             << "variant " << variant << " alpha " << alpha << " ratio " << ratio);
                const Setting setting = Mixing{largest * ratio / alpha, alpha};
                const Solution solution = fit(problem, setting, options());
                certify(data, setting, solution);
                held += count_held(data, solution);
                if (HasFailure()) return;
            }
        ++variant;
    }
    EXPECT_GT(held, 0);
}

TEST_P(Limits, BudgetFormIsCertifiedAndMeetsThePenaltyForm) {
    unsigned variant = 0;
    for (const Data& data : limited_variants(shape(), 50)) {
        const Problem problem = data.problem();
        const double largest = largest_lambda(problem);
        const double total = static_cast<double>(standardize(data).total);
        for (const double l2 : {0.0, 0.1 * total, 10 * total})
            for (const double ratio : {0.9, 0.3, 0.03}) {
                SCOPED_TRACE(testing::Message()
                             << "variant " << variant << " l2 " << l2 << " ratio " << ratio);
                const Solution penalty = fit(problem, Penalty{2 * total * largest * ratio, l2});
                const Setting setting = Budget{penalty.t, l2};
                const Solution budget = fit(problem, setting, options());
                certify(data, setting, budget);
                if (HasFailure()) return;
            }
        ++variant;
    }
}

TEST_P(Limits, PathsAreCertified) {
    unsigned variant = 0;
    for (const Data& data : limited_variants(shape(), 90)) {
        const Problem problem = data.problem();
        for (const double alpha : {1.0, 0.5}) {
            const auto settings = lambda_grid(problem, {.alpha = alpha, .count = 25});
            const auto path = solve_path(problem, settings, options());
            for (std::size_t k = 0; k < path.size(); ++k) {
                SCOPED_TRACE(testing::Message()
                             << "variant " << variant << " alpha " << alpha << " setting " << k);
                certify(data, settings[k], path[k]);
                if (HasFailure()) return;
            }
        }
        ++variant;
    }
}

TEST_P(Limits, NoPenaltyIsCertified) {
    for (const Data& data : limited_variants(shape(), 130))
        for (const double l2 : {0.0, 2.0}) {
            const Solution solution = fit(data.problem(), Penalty{0, l2}, options());
            if (l2 > 0) certify(data, Penalty{0, l2}, solution);
            EXPECT_LE(solution.gap, 1e-10);
            if (HasFailure()) return;
        }
}

TEST_P(Limits, ThatAreFarAwayChangeNothing) {
    Data data = random_regression(shape().n, shape().p, 3);
    const double lambda = 0.1 * largest_lambda(data);
    const Solution plain = fit(data.problem(), Mixing{lambda, 0.9}, options());
    data.lower.assign(static_cast<std::size_t>(data.p), -1e6);
    data.upper.assign(static_cast<std::size_t>(data.p), 1e6);
    const Solution limited = fit(data.problem(), Mixing{lambda, 0.9}, options());
    certify(data, Mixing{lambda, 0.9}, limited);
    ASSERT_EQ(limited.coefficients.size(), plain.coefficients.size());
    for (std::size_t k = 0; k < plain.coefficients.size(); ++k)
        EXPECT_NEAR(limited.coefficients[k].value, plain.coefficients[k].value, 1e-9);
    data.lower.assign(static_cast<std::size_t>(data.p), -infinity);
    data.upper.assign(static_cast<std::size_t>(data.p), infinity);
    const Solution open = fit(data.problem(), Mixing{lambda, 0.9}, options());
    certify(data, Mixing{lambda, 0.9}, open);
}

TEST_P(Limits, LowerLimitsOfZeroAreNonNegativity) {
    Data data = random_regression(shape().n, shape().p, 5);
    data.nonnegative = true;
    const double lambda = 0.05 * largest_lambda(data);
    const Solution expected = fit(data.problem(), Mixing{lambda, 1}, options());
    data.nonnegative = false;
    data.lower.assign(static_cast<std::size_t>(data.p), 0.0);
    EXPECT_EQ(largest_lambda(data), lambda / 0.05);
    const Solution solution = fit(data.problem(), Mixing{lambda, 1}, options());
    EXPECT_EQ(solution.gap, expected.gap);
    ASSERT_EQ(solution.coefficients.size(), expected.coefficients.size());
    for (std::size_t k = 0; k < expected.coefficients.size(); ++k)
        EXPECT_EQ(solution.coefficients[k].value, expected.coefficients[k].value);
}

// Copies share what one of them may not have alone.
TEST_P(Limits, OfDependentColumnsAreKept) {
    Data data = random_regression(shape().n, shape().p, 8);
    for (Index j = 0; j + 1 < data.p; j += 2)
        for (Index i = 0; i < data.n; ++i)
            data.at(i, j + 1) = (j % 4 == 0 ? 1 : -1) * data.at(i, j);
    add_limits(data, 9);
    const double largest = largest_lambda(data);
    for (const double ratio : {0.5, 0.1, 1e-2, 1e-3}) {
        SCOPED_TRACE(ratio);
        const Setting setting = Mixing{largest * ratio, 1};
        const Solution solution = fit(data.problem(), setting, options());
        certify(data, setting, solution);
        const Setting budget = Budget{solution.t, 0};
        certify(data, budget, fit(data.problem(), budget, options()));
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Limits, by_both_methods({{40, 8}, {25, 60}, {12, 12}, {100, 30}}),
                         shape_and_method);

TEST(LimitsOfZero, FixACoefficient) {
    Data data = random_regression(50, 6, 11);
    data.lower = {-infinity, 0, -1, -infinity, 0, -infinity};
    data.upper = {infinity, 0, 1, infinity, 0, infinity};
    const Solution solution = fit(data.problem(), Mixing{1e-3, 1});
    for (const Coefficient& b : solution.coefficients)
        EXPECT_TRUE(b.feature != 1 && b.feature != 4);
    EXPECT_GE(solution.certificate.proven_zero, 2);
}

TEST(HeldCoefficients, AreProvenSelected) {
    Data data = random_regression(60, 5, 12);
    data.upper.assign(5, 0.05);
    data.lower.assign(5, -0.05);
    for (const double alpha : {1.0, 0.5}) {
        const Setting setting = Mixing{1e-3, alpha};
        const Solution solution = fit(data.problem(), setting);
        certify(data, setting, solution);
        ASSERT_GT(count_held(data, solution), 0);
        EXPECT_EQ(solution.certificate.undecided, 0);
        EXPECT_EQ(solution.certificate.proven_selected,
                  static_cast<Index>(solution.coefficients.size()));
    }
}

void expect_refused(const Data& data, const std::string& part) {
    try {
        (void)fit(data.problem(), Mixing{0.1, 1});
        ADD_FAILURE() << "not refused: " << part;
    } catch (const InvalidArgument& error) {
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
}

TEST(LimitsAndOffsets, ThatMakeNoSenseAreRefused) {
    const Data plain = random_regression(20, 3, 13);
    Data data = plain;
    data.lower = {0, 0.5, 0};
    expect_refused(data, "lower limit of feature 1 is 0.5; it must not be above zero");
    data.lower = {0, 0, std::nan("")};
    expect_refused(data, "lower limit of feature 2 is not a number");
    data.lower = {0, 0};
    expect_refused(data, "the vector of lower limits has 2 entries, X has 3 columns");
    data = plain;
    data.upper = {-1, 0, 0};
    expect_refused(data, "upper limit of feature 0 is -1; it must not be below zero");
    data = plain;
    data.offset.assign(19, 0.0);
    expect_refused(data, "the offset has 19 entries, X has 20 rows");
    data.offset.assign(20, infinity);
    expect_refused(data, "y minus the offset");
}

TEST(Offsets, AreTakenOffTheResponse) {
    Data data = random_regression(60, 10, 14);
    data.offset = random_vector(60, 15);
    const Setting setting = Mixing{0.05, 0.9};
    const Solution solution = fit(data.problem(), setting);
    certify(data, setting, solution);
    Data shifted = data;
    shifted.offset.clear();
    for (std::size_t i = 0; i < shifted.y.size(); ++i) shifted.y[i] -= data.offset[i];
    const Solution expected = fit(shifted.problem(), setting);
    EXPECT_EQ(solution.intercept, expected.intercept);
    ASSERT_EQ(solution.coefficients.size(), expected.coefficients.size());
    Session session(data.problem());
    EXPECT_EQ(session.fit(setting).intercept, expected.intercept);
    const auto paths = solve_paths(data.problem(), data.y, {&setting, 1});
    EXPECT_EQ(paths[0][0].intercept, expected.intercept);
    EXPECT_EQ(largest_lambda(data), largest_lambda(shifted));
    CrossValidation plan;
    plan.folds = make_folds(60, 5);
    EXPECT_EQ(cross_validate(data.problem(), plan).curves[0].mean,
              cross_validate(shifted.problem(), plan).curves[0].mean);
}

TEST(LimitedSessions, FollowWeightsAndResponses) {
    Data data = random_regression(50, 20, 16);
    add_limits(data, 17);
    Session session(data.problem());
    const Setting setting = Mixing{0.02, 0.9};
    certify(data, setting, session.fit(setting));
    add_weights(data, 18);
    session.set_weights(data.weights);
    certify(data, setting, session.fit(setting));
    data.y = random_regression(50, 20, 19).y;
    session.set_response(data.y);
    certify(data, setting, session.fit(setting));
}

}  // namespace
}  // namespace sven::test
