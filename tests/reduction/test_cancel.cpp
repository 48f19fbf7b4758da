// What takes long on a large support looks at the cancel token, each step by itself: with the token
// set before it begins, nothing is done.

#include <atomic>
#include <functional>
#include <numeric>

#include "linalg/dense.hpp"
#include "linalg/naive.hpp"
#include "reduction/column_kernel.hpp"
#include "reduction/gram_kernel.hpp"
#include "reduction/systems/appended_factor.hpp"
#include "reduction/systems/stale_factor.hpp"

namespace sven::test {
namespace {

using linalg::Cancelled;
using reduction::Kernel;

// Half of the features have slots.
class SupportCancel : public testing::TestWithParam<bool> {
  protected:
    static constexpr Index n = 60;
    static constexpr Index p = 40;

    SupportCancel() {
        for (Index i = 0; i < p; ++i) {
            for (Index j = 0; j < p; ++j)
                (*gram_.values)[i * p + j] = linalg::dot(n, X_.data() + i * n, X_.data() + j * n);
            gram_.norms.push_back(std::sqrt((*gram_.values)[i * p + i]));
        }
        if (GetParam())
            kernel_ = std::make_unique<reduction::GramKernel>(gram_, execution_);
        else
            kernel_ = std::make_unique<reduction::ColumnKernel>(scaled_, y_, gram_.products,
                                                                gram_.norms, execution_);
        kernel_->append(std::span(all_).first(p / 2));
        beta_.assign(p / 2, 1.0);
        active_.assign(p / 2, 1);
        ridge_.assign(p / 2, 0.5);
    }

    void expect_cancelled(const std::function<void()>& step) {
        cancel_ = true;
        EXPECT_THROW(step(), Cancelled);
        cancel_ = false;
    }

    std::atomic<bool> cancel_{false};
    const linalg::Execution execution_{1, &cancel_};
    std::vector<double> X_ = random_vector(n * p, 1);
    std::vector<double> y_ = random_vector(n, 2);
    std::unique_ptr<linalg::Design> design_ = linalg::make_design(column_major(X_.data(), n, p));
    linalg::ScaledDesign scaled_{
        *design_, std::vector<double>(p, 0.0), std::vector<double>(p, 1.0), {}};
    problem::ScaledGram gram_ = [] {
        problem::ScaledGram gram;
        gram.features = p;
        gram.values->reserve(p * p);
        gram.response_squares = 1;
        gram.products.resize(p);
        return gram;
    }();
    std::vector<Index> all_ = [] {
        std::vector<Index> all(p);
        std::iota(all.begin(), all.end(), Index{0});
        return all;
    }();
    std::unique_ptr<Kernel> kernel_;
    std::vector<double> beta_, ridge_;
    std::vector<char> active_;
};

TEST_P(SupportCancel, Kernel) {
    std::vector<double> out(p);
    expect_cancelled([&] {
        kernel_->set_coefficients(beta_);
        kernel_->slot_correlations(out.data());
    });
    kernel_->set_coefficients(beta_);
    expect_cancelled([&] { kernel_->multiply_gram(beta_.data(), out.data()); });
    if (!GetParam()) {
        expect_cancelled([&] { kernel_->slot_correlations(out.data()); });
        expect_cancelled([&] { kernel_->keep(std::vector<Index>{1, 3}); });
    }
    kernel_->append(std::span(all_).subspan(p / 2));
    if (GetParam())
        expect_cancelled([&] { kernel_->multiply_gram(beta_.data(), out.data()); });  // half anew
    else
        expect_cancelled([&] { kernel_->columns(); });
}

TEST_P(SupportCancel, Factor) {
    reduction::AppendedFactor factor(execution_);
    const auto update = [&] { factor.update({*kernel_, active_, ridge_, 0.5}); };
    expect_cancelled(update);  // all at once
    std::fill(active_.begin() + 10, active_.end(), char{0});
    update();
    EXPECT_EQ(factor.order().size(), 10U);
    std::vector<double> diagonal;
    expect_cancelled([&] { factor.inverse_diagonal(diagonal); });
    active_[3] = 0;
    expect_cancelled(update);  // one less
    active_[3] = active_[12] = 1;
    expect_cancelled(update);  // one more
}

TEST_P(SupportCancel, StaleFactor) {
    reduction::StaleFactor factor(execution_);
    const auto update = [&] { return factor.update({*kernel_, active_, ridge_, 0.5, 1}); };
    expect_cancelled(update);
    active_[12] = 0;
    EXPECT_TRUE(update());
    active_[12] = 1;
    expect_cancelled(update);  // one more
    EXPECT_TRUE(update());
    active_[3] = 0;
    expect_cancelled(update);  // one less
}

INSTANTIATE_TEST_SUITE_P(Kernels, SupportCancel, testing::Bool(), [](const auto& tested) {
    return std::string(tested.param ? "gram" : "columns");
});

}  // namespace
}  // namespace sven::test
