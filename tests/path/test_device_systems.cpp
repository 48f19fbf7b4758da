// Paths whose large supports a device solves, here one that the host stands for: the answers, and
// what is said of them, are those of the host's own factors.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "linalg/dense.hpp"
#include "path/session.hpp"
#include "reduction/column_kernel.hpp"
#include "reduction/systems/support_systems.hpp"
#include "support/host_systems.hpp"
#include "support/options.hpp"
#include "support/problems.hpp"
#include "support/shapes.hpp"
#include "support/solutions.hpp"

namespace sven::test {
namespace {

struct Solved {
    std::vector<Solution> path;
    SystemCounts counts;
};

Solved solve(const Data& data, Method method, std::span<const Setting> settings) {
    const auto design = std::make_shared<DesignWithSystems>(data.problem().X);
    path::Session session(data.problem(), by(method), design);
    std::vector<Solution> path = session.solve(settings);
    return {std::move(path), design->counts()};
}

void expect_same(const Solved& found, const std::vector<Solution>& expected) {
    for (std::size_t k = 0; k < expected.size(); ++k) {
        SCOPED_TRACE(k);
        EXPECT_EQ(found.path[k].status, expected[k].status);
        EXPECT_LE(found.path[k].gap, 1e-10);
        expect_same_coefficients(found.path[k], expected[k], 1e-9);
    }
}

TEST(DeviceSystems, SolveWithARidge) {
    const Data data = random_regression(700, 1200, 31);
    const auto settings = lambda_grid(data.problem(), {.alpha = 0.3, .count = 12});
    const Options options = by(Method::primal);
    const Solved found = solve(data, Method::primal, settings);
    expect_same(found, solve_path(data.problem(), settings, options));
    EXPECT_GE(found.path.back().coefficients.size(), 400U);
    EXPECT_GT(found.counts.factors, 5);
    EXPECT_EQ(found.counts.failures, 0);
    EXPECT_GT(found.counts.products, 10);  // with the columns in use
}

// A kernel over all columns as they are.
struct UnscaledKernel {
    UnscaledKernel(const DesignWithSystems& design, Data& data, Index p)
        : products(static_cast<std::size_t>(p), 1.0),
          X(design, std::vector<double>(static_cast<std::size_t>(p), 0.0), products, {}) {
        for (Index j = 0; j < p; ++j) {
            const double* column = &data.at(0, j);
            norms.push_back(std::sqrt(linalg::dot(X.rows(), column, column)));
        }
        std::vector<Index> all(products.size());
        std::iota(all.begin(), all.end(), Index{0});
        kernel = std::make_unique<reduction::ColumnKernel>(X, data.y, products, norms,
                                                           linalg::Execution{});
        kernel->append(all);
    }

    std::vector<double> products;  // unused, like the response
    std::vector<double> norms;
    linalg::ScaledDesign X;
    std::unique_ptr<reduction::ColumnKernel> kernel;
};

// A column that depends on others, without a ridge: whoever asked for the factor learns of it
// before a solve, although the device only says that a pivot is too small.
TEST(DeviceSystems, SayAtOnceWhatDependsOnOthers) {
    constexpr Index n = 1100;
    constexpr Index p = 1030;
    Data data = random_regression(n, p, 32);
    for (Index i = 0; i < n; ++i) data.at(i, p - 1) = data.at(i, 3) + data.at(i, 4);
    const DesignWithSystems design(data.problem().X);
    const UnscaledKernel columns(design, data, p);
    const std::vector<char> active(p, 1);
    reduction::SupportSystems systems({});
    for (const double l2 : {0.0, 0.5}) {
        const std::vector<double> ridge(p, l2);
        systems.update({*columns.kernel, active, ridge, l2});
        EXPECT_EQ(systems.refused().size(), l2 == 0 ? 1U : 0U);
        EXPECT_EQ(design.counts().failures, 1);
    }
    EXPECT_EQ(systems.kind(), reduction::SystemKind::device);
}

// A device that failed at a support without a ridge is asked again when it is twice as large: the
// feature that depended on others may be gone.
TEST(DeviceSystems, AreAskedAgainWhereTheyFailed) {
    constexpr Index n = 1100;
    constexpr Index p = 700;
    Data data = random_regression(n, p, 33);
    for (Index i = 0; i < n; ++i) data.at(i, 2) = data.at(i, 3) + data.at(i, 4);
    const DesignWithSystems design(data.problem().X);
    const UnscaledKernel columns(design, data, p);
    const std::vector<double> ridge(p, 0.0);
    reduction::SupportSystems systems({});
    const auto update = [&](Index begin, Index end) {
        std::vector<char> active(p, 0);
        std::fill(active.begin() + begin, active.begin() + end, 1);
        systems.update({*columns.kernel, active, ridge, 0.0});
        return std::pair{systems.kind() == reduction::SystemKind::device,
                         static_cast<Index>(design.counts().failures)};
    };
    EXPECT_EQ(update(0, 300), std::pair(false, Index{1}));
    EXPECT_EQ(update(3, 302), std::pair(false, Index{1}));  // not asked
    EXPECT_EQ(update(3, 602), std::pair(false, Index{1}));  // 599
    EXPECT_EQ(update(3, 603), std::pair(true, Index{1}));
    EXPECT_EQ(update(0, 603), std::pair(false, Index{2}));
    EXPECT_EQ(update(3, 700), std::pair(false, Index{2}));
}

}  // namespace
}  // namespace sven::test
