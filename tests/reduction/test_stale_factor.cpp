// A factor in single precision that is kept while the support and the ridge change.

#include "reduction/factor_slots.hpp"
#include "reduction/support_case.hpp"
#include "reduction/systems/support_systems.hpp"

namespace sven::test {
namespace {

// Bordered by what joined and projected onto what stayed, it is the inverse for the very support:
// but for single precision.
TEST(StaleFactor, FollowsTheSupportExactly) {
    SupportCase data(500, 420, KernelKind::columns, 1);
    reduction::StaleFactor factor({1, nullptr});
    const auto size = static_cast<std::size_t>(data.p);
    std::vector<char> active(size, 1);
    const std::vector<double> ridge(size, 3.0);
    std::fill(active.begin() + 300, active.end(), char{0});
    ASSERT_TRUE(factor.update({*data.kernel, active, ridge, 3, 1}));
    Random random(86);
    for (int step = 0; step < 4; ++step) {
        SCOPED_TRACE(step);
        for (std::size_t j = 0; j < size; ++j)
            if (random.uniform() < 0.04) active[j] = active[j] == 0;
        ASSERT_TRUE(factor.update({*data.kernel, active, ridge, 3, 1}));
        std::vector<double> b = random_vector(data.p, 87);
        for (std::size_t j = 0; j < size; ++j)
            if (!active[j]) b[j] = 0;
        std::vector<double> x(size, 7.0);
        factor.apply(active, b.data(), x.data());
        EXPECT_LE(data.residual(active, ridge, b, x), 1e-3);
    }
}

// Whether the kernel is over a Gram matrix.
class StaleFactorOfKernels : public testing::TestWithParam<bool> {};

// What is left for some slots, by a factor of another ridge, which others came to and left before.
TEST_P(StaleFactorOfKernels, EliminatesTheSupportForOthers) {
    Slots slots(90, 60, random_vector(90 * 60, 7), GetParam());
    const auto size = static_cast<std::size_t>(slots.p);
    const std::vector<double> ridge(size, 0.7);
    reduction::StaleFactor factor(linalg::Execution{});
    std::vector<char> active(size, 0);
    for (Index j = 0; j < slots.p; ++j) active[j] = j % 4 != 1;
    ASSERT_TRUE(factor.update({slots.kernel(), active, ridge, 0.7, 0.999}));
    for (Index j = 0; j < slots.p; j += 9) active[j] ^= 1;
    ASSERT_TRUE(factor.update({slots.kernel(), active, ridge, 0.7, 0.999}));
    std::vector<Index> others;
    for (Index j = 0; j < slots.p; ++j)
        if (j % 7 == 3 || j % 8 == 1) {
            others.push_back(j);
            active[j] = 0;
        }
    linalg::Buffer<double> rest;
    ASSERT_TRUE(factor.eliminate({slots.kernel(), active, ridge, 0.7, 0.999}, others, rest));
    expect_remainder(slots, ridge, active, others, rest, 2e-5);
    // and what is solved with it afterwards is without them
    const std::vector<double> b = random_vector(slots.p, 8);
    std::vector<double> masked = b;
    for (std::size_t j = 0; j < size; ++j) masked[j] *= active[j];
    std::vector<double> x(size, 7.0);
    factor.apply(active, masked.data(), x.data());
    const std::vector<Index> order = active_slots(active);
    const std::vector<Real> expected = solve_naively(slots, order, ridge, b);
    for (std::size_t k = 0; k < order.size(); ++k)
        EXPECT_NEAR(x[order[k]], static_cast<double>(expected[k]), 2e-4);
}

INSTANTIATE_TEST_SUITE_P(Kernels, StaleFactorOfKernels, testing::Bool(), [](const auto& tested) {
    return std::string(tested.param ? "gram" : "columns");
});

}  // namespace
}  // namespace sven::test
