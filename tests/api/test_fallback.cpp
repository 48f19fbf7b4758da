// A device that fails in the middle, here one that the host stands for: who left the device open
// gets the CPU's answer, whenever it happens; who insisted hears of it.

#include <gtest/gtest.h>

#include "api/validate.hpp"
#include "path/session.hpp"
#include "support/counting_design.hpp"
#include "support/options.hpp"
#include "support/problems.hpp"
#include "sven/error.hpp"

namespace sven::test {
namespace {

// Memory is left for so many products and passes.
class FailingDesign final : public CountingDesign {
  public:
    FailingDesign(const MatrixView& X, int left) : CountingDesign(X), left_(left) {}

    void correlate(const linalg::Panel& Q, const linalg::Execution& execution,
                   const TileConsumer& consume) const override {
        spend();
        CountingDesign::correlate(Q, execution, consume);
    }
    linalg::ColumnMoments moments(linalg::RowWeights weights, std::span<const double> v,
                                  const linalg::Execution& execution) const override {
        spend();
        return CountingDesign::moments(weights, v, execution);
    }

  private:
    void spend() const {
        if (left_-- == 0) throw DeviceError("the GPU has too little memory");
    }
    mutable int left_;
};

struct Attempt {
    std::vector<Solution> path;
    bool has_failed = false;
};

Attempt solve_with(int left, const Problem& problem, std::span<const Setting> settings,
                   Device device) {
    Attempt attempt;
    Options options = by(Method::primal);
    options.device = device;
    const auto solve = [&](const Options& chosen) {
        attempt.has_failed = chosen.device == Device::cpu;
        if (attempt.has_failed) return path::Session(problem, chosen).solve(settings);
        const auto design = std::make_shared<FailingDesign>(problem.X, left);
        return path::Session(problem, chosen, design).solve(settings);
    };
    attempt.path = api::with_fallback(problem, options, solve);
    return attempt;
}

TEST(Fallback, AnswersAreThoseOfTheCpuWheneverTheDeviceFails) {
    const Data data = random_regression(40, 300, 7);
    const auto settings = lambda_grid(data.problem(), {.alpha = 0.5, .count = 20});
    const std::vector<Solution> expected = solve_path(data.problem(), settings, by(Method::primal));
    int left = 0;
    for (;; ++left) {
        SCOPED_TRACE(left);
        const Attempt attempt = solve_with(left, data.problem(), settings, Device::automatic);
        if (!attempt.has_failed) break;
        EXPECT_THROW((void)solve_with(left, data.problem(), settings, Device::cuda), DeviceError);
        ASSERT_EQ(attempt.path.size(), expected.size());
        for (std::size_t k = 0; k < expected.size(); ++k) {
            EXPECT_EQ(attempt.path[k].device, Device::cpu);
            EXPECT_EQ(attempt.path[k].gap, expected[k].gap);
            ASSERT_EQ(attempt.path[k].coefficients.size(), expected[k].coefficients.size());
            for (std::size_t j = 0; j < expected[k].coefficients.size(); ++j)
                EXPECT_EQ(attempt.path[k].coefficients[j].value, expected[k].coefficients[j].value);
        }
    }
    EXPECT_GE(left, 4);  // at the start, and in the middle
}

}  // namespace
}  // namespace sven::test
