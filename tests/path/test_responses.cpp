// Several responses over one X: each solved as if it were alone.

#include <algorithm>

#include "support/certify.hpp"
#include "support/shapes.hpp"
#include "sven/error.hpp"
#include "sven/path.hpp"

namespace sven::test {
namespace {

// `count` responses of X: that of the data, zero as the last one, the others random mixtures of a
// few columns, of very different sizes and means.
std::vector<double> make_responses(const Data& data, Index count, unsigned seed) {
    std::vector<double> responses(data.y);
    Random random(seed);
    for (Index k = 1; k < count; ++k) {
        const Index a = random.index(data.p);
        const Index b = random.index(data.p);
        const double size = std::pow(10.0, static_cast<double>(k % 5) - 2);
        for (Index i = 0; i < data.n; ++i) {
            const double signal = data.at(i, a) - 2 * data.at(i, b) + 0.3 * random.normal();
            responses.push_back(k + 1 == count ? 0 : size * (signal + 5));
        }
    }
    return responses;
}

Data with_response(const Data& data, const std::vector<double>& responses, Index k) {
    Data one = data;
    one.y.assign(responses.begin() + k * data.n, responses.begin() + (k + 1) * data.n);
    return one;
}

class Responses : public ShapeAndMethod {
  protected:
    void check(const Data& data, const std::vector<Setting>& settings, Index count) const {
        const std::vector<double> responses = make_responses(data, count, 71);
        Problem problem = data.problem();
        problem.y = {};
        const auto paths = solve_paths(problem, responses, settings, options());
        ASSERT_EQ(static_cast<Index>(paths.size()), count);
        for (Index k = 0; k < count; ++k) {
            const Data one = with_response(data, responses, k);
            for (std::size_t s = 0; s < settings.size(); ++s) {
                SCOPED_TRACE(testing::Message() << "response " << k << " setting " << s);
                const Solution& solution = paths[k][s];
                certify(one, settings[s], solution);
                const Solution alone = fit(one.problem(), settings[s], options());
                EXPECT_EQ(solution.status, alone.status);
                EXPECT_EQ(solution.method, alone.method);
                const double scale = std::abs(alone.intercept) + alone.t + 1e-300;
                EXPECT_NEAR(solution.t, alone.t, 1e-8 * scale);
                EXPECT_NEAR(solution.intercept, alone.intercept, 1e-8 * scale);
                if (HasFailure()) return;
            }
        }
    }
};

TEST_P(Responses, EqualTheirOwnPaths) {
    const Data data = random_regression(shape().n, shape().p, 72);
    check(data, lambda_grid(data.problem(), {.alpha = 0.6, .count = 12}), 5);
}

TEST_P(Responses, OfEveryVariantEqualTheirFits) {
    for (int bits = 0; bits < 16; ++bits) {
        SCOPED_TRACE(testing::Message() << "bits " << bits);
        Data data = random_regression(shape().n, shape().p, 73);
        data.intercept = (bits & 1) == 0;
        data.nonnegative = (bits & 2) != 0;
        if (bits & 4) add_weights(data, 74);
        if (bits & 8) add_factors(data, 75);
        check(data, {Mixing{0.05, 0.5}}, 3);
    }
}

// glmnet's ridge term depends on the response, so that the order of the settings may too.
TEST_P(Responses, TakeFormsInAnyOrder) {
    const Data data = random_regression(shape().n, shape().p, 76);
    check(data,
          {Budget{0.5, 1}, Penalty{0.1, 2}, Mixing{0.01, 0.3}, Penalty{20, 0.5}, Budget{0, 1}}, 4);
    check(data,
          {Mixing{0.01, 0.1, Convention::glmnet}, Mixing{0.3, 0.9, Convention::glmnet},
           Mixing{0.02, 0.9, Convention::glmnet}},
          4);
}

// Columns far from zero are shifted: the products of every response know it.
TEST_P(Responses, OverColumnsFarFromZero) {
    Data data = random_regression(shape().n, shape().p, 77);
    for (Index j = 0; j < data.p; j += 2)
        for (Index i = 0; i < data.n; ++i) data.X[j * data.n + i] += 1e6;
    check(data, lambda_grid(data.problem(), {.alpha = 0.5, .count = 5}), 3);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Responses, by_both_methods({Shape{40, 150}, Shape{120, 25}}),
                         shape_and_method);

// More than are solved side by side.
TEST(ManyResponses, AreSolvedInGroups) {
    const Data data = random_regression(30, 12, 78);
    const std::vector<double> responses = make_responses(data, 150, 79);
    const std::vector<Setting> settings{Mixing{0.2, 0.7}, Mixing{0.02, 0.7}};
    Index done = 0;
    Options options;
    options.progress = [&](const Progress& progress) {
        EXPECT_EQ(progress.total, 300);
        EXPECT_GE(progress.done, done);
        done = progress.done;
    };
    options.threads = 1;
    const auto paths = solve_paths(data.problem(), responses, settings, options);
    EXPECT_EQ(done, 300);
    for (Index k = 0; k < 150; ++k) {
        SCOPED_TRACE(testing::Message() << "response " << k);
        for (std::size_t s = 0; s < 2; ++s)
            certify(with_response(data, responses, k), settings[s], paths[k][s]);
        if (HasFailure()) return;
    }
}

TEST(ManyResponses, CancelKeepsWhatIsFinished) {
    const Data data = random_regression(100, 1000, 80);
    const std::vector<double> responses = make_responses(data, 6, 81);
    const auto settings = lambda_grid(data.problem(), {.alpha = 0.5, .count = 20});
    CancelToken cancel{false};
    Options options = by(Method::primal);
    options.cancel = &cancel;
    options.progress = [&](const Progress& progress) { cancel = progress.done >= 12; };
    const auto paths = solve_paths(data.problem(), responses, settings, options);
    Index finished = 0;
    for (Index k = 0; k < 6; ++k)
        for (std::size_t s = 0; s < settings.size(); ++s) {
            if (paths[k][s].status == Status::cancelled) continue;
            ++finished;
            certify(with_response(data, responses, k), settings[s], paths[k][s]);
        }
    EXPECT_GE(finished, 12);
    EXPECT_LT(finished, 120);
}

TEST(ManyResponses, AreWholeColumnsOfNumbers) {
    const Data data = random_regression(10, 3, 82);
    const std::vector<Setting> settings{Mixing{0.1, 1}};
    std::vector<double> responses = make_responses(data, 2, 83);
    EXPECT_TRUE(solve_paths(data.problem(), {}, settings).empty());
    EXPECT_EQ(solve_paths(data.problem(), responses, {}).size(), 2U);
    responses[17] = std::nan("");
    EXPECT_THROW(static_cast<void>(solve_paths(data.problem(), responses, settings)),
                 InvalidArgument);
    responses.resize(15);
    EXPECT_THROW(static_cast<void>(solve_paths(data.problem(), responses, settings)),
                 InvalidArgument);
}

}  // namespace
}  // namespace sven::test
