// Large supports solved by iteration: K x = b against K formed by plain loops, as the support and
// l2 change the way they do along a path.

#include <cmath>
#include <numeric>

#include "linalg/blas.hpp"
#include "linalg/naive.hpp"
#include "reduction/column_kernel.hpp"
#include "reduction/gram_kernel.hpp"
#include "reduction/support_solver.hpp"

namespace sven::test {
namespace {

enum class Kind { columns, gram, sparse };

// Every column has the slot of its own number; a tenth of the entries is not zero.
class Case {
  public:
    Case(Index rows, Index cols, Kind kind, int threads) : n(rows), p(cols) {
        Random random(81);
        X_.resize(static_cast<std::size_t>(n * p));
        for (double& x : X_) x = random.uniform() < 0.1 ? random.normal() : 0;
        for (Index j = 1; j < p; ++j)  // neighbours are correlated
            for (Index i = 0; i < n; i += 3) X_[j * n + i] += 0.5 * X_[(j - 1) * n + i];
        y_ = random_vector(n, 82);
        offsets_.push_back(0);
        for (Index j = 0; j < p; ++j) {
            for (Index i = 0; i < n; ++i) {
                if (X_[j * n + i] == 0) continue;
                indices_.push_back(static_cast<std::int32_t>(i));
                values_.push_back(X_[j * n + i]);
            }
            offsets_.push_back(static_cast<std::int32_t>(indices_.size()));
        }
        SparseView sparse;
        sparse.values = values_.data();
        sparse.indices = indices_.data();
        sparse.offsets = offsets_.data();
        sparse.rows = n;
        sparse.cols = p;
        design_ = linalg::make_design(
            kind == Kind::sparse ? MatrixView(sparse) : MatrixView(column_major(X_.data(), n, p)));
        const auto size = static_cast<std::size_t>(p);
        scaled_ = std::make_unique<linalg::ScaledDesign>(*design_, std::vector<double>(size, 0.0),
                                                         std::vector<double>(size, 1.0),
                                                         std::vector<double>());
        gram_.features = p;
        gram_.values->reserve(p * p);
        gram_.response_squares = 1;
        gram_.products.resize(size);
        gram_.norms.resize(size);
        for (Index i = 0; i < p; ++i)
            for (Index j = 0; j < p; ++j)
                (*gram_.values)[i * p + j] = linalg::dot(n, X_.data() + i * n, X_.data() + j * n);
        for (Index j = 0; j < p; ++j) gram_.norms[j] = std::sqrt((*gram_.values)[j * p + j]);
        const linalg::Execution execution{threads, nullptr};
        if (kind == Kind::gram)
            kernel = std::make_unique<reduction::GramKernel>(gram_, execution);
        else
            kernel = std::make_unique<reduction::ColumnKernel>(*scaled_, y_, gram_.products,
                                                               gram_.norms, execution);
        std::vector<Index> all(size);
        std::iota(all.begin(), all.end(), Index{0});
        kernel->append(all);
    }

    // The largest |b - Kx| over the support.
    double residual(const std::vector<char>& active, const std::vector<double>& ridge,
                    const std::vector<double>& b, const std::vector<double>& x) const {
        std::vector<Real> fitted(static_cast<std::size_t>(n));
        for (Index j = 0; j < p; ++j)
            for (Index i = 0; i < n; ++i) fitted[i] += static_cast<Real>(X_[j * n + i]) * x[j];
        Real largest = 0;
        for (Index j = 0; j < p; ++j) {
            if (!active[j]) {
                EXPECT_EQ(x[j], 0) << j;
                continue;
            }
            Real rest = static_cast<Real>(b[j]) - static_cast<Real>(ridge[j]) * x[j];
            for (Index i = 0; i < n; ++i) rest -= static_cast<Real>(X_[j * n + i]) * fitted[i];
            largest = std::max(largest, std::abs(rest));
        }
        return static_cast<double>(largest);
    }

    const Index n;
    const Index p;
    std::unique_ptr<reduction::Kernel> kernel;

