#pragma once
// Supports that change the way they do along a path, with K formed by plain loops.

#include <cmath>
#include <memory>
#include <numeric>
#include <string>

#include "linalg/dense.hpp"
#include "linalg/devices.hpp"
#include "linalg/naive.hpp"
#include "reduction/column_kernel.hpp"
#include "reduction/gram_kernel.hpp"

namespace sven::test {

enum class KernelKind { columns, gram, sparse };

inline std::string name_of(const testing::TestParamInfo<KernelKind>& tested) {
    return tested.param == KernelKind::columns ? "columns"
           : tested.param == KernelKind::gram  ? "gram"
                                               : "sparse";
}

// Every column has the slot of its own number; a tenth of the entries is not zero.
class SupportCase {
  public:
    SupportCase(Index rows, Index cols, KernelKind kind, int threads, Device device = Device::cpu)
        : n(rows), p(cols) {
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
        design_ = linalg::make_design(kind == KernelKind::sparse
                                          ? MatrixView(sparse)
                                          : MatrixView(column_major(X_.data(), n, p)),
                                      device);
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
        if (kind == KernelKind::gram)
            kernel = std::make_unique<reduction::GramKernel>(gram_, execution, design_.get());
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
    problem::ScaledGram gram_;
};

// Twelve settings with three supports each: l2 falls from 4 by `fall`, and features leave with this
// probability, or come back.
struct SupportWalk {
    unsigned seed;
    double fall;
    double leaves;
};

template <class Visit>
void walk_supports(const SupportWalk& how, Index features, const Visit& visit) {
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

}  // namespace sven::test
