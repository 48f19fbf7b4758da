// Once it has been where it goes, the active set asks for no more memory: not in a Newton step, not
// in a descent, not when features enter and leave.

#include <gtest/gtest.h>

#include <numeric>

#include "reduction/active_set.hpp"
#include "reduction/column_kernel.hpp"
#include "reduction/gram_kernel.hpp"
#include "support/allocations.hpp"
#include "support/matrix_kinds.hpp"
#include "support/problems.hpp"

namespace sven::test {
namespace {

// Columns as they are; products, norms and the Gram matrix by plain loops.
struct Plain {
    explicit Plain(const Data& data) : excluded(static_cast<std::size_t>(data.p)) {
        gram.features = data.p;
        gram.values->reserve(data.p * data.p);
        const auto dot = [&](const double* a, const double* b) {
            return std::inner_product(a, a + data.n, b, 0.0);
        };
        for (Index j = 0; j < data.p; ++j) {
            const double* x = data.X.data() + j * data.n;
            gram.products.push_back(dot(x, data.y.data()));
            gram.norms.push_back(std::sqrt(dot(x, x)));
            for (Index k = 0; k < data.p; ++k)
                (*gram.values)[j * data.p + k] = dot(x, data.X.data() + k * data.n);
            largest = std::max(largest, std::abs(gram.products[j]));
            all.push_back(j);
        }
        gram.response_squares = dot(data.y.data(), data.y.data());
    }
    problem::ScaledGram gram;
    std::vector<problem::Exclusion> excluded;
    std::vector<Index> all;
    double largest = 0;  // h at which the first feature enters
};

// A path down and back up, with budgets and without a ridge.
std::vector<problem::Target> tour(double largest) {
    std::vector<problem::Target> targets;
    for (const double l2 : {3.0, 0.0})
        for (const double share : {0.5, 0.2, 0.05, 0.01, 0.3})
            targets.push_back(problem::Target::penalty(share * largest, l2));
    for (const double t : {0.5, 1.0, 2.0}) targets.push_back(problem::Target::budget(t, 3.0));
    return targets;
}

void expect_no_allocation(reduction::Kernel& kernel, const Plain& plain,
                          const linalg::Execution& execution) {
    const problem::Penalties penalties{{}, plain.excluded, {}, {}};
    reduction::ActiveSet active(kernel, penalties, execution, 1e-10);
    active.set_candidates(plain.all);
    const problem::Support nothing;
    const std::vector<problem::Target> targets = tour(plain.largest);
    Index iterations = 0;
    std::size_t most = 0;
    problem::Support support;
    const auto travel = [&] {
        active.load(nothing, problem::Target::penalty(plain.largest, 0), plain.largest);
        for (const problem::Target& target : targets) {
            iterations += active.run(target, {1000, plain.largest}).iterations;
            active.save(support);
            most = std::max(most, support.features.size());
        }
    };
    travel();
    travel();
    iterations = 0;
    EXPECT_EQ(allocations_during(travel), 0);
    EXPECT_GE(iterations, 30);
    EXPECT_GE(most, 20U);
}

class ReductionAllocation : public testing::TestWithParam<Index> {
  protected:
    Data data_ = random_regression(GetParam() == 0 ? 60 : 400, 100, 71);
};

TEST_P(ReductionAllocation, NoneOverTheColumns) {
    const Plain plain(data_);
    for (const Kind& kind : all_kinds()) {
        if (kind.scalar == Scalar::float32 || kind.index_width == IndexWidth::int64) continue;
        for (const int threads : {1, 2}) {
            SCOPED_TRACE(testing::Message() << name(kind) << " " << threads << " threads");
            const StoredMatrix matrix(kind, data_.n, data_.p, data_.X);
            const auto design = linalg::make_design(matrix.view());
            const auto p = static_cast<std::size_t>(data_.p);
            linalg::ScaledDesign X(*design, std::vector<double>(p, 0.0),
                                   std::vector<double>(p, 1.0), {});
            const linalg::Execution execution{threads, nullptr};
            reduction::ColumnKernel kernel(X, data_.y, plain.gram.products, plain.gram.norms,
                                           execution);
            expect_no_allocation(kernel, plain, execution);
        }
    }
}

TEST_P(ReductionAllocation, NoneOverTheGramMatrix) {
    const Plain plain(data_);
    for (const int threads : {1, 2}) {
        const linalg::Execution execution{threads, nullptr};
        reduction::GramKernel kernel(plain.gram, execution);
        expect_no_allocation(kernel, plain, execution);
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, ReductionAllocation, testing::Values(0, 1),
                         [](const auto& tested) {
                             return std::string(tested.param == 0 ? "wide" : "tall");
                         });

}  // namespace
}  // namespace sven::test
