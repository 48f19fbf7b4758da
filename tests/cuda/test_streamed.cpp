// X that the memory of the GPU does not hold: the CPU's solutions, by pieces.

#include <gtest/gtest.h>

#include "cuda/runtime.hpp"
#include "linalg/devices.hpp"
#include "support/options.hpp"
#include "support/solutions.hpp"
#include "sven/device.hpp"
#include "sven/path.hpp"
#include "sven/random.hpp"

namespace sven::test {
namespace {

// Takes all of the GPU's memory but so much.
class Hog {
  public:
    explicit Hog(double left) {
        const double free = static_cast<double>(devices().front().free_memory);
        memory_.reserve(static_cast<std::size_t>(free - left));
    }

  private:
    cuda::DeviceMemory memory_{cuda::MemoryKind::matrix};
};

struct Large {
    Large(Index rows, Index cols) : n(rows), p(cols) {
        SplitMix64 random(3);
        X.resize(static_cast<std::size_t>(n * p));
        for (double& x : X) x = static_cast<double>(random.bits() >> 11U) * 0x1p-53 - 0.5;
        y.resize(static_cast<std::size_t>(n));
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < p; j += p / 10) y[i] += X[j * n + i];
    }
    Problem problem() const {
        Problem problem;
        problem.X = column_major(X.data(), n, p);
        problem.y = y;
        return problem;
    }
    Index n;
    Index p;
    std::vector<double> X;
    std::vector<double> y;
};

void expect_the_cpus_path(const Problem& problem) {
    const std::vector<Setting> grid =
        lambda_grid(problem, {.alpha = 0.5, .count = 10, .min_ratio = 0.1});
    const std::vector<Solution> expected = solve_path(problem, grid, on(Device::cpu));
    const Hog hog(900e6);
    EXPECT_FALSE(linalg::fits_device(problem.X));
    const std::vector<Solution> path = solve_path(problem, grid, on(Device::cuda));
    for (std::size_t k = 0; k < grid.size(); ++k) {
        EXPECT_EQ(path[k].device, Device::cuda);
        EXPECT_LE(path[k].gap, 1e-10);
        expect_same_coefficients(path[k], expected[k], 1e-9);
    }
}

TEST(Streamed, WidePathsAreTheCpus) {
    const Large data(1000, 120000);
    expect_the_cpus_path(data.problem());
}

TEST(Streamed, TallPathsAreTheCpus) {
    const Large data(1000000, 120);
    expect_the_cpus_path(data.problem());
}

// Where nobody insists, a wide X is read by the host, and a tall one sent.
TEST(Streamed, AutomaticSendsWhatPays) {
    const Large wide(1000, 120000);
    const Large tall(400000, 300);
    const Hog hog(900e6);
    const Setting setting = Mixing{0.1, 1};
    EXPECT_EQ(fit(wide.problem(), setting, on(Device::automatic)).device, Device::cpu);
    EXPECT_EQ(fit(tall.problem(), setting, on(Device::automatic)).device, Device::cuda);
}

}  // namespace
}  // namespace sven::test