  private:
    std::vector<double> X_, y_, values_;
    std::vector<std::int32_t> indices_, offsets_;
    std::unique_ptr<linalg::Design> design_;
    std::unique_ptr<linalg::ScaledDesign> scaled_;
    reduction::ScaledGram gram_;
};

// Twelve settings with three supports each: l2 falls from 4 by `fall`, and features leave with this
// probability, or come back.
struct Walk {
    unsigned seed;
    double fall;
    double leaves;
};

template <class Visit>
void walk(const Walk& how, Index features, const Visit& visit) {
    const auto size = static_cast<std::size_t>(features);
    std::vector<char> active(size, 1);
    std::vector<double> ridge(size);
    Random random(how.seed);
    double l2 = 4;
    for (int setting = 0; setting < 12; ++setting, l2 *= how.fall) {
        SCOPED_TRACE(setting);
        for (std::size_t j = 0; j < size; ++j) ridge[j] = l2 * (j % 3 == 0 ? 2 : 1);
        for (int step = 0; step < 3 && !testing::Test::HasFatalFailure(); ++step) {
            for (std::size_t j = 0; j < size; ++j)
                if (random.uniform() < (active[j] ? how.leaves : 0.3)) active[j] = active[j] == 0;
            visit(active, ridge, l2);
        }
    }
}

class Iterations : public testing::TestWithParam<Kind> {};

TEST_P(Iterations, FollowSupportAndRidge) {
    const linalg::SingleThreadedBlas blas;
    for (const int threads : {1, 3}) {
        SCOPED_TRACE(threads);
        Case data(500, 420, GetParam(), threads);
        reduction::SupportSolver solver({threads, nullptr});
        std::vector<double> x(static_cast<std::size_t>(data.p), 0.0);
        walk({83, 0.8, 0.04}, data.p, [&](const auto& active, const auto& ridge, double l2) {
            solver.update({*data.kernel, active, ridge, l2});
            ASSERT_TRUE(solver.is_iterative());
            const std::vector<double> b = random_vector(data.p, 84);
            std::fill(x.begin(), x.end(), 0.0);
            solver.solve(b.data(), x.data());
            EXPECT_LE(data.residual(active, ridge, b, x), 1e-11);
            // from a guess, no further than asked for
            x[0] = active[0] ? x[0] + 1 : 0;
            solver.improve(b.data(), x.data(), 1e-6, 0);
            EXPECT_LE(data.residual(active, ridge, b, x), 1.01e-6);
        });
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Iterations,
                         testing::Values(Kind::columns, Kind::gram, Kind::sparse),
                         [](const auto& tested) {
                             return std::string(tested.param == Kind::columns ? "columns"
                                                : tested.param == Kind::gram  ? "gram"
                                                                              : "sparse");
                         });

// More features than rows: by a factor of the order of the rows, as features come and go, and slots
// are renumbered.
class Rows : public testing::TestWithParam<Kind> {};

TEST_P(Rows, FollowSupportAndRidge) {
    const linalg::SingleThreadedBlas blas;
    for (const int threads : {1, 3}) {
        SCOPED_TRACE(threads);
        Case data(70, 400, GetParam(), threads);
        reduction::RowFactor factor({threads, nullptr});
        std::vector<double> x(static_cast<std::size_t>(data.p), 7.0);
        walk({88, 0.3, 0.2}, data.p, [&](const auto& active, const auto& ridge, double l2) {
            ASSERT_TRUE(factor.update(*data.kernel, active, ridge, l2));
            const std::vector<double> b = random_vector(data.p, 89);
            ASSERT_TRUE(factor.solve(b.data(), x.data()));
            double norm = 0;
            for (const double value : x) norm = std::max(norm, std::abs(value));
            EXPECT_LE(data.residual(active, ridge, b, x), 1e-11 + 1e-13 * norm);
            // asked again, nothing has changed
            ASSERT_TRUE(factor.update(*data.kernel, active, ridge, l2));
            std::vector<double> again(x.size(), 7.0);
            ASSERT_TRUE(factor.solve(b.data(), again.data()));
            EXPECT_EQ(x, again);
        });
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Rows, testing::Values(Kind::columns, Kind::sparse),
                         [](const auto& tested) {
                             return std::string(tested.param == Kind::columns ? "columns"
                                                                              : "sparse");
                         });

TEST(RowFactor, FollowsRenumberedSlots) {
    const linalg::SingleThreadedBlas blas;
    Case data(70, 400, Kind::columns, 1);
    reduction::RowFactor factor({1, nullptr});
    const std::vector<char> all(400, 1);
    const std::vector<double> ridge(400, 3.0);
    ASSERT_TRUE(factor.update(*data.kernel, all, ridge, 3));
    std::vector<Index> kept;
    std::vector<char> active(400, 0);
    for (Index j = 0; j < 400; ++j)
        if (j % 3 != 1) {
            kept.push_back(j);
            active[j] = 1;
        }
    data.kernel->keep(kept);
    const std::vector<char> every(kept.size(), 1);
    ASSERT_TRUE(factor.update(*data.kernel, every, {ridge.data(), kept.size()}, 3));
    const std::vector<double> b = random_vector(400, 90);
    std::vector<double> right;
    right.reserve(kept.size());
    for (const Index j : kept) right.push_back(b[j]);
    std::vector<double> solved(kept.size());
    ASSERT_TRUE(factor.solve(right.data(), solved.data()));
    std::vector<double> x(400, 0.0);
    for (std::size_t k = 0; k < kept.size(); ++k) x[kept[k]] = solved[k];
    EXPECT_LE(data.residual(active, ridge, b, x), 1e-11);
}

// The choice: a factor of the order of the features while they are few, of the rows when many.
TEST(SupportSolver, TurnsToTheRowsWhereFeaturesOutnumberThem) {
    const linalg::SingleThreadedBlas blas;
    Case data(70, 400, Kind::columns, 1);
    reduction::SupportSolver solver({1, nullptr});
    std::vector<char> active(400, 0);
    double l2 = 4;
    for (const std::size_t count : {60U, 120U, 200U, 400U}) {
        std::fill_n(active.begin(), count, char{1});
        l2 *= 0.9;
        const std::vector<double> ridge(400, l2);
        solver.update({*data.kernel, active, ridge, l2});
        std::vector<double> diagonal;
        EXPECT_EQ(solver.inverse_diagonal(diagonal), count <= 60) << count;
        EXPECT_FALSE(solver.is_iterative());
        const std::vector<double> b = random_vector(400, 91);
        std::vector<double> x(400, 0.0);
        solver.solve(b.data(), x.data());
        EXPECT_LE(data.residual(active, ridge, b, x), 1e-11);
    }
}

// More features than rows and hardly a ridge: single precision does not do, nor do iterations.
TEST(SupportSolver, TurnsToAFactorWhereIterationsFail) {
    const linalg::SingleThreadedBlas blas;
    Case data(280, 420, Kind::columns, 1);
    reduction::SupportSolver solver({1, nullptr});
    const auto size = static_cast<std::size_t>(data.p);
    const std::vector<char> active(size, 1);
    const double l2 = 1e-11;
    const std::vector<double> ridge(size, l2);
    solver.update({*data.kernel, active, ridge, l2});
    std::vector<double> b = random_vector(data.p, 85);
    std::vector<double> x(size, 0.0);
    solver.solve(b.data(), x.data());
    EXPECT_FALSE(solver.is_iterative());
    double norm = 0;
    for (const double value : x) norm = std::max(norm, std::abs(value));
    EXPECT_LE(data.residual(active, ridge, b, x), 1e-13 * 1e3 * norm);
}

// Bordered by what joined and projected onto what stayed, it is the inverse for the very support:
// but for single precision.
TEST(StaleFactor, FollowsTheSupportExactly) {
    const linalg::SingleThreadedBlas blas;
    Case data(500, 420, Kind::columns, 1);
    reduction::StaleFactor factor({1, nullptr});
    const auto size = static_cast<std::size_t>(data.p);
    std::vector<char> active(size, 1);
    const std::vector<double> ridge(size, 3.0);
    std::fill(active.begin() + 300, active.end(), char{0});
    ASSERT_TRUE(factor.update(*data.kernel, active, ridge, 3, 1));
    Random random(86);
    for (int step = 0; step < 4; ++step) {
        SCOPED_TRACE(step);
        for (std::size_t j = 0; j < size; ++j)
            if (random.uniform() < 0.04) active[j] = active[j] == 0;
        ASSERT_TRUE(factor.update(*data.kernel, active, ridge, 3, 1));
        std::vector<double> b = random_vector(data.p, 87);
        for (std::size_t j = 0; j < size; ++j)
            if (!active[j]) b[j] = 0;
        std::vector<double> x(size, 7.0);
        factor.apply(active, b.data(), x.data());
        EXPECT_LE(data.residual(active, ridge, b, x), 1e-3);
    }
}

// At one l2 a factor is appended to, however large it grows.
TEST(SupportSolver, KeepsTheFactorOfAnUnchangedRidge) {
    Case data(500, 420, Kind::columns, 1);
    reduction::SupportSolver solver({1, nullptr});
    const auto size = static_cast<std::size_t>(data.p);
    std::vector<char> active(size, 0);
    const std::vector<double> ridge(size, 3.0);
    for (const std::size_t count : {100U, 200U, 300U, 400U}) {
        std::fill_n(active.begin(), count, char{1});
        solver.update({*data.kernel, active, ridge, 3});
        EXPECT_FALSE(solver.is_iterative());
    }
}

}  // namespace
}  // namespace sven::test
