// Systems on the GPU against K formed by plain loops: as columns come, go and are renumbered, and
// under the solver that uses them for large supports.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/devices.hpp"
#include "reduction/support_case.hpp"
#include "reduction/systems/support_systems.hpp"
#include "support/options.hpp"
#include "support/solutions.hpp"
#include "sven/device.hpp"
#include "sven/error.hpp"
#include "sven/path.hpp"

namespace sven::test {
namespace {

constexpr double coarsest = 1e-11;

// Columns scaled by plain loops.
class Scaled {
  public:
    Scaled(Index rows, Index cols, bool has_weights) : n(rows), X(random_vector(rows * cols, 5)) {
        offset = random_vector(cols, 6);
        inverse_scale = random_vector(cols, 7);
        for (double& s : inverse_scale) s = 0.5 + std::abs(s);
        if (!has_weights) return;
        root_weights = random_vector(rows, 8);
        for (double& w : root_weights) w = std::abs(w);
    }
    double at(Index i, Index j) const {
        return (X[j * n + i] - offset[j]) * inverse_scale[j] *
               (root_weights.empty() ? 1 : root_weights[i]);
    }
    // The largest |b - Kx|, K over these columns.
    double residual(std::span<const Index> columns, std::span<const double> ridge,
                    std::span<const double> b, std::span<const double> x) const {
        std::vector<Real> fitted(static_cast<std::size_t>(n));
        for (std::size_t k = 0; k < columns.size(); ++k)
            for (Index i = 0; i < n; ++i) fitted[i] += static_cast<Real>(at(i, columns[k])) * x[k];
        double largest = 0;
        for (std::size_t k = 0; k < columns.size(); ++k) {
            Real rest = static_cast<Real>(b[k]) - static_cast<Real>(ridge[k]) * x[k];
            for (Index i = 0; i < n; ++i) rest -= static_cast<Real>(at(i, columns[k])) * fitted[i];
            largest = std::max(largest, static_cast<double>(std::abs(rest)));
        }
        return largest;
    }

