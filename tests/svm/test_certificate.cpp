// The gap that is reported is at least that of the numbers handed out.

#include <gtest/gtest.h>

#include "support/options.hpp"
#include "support/wide_machine.hpp"
#include "svm/certificate.hpp"

namespace sven::svm {
namespace {

using test::by;
using test::TwoClass;

class CertificateStorage : public testing::TestWithParam<test::Kind> {};

TEST_P(CertificateStorage, TheGapCoversThatOfTheNumbersHandedOut) {
    for (unsigned seed = 1; seed <= 30; ++seed) {
        TwoClass data = test::random_two_class(3 + seed % 40, 1 + seed % 7, seed);
        for (double& value : data.X) value = static_cast<float>(value);
        const test::StoredMatrix matrix = test::stored(data, GetParam());
        for (const double cost : {1e-4, 1.0, 1e3, 1e6}) {
            for (const Method method : {Method::primal, Method::dual}) {
                const Classifier result = train({matrix.view(), data.labels, {}, cost}, by(method));
                const test::Real gap = test::wide_gap(data, cost, result);
                EXPECT_GE(result.gap * test::wide_objective(data, cost, result.w), gap);
                EXPECT_EQ(result.status, Status::optimal);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Storage, CertificateStorage, testing::ValuesIn(test::all_kinds()),
                         test::kind_name);

// Equal terms round the same way at every addition: the error grows with their number, and not with
// its square root.
TEST(CarefulSums, CoverEqualTerms) {
    double plain = 0;
    CarefulSum sum;
    constexpr Index count = 1000000;
    sum.add_terms(count, [&](Index) {
        plain += 0.1;
        return 0.1;
    });
    const test::Real exact = static_cast<test::Real>(0.1) * count;
    const CarefulSums view{&sum.high, &sum.low, &sum.size};
    EXPECT_GT(std::abs(plain - exact), 1e3 * 0x1p-53 * exact);
    EXPECT_LE(std::abs(view.value(0) - exact), view.error(0, count, false));
    EXPECT_LE(view.error(0, count, false), 20 * 0x1p-53 * exact);
}

TEST(Certificate, GivesNothingAwayAtABadPoint) {
    const TwoClass data = test::random_two_class(20, 4, 1);
    const auto rows = make_rows(row_major(data.X.data(), 20, 4), data.labels, {1, nullptr});
    const std::vector<double> costs(20, 3.0);
    const std::vector<double> offsets(20, 1.0);
    const std::vector<double> centre(4, 0.0);
    for (const Products products : {Products::rounded, Products::whole}) {
        Certificate certificate({rows.get(), costs, offsets, centre}, products);
        const std::vector<double> w(4, 10.0);
        certificate.measure(w);
        const Gap gap = certificate.close(w, std::vector<double>(20, 0.0));
        EXPECT_EQ(gap.relative, 1);
        EXPECT_NEAR(gap.objective, test::objective(data, costs, w), 1e-12 * gap.objective);
        const std::vector<double> nowhere(4, std::nan(""));
        certificate.measure(nowhere);
        EXPECT_EQ(certificate.close(nowhere, costs).relative, 1) << "not a number";
    }
}

}  // namespace
}  // namespace sven::svm
