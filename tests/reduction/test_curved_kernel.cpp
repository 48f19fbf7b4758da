// The kernel of a model of another loss: products by plain loops, at points that the curvatures
// were not made at, while features come and go.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "linalg/naive.hpp"
#include "reduction/curved_kernel.hpp"

namespace sven::test {
namespace {

constexpr Index rows = 40;
constexpr Index cols = 12;

class CurvedKernelOver : public testing::TestWithParam<bool> {
  protected:
    CurvedKernelOver() {
        Random random(7);
        for (double& x : X_) x = random.uniform() < 0.3 ? random.normal() : 0;
        offsets_.push_back(0);
        for (Index j = 0; j < cols; ++j) {
            for (Index i = 0; i < rows; ++i) {
                if (X_[j * rows + i] == 0) continue;
                indices_.push_back(static_cast<std::int32_t>(i));
                values_.push_back(X_[j * rows + i]);
            }
            offsets_.push_back(static_cast<std::int32_t>(indices_.size()));
        }
        SparseView sparse;
        sparse.values = values_.data();
        sparse.indices = indices_.data();
        sparse.offsets = offsets_.data();
        sparse.rows = rows;
        sparse.cols = cols;
        const bool is_sparse = GetParam();
        design_ = linalg::make_design(is_sparse ? MatrixView(sparse)
                                                : MatrixView(column_major(X_.data(), rows, cols)));
        scaled_ = std::make_unique<linalg::ScaledDesign>(*design_, std::vector<double>(cols, 0.0),
                                                         std::vector<double>(cols, 1.0),
                                                         std::vector<double>());
        kernel_ = std::make_unique<reduction::CurvedKernel>(
            *scaled_, reduction::CurvedKernel::Setup{norms_, {}, true}, linalg::Execution{});
    }

    std::vector<double> combine(const std::vector<double>& beta) const {
        std::vector<double> out(rows, 0.0);
        for (std::size_t slot = 0; slot < beta.size(); ++slot)
            for (Index i = 0; i < rows; ++i)
                out[i] += beta[slot] * X_[kernel_->feature(static_cast<Index>(slot)) * rows + i];
        return out;
    }
    // v = u - k o (X (c - b) + move), with the move of the intercept that makes its sum vanish.
    std::vector<double> vector_at(const std::vector<double>& c) const {
        std::vector<double> change(c.size());
        for (std::size_t slot = 0; slot < c.size(); ++slot) change[slot] = c[slot] - b_[slot];
        const std::vector<double> moved = combine(change);
        double total = 0, curvature = 0;
        for (Index i = 0; i < rows; ++i) {
            total += u_[i] - k_[i] * moved[i];
            curvature += k_[i];
        }
        std::vector<double> v(rows);
        for (Index i = 0; i < rows; ++i) v[i] = u_[i] - k_[i] * (moved[i] + total / curvature);
        return v;
    }
    double product(Index j, const std::vector<double>& v) const {
        return linalg::dot(rows, X_.data() + j * rows, v.data());
    }
    void set_point(unsigned seed) {
        b_ = random_vector(kernel_->slots(), seed);
        u_ = random_vector(rows, seed + 1);
        kernel_->set_point(b_, combine(b_), u_);
    }
    void expect_products(unsigned seed) {
        const std::vector<double> c = random_vector(kernel_->slots(), seed);
        kernel_->set_coefficients(c);
        const std::vector<double> v = vector_at(c);
        const std::vector<double> origin = vector_at(std::vector<double>(c.size(), 0.0));
        std::vector<double> products(c.size());
        kernel_->slot_correlations(products.data());
        for (Index slot = 0; slot < kernel_->slots(); ++slot) {
            const Index j = kernel_->feature(slot);
            EXPECT_NEAR(products[slot], product(j, v), 1e-12) << slot;
            EXPECT_NEAR(kernel_->response_product(j), product(j, origin), 1e-12) << slot;
        }
        const std::vector<Index> others{9, 10};
        std::vector<double> candidates(2);
        kernel_->correlations(others, candidates.data());
        for (std::size_t a = 0; a < 2; ++a)
            EXPECT_NEAR(candidates[a], product(others[a], v), 1e-12);
        const std::vector<double> fitted = combine(c);
        double move = 0, curvature = 0;
        for (Index i = 0; i < rows; ++i) {
            EXPECT_NEAR(kernel_->fitted()[i], fitted[i], 1e-13);
            move += u_[i] - k_[i] * (fitted[i] - combine(b_)[i]);
            curvature += k_[i];
        }
        EXPECT_NEAR(kernel_->intercept_move(), move / curvature, 1e-12);
    }

    std::vector<double> X_ = std::vector<double>(rows * cols),
                        norms_ = std::vector<double>(cols, 1.0);
    std::vector<double> values_;
    std::vector<std::int32_t> indices_, offsets_;
    std::unique_ptr<linalg::Design> design_;
    std::unique_ptr<linalg::ScaledDesign> scaled_;
    std::unique_ptr<reduction::CurvedKernel> kernel_;
    std::vector<double> k_, b_, u_;
};

TEST_P(CurvedKernelOver, ProductsFollowPointsAndSlots) {
    k_ = random_vector(rows, 3);
    for (double& k : k_) k = k * k;
    kernel_->set_curvatures(k_);
    kernel_->append(std::vector<Index>{3, 0, 7, 5});
    set_point(11);
    expect_products(21);  // by the columns
    kernel_->need_gram();
    expect_products(22);  // by the Gram matrix
    set_point(12);        // another point, the old curvatures
    expect_products(23);
    kernel_->append(std::vector<Index>{1});
    b_.push_back(0);
    expect_products(24);
    kernel_->need_gram();
    expect_products(25);
    kernel_->keep(std::vector<Index>{0, 2, 4});
    set_point(13);
    expect_products(26);
    k_[0] += 2;
    kernel_->set_curvatures(k_);
    set_point(14);
    expect_products(27);
    kernel_->need_gram();
    expect_products(28);
}

INSTANTIATE_TEST_SUITE_P(Storage, CurvedKernelOver, testing::Bool(),
                         [](const auto& tested) { return tested.param ? "sparse" : "dense"; });

}  // namespace
}  // namespace sven::test