    Index n;
    std::vector<double> X, offset, inverse_scale, root_weights;
};

// With the columns of all members, against plain loops.
void expect_products(const Scaled& data, std::span<const Index> members, linalg::Systems& systems) {
    ASSERT_TRUE(systems.has_columns());
    const std::vector<double> x = random_vector(systems.size(), 12);
    const std::vector<double> v = random_vector(data.n, 13);
    std::vector<double> combined(static_cast<std::size_t>(data.n));
    std::vector<double> products(x.size());
    systems.multiply(x, combined.data());
    systems.correlate(v, products.data());
    for (Index i = 0; i < data.n; ++i) {
        Real sum = 0;
        for (std::size_t k = 0; k < members.size(); ++k)
            sum += static_cast<Real>(data.at(i, members[k])) * x[k];
        EXPECT_NEAR(combined[i], static_cast<double>(sum), 1e-12);
    }
    for (std::size_t k = 0; k < members.size(); ++k) {
        Real sum = 0;
        for (Index i = 0; i < data.n; ++i) sum += static_cast<Real>(data.at(i, members[k])) * v[i];
        EXPECT_NEAR(products[k], static_cast<double>(sum), 1e-12);
    }
}

class OverColumns : public testing::TestWithParam<bool> {};

TEST_P(OverColumns, AreSolvedAsTheyComeAndGo) {
    constexpr Index n = 130;
    constexpr Index p = 160;
    const Scaled data(n, p, GetParam());
    for (const TestedDesign& tested : tested_designs(column_major(data.X.data(), n, p))) {
        SCOPED_TRACE(tested.name);
        const auto systems =
            tested.design->make_systems({data.offset, data.inverse_scale, data.root_weights});
        ASSERT_NE(systems, nullptr);
        Random random(9);
        std::vector<Index> members;  // columns, by member
        Index next = 0;
        for (const Index fresh : {1, 40, 2, 50, 17}) {
            SCOPED_TRACE(fresh);
            std::vector<Index> columns(static_cast<std::size_t>(fresh));
            std::iota(columns.begin(), columns.end(), next);
            next += fresh;
            ASSERT_TRUE(systems->append(columns));
            members.insert(members.end(), columns.begin(), columns.end());
            ASSERT_EQ(systems->size(), static_cast<Index>(members.size()));
            // some of them, in an order of their own
            std::vector<Index> chosen;
            std::vector<Index> chosen_columns;
            std::vector<double> ridge;
            for (Index k = systems->size() - 1; k >= 0; --k) {
                if (random.uniform() < 0.2 && k > 0) continue;
                chosen.push_back(k);
                chosen_columns.push_back(members[k]);
                ridge.push_back(0.1 + random.uniform());
            }
            for (const unsigned seed : {10U, 11U}) {  // one factor serves several solves
                const std::vector<double> b =
                    random_vector(static_cast<Index>(chosen.size()), seed);
                std::vector<double> x(b.size());
                if (seed == 10U)
                    ASSERT_TRUE(systems->factor({chosen, ridge}, coarsest, b, x.data()));
                else
                    systems->solve(b, x.data());
                EXPECT_LE(data.residual(chosen_columns, ridge, b, x), 1e-11);
            }
            expect_products(data, members, *systems);
            std::vector<Index> kept;
            std::vector<Index> left;
            for (Index k = 0; k < systems->size(); ++k)
                if (random.uniform() < 0.8) {
                    kept.push_back(k);
                    left.push_back(members[k]);
                }
            systems->keep(kept);
            ASSERT_EQ(systems->size(), static_cast<Index>(kept.size()));
            members = left;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Systems, OverColumns, testing::Values(false, true),
                         [](const auto& tested) {
                             return std::string(tested.param ? "weighted" : "plain");
                         });

// The second column twice: without a ridge there is no factor, and the next system is none the
// worse for it.
TEST(Systems, SayWhereAPivotIsTooSmall) {
    constexpr Index n = 50;
    Scaled data(n, 3, false);
    std::copy_n(data.X.data() + n, n, data.X.data() + 2 * n);
    data.offset[2] = data.offset[1];
    for (const TestedDesign& tested : tested_designs(column_major(data.X.data(), n, 3))) {
        SCOPED_TRACE(tested.name);
        const auto systems = tested.design->make_systems({data.offset, data.inverse_scale, {}});
        const std::vector<Index> all{0, 1, 2};
        ASSERT_TRUE(systems->append(all));
        const std::vector<double> b{1, 2, 3};
        std::vector<double> x(3);
        for (const std::vector<double>& none : {std::vector<double>{0, 0, 0}, {0, 0, 1e-12}})
            EXPECT_FALSE(systems->factor({all, none}, coarsest, b, x.data()));
        const std::vector<double> ridge{0, 0, 1};
        ASSERT_TRUE(systems->factor({all, ridge}, coarsest, b, x.data()));
        EXPECT_LE(data.residual(all, ridge, b, x), 1e-11);
    }
}

// A Gram matrix of that many columns, its upper triangle.
std::vector<double> gram_of(const Scaled& data, Index p) {
    std::vector<double> G(static_cast<std::size_t>(p * p), 0.0);
    for (Index j = 0; j < p; ++j)
        for (Index i = 0; i <= j; ++i) {
            Real sum = 0;
            for (Index r = 0; r < data.n; ++r)
                sum += static_cast<Real>(data.at(r, i)) * data.at(r, j);
            G[j * p + i] = static_cast<double>(sum);
        }
    return G;
}

// Factors are made of tiles of 64: orders around their multiples, and one of several.
TEST(Systems, OfEveryOrderAreSolvedTheSameWayTwice) {
    constexpr Index n = 90;
    constexpr Index p = 330;
    const Scaled data(n, p, false);
    const std::vector<double> G = gram_of(data, p);
    const auto designs = tested_designs(column_major(data.X.data(), n, p));
    const auto systems = designs.front().design->make_systems(p, G.data());
    ASSERT_NE(systems, nullptr);
    for (const Index m : {1, 2, 63, 64, 65, 127, 128, 129, 200, 256, 330, 70}) {
        SCOPED_TRACE(m);
        std::vector<Index> members(static_cast<std::size_t>(m));
        for (Index k = 0; k < m; ++k)
            members[k] = (7 * k + 3) % p;  // 7 and p have no common factor
        const std::vector<double> ridge(members.size(), 0.5);
        const std::vector<double> b = random_vector(m, 14);
        std::vector<double> x(b.size());
        ASSERT_TRUE(systems->factor({members, ridge}, coarsest, b, x.data()));
        EXPECT_LE(data.residual(members, ridge, b, x), 1e-11);
        std::vector<double> again(b.size());
        ASSERT_TRUE(systems->factor({members, ridge}, coarsest, {}, nullptr));
        systems->solve(b, again.data());
        EXPECT_EQ(x, again);
    }
}

// A column that stands twice, in another tile: without a ridge there is no factor.
TEST(Systems, SayWhereAPivotOfALaterTileIsTooSmall) {
    constexpr Index n = 400;
    constexpr Index p = 150;
    Scaled data(n, p, false);
    std::copy_n(data.X.data() + 5 * n, n, data.X.data() + 140 * n);
    data.offset[140] = data.offset[5];
    data.inverse_scale[140] = data.inverse_scale[5];
    const std::vector<double> G = gram_of(data, p);
    const auto designs = tested_designs(column_major(data.X.data(), n, p));
    const auto systems = designs.front().design->make_systems(p, G.data());
    std::vector<Index> members(p);
    std::iota(members.begin(), members.end(), Index{0});
    std::vector<double> ridge(members.size(), 0.0);
    const std::vector<double> b = random_vector(p, 15);
    std::vector<double> x(b.size());
    EXPECT_FALSE(systems->factor({members, ridge}, coarsest, b, x.data()));
    ridge[140] = 0.1;
    ASSERT_TRUE(systems->factor({members, ridge}, coarsest, b, x.data()));
    EXPECT_LE(data.residual(members, ridge, b, x), 1e-10);
}

// In the tile of the first pivot, in a later one, beside the diagonal and on it.
TEST(Systems, RefuseWhatIsNotANumber) {
    constexpr Index n = 200;
    constexpr Index p = 150;
    const Scaled data(n, p, false);
    const std::vector<double> G = gram_of(data, p);
    const auto designs = tested_designs(column_major(data.X.data(), n, p));
    std::vector<Index> members(p);
    std::iota(members.begin(), members.end(), Index{0});
    const std::vector<double> ridge(members.size(), 0.1);
    const std::vector<double> b = random_vector(p, 16);
    std::vector<double> x(b.size());
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity})
        for (const auto& [i, j] : {std::pair<Index, Index>{0, 0},
                                   {3, 5},
                                   {63, 63},
                                   {5, 70},
                                   {63, 149},
                                   {64, 127},
                                   {140, 140},
                                   {148, 149}}) {
            SCOPED_TRACE(testing::Message() << bad << " at " << i << ", " << j);
            std::vector<double> spoilt = G;
            spoilt[j * p + i] = bad;
            const auto systems = designs.front().design->make_systems(p, spoilt.data());
            EXPECT_FALSE(systems->factor({members, ridge}, coarsest, b, x.data()));
            // without it
            std::vector<Index> others;
            for (const Index k : members)
                if (k != i && k != j) others.push_back(k);
            const std::vector<double> shorter(ridge.begin(), ridge.begin() + others.size());
            const std::vector<double> right(b.begin(), b.begin() + others.size());
            ASSERT_TRUE(systems->factor({others, shorter}, coarsest, right, x.data()));
            EXPECT_LE(data.residual(others, shorter, right, {x.data(), others.size()}), 1e-11);
        }
}

// More rows than there is pinned memory for: the next system is none the worse for it.
TEST(Systems, OutliveAProductWithoutMemory) {
    constexpr Index n = 6'000'000;  // more than the blocks that designs leave behind
    const Scaled data(n, 2, false);
    const auto designs = tested_designs(column_major(data.X.data(), n, 2));
    const auto systems =
        designs.front().design->make_systems({data.offset, data.inverse_scale, {}});
    ASSERT_NE(systems, nullptr);
    const std::vector<Index> members{0, 1};
    ASSERT_TRUE(systems->append(members));
    const std::vector<double> ridge{1, 2};
    const std::vector<double> b{3, 4};
    std::vector<double> x(2);
    ASSERT_TRUE(systems->factor({members, ridge}, coarsest, b, x.data()));
    std::vector<double> out(static_cast<std::size_t>(n));
    rlimit usual{};
    getrlimit(RLIMIT_AS, &usual);
    rlimit none = usual;
    none.rlim_cur = 1;
    setrlimit(RLIMIT_AS, &none);
    EXPECT_THROW(systems->multiply(b, out.data()), DeviceError);
    setrlimit(RLIMIT_AS, &usual);
    std::vector<double> again(2);
    systems->solve(b, again.data());
    EXPECT_EQ(x, again);
    EXPECT_LE(data.residual(members, ridge, b, x), 1e-9);
    systems->multiply(b, out.data());
    EXPECT_NEAR(out[7], data.at(7, 0) * 3 + data.at(7, 1) * 4, 1e-12);
}

// The solver of supports, above the size from which it asks the device.
class LargeSupports : public testing::TestWithParam<KernelKind> {};

TEST_P(LargeSupports, AreSolvedOnTheDevice) {
    SupportCase data(1000, 1100, GetParam(), 2, Device::cuda);
    reduction::SupportSystems solver({2, nullptr});
    std::vector<double> x(static_cast<std::size_t>(data.p), 0.0);
    walk_supports({83, 0.7, 0.04}, data.p, [&](const auto& active, const auto& ridge, double l2) {
        solver.update({*data.kernel, active, ridge, l2});
        ASSERT_FALSE(solver.is_iterative());
        std::vector<double> diagonal;
        ASSERT_FALSE(solver.inverse_diagonal(diagonal));  // nor by a factor of the host's
        const std::vector<double> b = random_vector(data.p, 84);
        std::fill(x.begin(), x.end(), 0.0);
        solver.solve(b.data(), x.data());
        EXPECT_LE(data.residual(active, ridge, b, x), 1e-11);
        EXPECT_GT(solver.quadratic(x.data()), 0);
    });
}

INSTANTIATE_TEST_SUITE_P(Kernels, LargeSupports,
                         testing::Values(KernelKind::columns, KernelKind::gram, KernelKind::sparse),
                         name_of);

// Whole paths that end with more than a thousand features selected are the CPU's.
class LargePaths : public testing::TestWithParam<double> {};

TEST_P(LargePaths, AreTheCpus) {
    const Data data = random_regression(1500, 2400, 21);
    Problem problem = data.problem();
    std::vector<Setting> settings;
    settings.reserve(8);
    for (int k = 0; k < 8; ++k) settings.emplace_back(Mixing{0.5 * std::pow(0.4, k), GetParam()});
    for (const Method method : {Method::primal, Method::dual}) {
        Options options = by(method);
        const auto expected = solve_path(problem, settings, options);
        ASSERT_GT(expected.back().coefficients.size(), 1000U);
        options.device = Device::cuda;
        const auto solutions = solve_path(problem, settings, options);
        const auto again = solve_path(problem, settings, options);
        for (std::size_t k = 0; k < settings.size(); ++k) {
            SCOPED_TRACE(k);
            EXPECT_TRUE(std::equal(solutions[k].coefficients.begin(),
                                   solutions[k].coefficients.end(), again[k].coefficients.begin(),
                                   again[k].coefficients.end(),
                                   [](const Coefficient& a, const Coefficient& b) {
                                       return a.feature == b.feature && a.value == b.value;
                                   }));  // the same bits
            EXPECT_LE(solutions[k].gap, 1e-10);
            expect_same_coefficients(solutions[k], expected[k], 1e-9);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Alphas, LargePaths, testing::Values(0.5, 1.0), [](const auto& tested) {
    return std::string(tested.param == 1 ? "lasso" : "elastic_net");
});

}  // namespace
}  // namespace sven::test
