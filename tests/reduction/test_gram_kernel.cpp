// The kernel over the whole Gram matrix against plain loops: products of few features, which are
// made by themselves, of many, and of slots that came and went.

#include <numeric>

#include "linalg/dense.hpp"
#include "linalg/naive.hpp"
#include "reduction/gram_kernel.hpp"

namespace sven::test {
namespace {

constexpr Index n = 50;
constexpr Index p = 40;

class GramProducts : public testing::Test {
  protected:
    GramProducts() : all_(p) {
        std::iota(all_.begin(), all_.end(), Index{0});
        gram_.features = p;
        gram_.values->reserve(p * p);
        for (Index i = 0; i < p; ++i) {
            for (Index j = 0; j < p; ++j) (*gram_.values)[i * p + j] = entry(i, j);
            gram_.norms.push_back(std::sqrt(entry(i, i)));
            gram_.products.push_back(linalg::dot(n, X_.data() + i * n, y_.data()));
        }
        gram_.response_squares = linalg::dot(n, y_.data(), y_.data());
        kernel_ = std::make_unique<reduction::GramKernel>(gram_, linalg::Execution{});
    }

    double entry(Index i, Index j) const {
        return linalg::dot(n, X_.data() + i * n, X_.data() + j * n);
    }
    std::vector<double> beta_for(Index slots, unsigned seed) const {
        std::vector<double> beta = random_vector(slots, seed);
        beta[slots / 2] = 0;
        return beta;
    }
    double product(Index j, const std::vector<double>& beta) const {
        double value = gram_.products[j];
        for (Index slot = 0; slot < kernel_->slots(); ++slot)
            value -= entry(j, kernel_->feature(slot)) * beta[slot];
        return value;
    }
    void expect_products(std::span<const Index> features, const std::vector<double>& beta) {
        std::vector<double> out(features.size());
        kernel_->correlations(features, out.data());
        for (std::size_t k = 0; k < features.size(); ++k)
            EXPECT_NEAR(out[k], product(features[k], beta), 1e-11) << features[k];
    }
    void expect_slots(const std::vector<Index>& some, const std::vector<double>& beta) {
        std::vector<double> out(static_cast<std::size_t>(kernel_->slots()));
        kernel_->correlations_of_slots(some, out.data());
        for (const Index slot : some)
            EXPECT_NEAR(out[slot], product(kernel_->feature(slot), beta), 1e-11) << slot;
    }

    std::vector<double> X_ = random_vector(n * p, 7);
    std::vector<double> y_ = random_vector(n, 8);
    std::vector<Index> all_;
    problem::ScaledGram gram_;
    std::unique_ptr<reduction::GramKernel> kernel_;
};

// Coefficients change between the questions, so that none is answered by what another left.
TEST_F(GramProducts, OfFewAndOfAll) {
    for (const Index slots : {Index{30}, Index{12}}) {
        kernel_ = std::make_unique<reduction::GramKernel>(gram_, linalg::Execution{});
        kernel_->append(std::span(all_).subspan(3, slots));
        for (unsigned round = 0; round < 3; ++round) {
            const std::vector<double> beta = beta_for(slots, 10 + round);
            kernel_->set_coefficients(beta);
            expect_products(std::span(all_).first(2), beta);
            expect_slots({1, slots - 1}, beta);
            expect_products(all_, beta);
            const std::vector<double> other = beta_for(slots, 20 + round);
            kernel_->set_coefficients(other);
            expect_slots(std::vector<Index>(all_.begin(), all_.begin() + slots), other);
            expect_products(std::span(all_).first(2), other);
            std::vector<double> residual = y_;
            for (Index slot = 0; slot < slots; ++slot)
                linalg::axpy(n, -other[slot], X_.data() + kernel_->feature(slot) * n,
                             residual.data());
            EXPECT_NEAR(kernel_->residual_squares(),
                        linalg::dot(n, residual.data(), residual.data()), 1e-9);
        }
    }
}

// What waits is told before a sweep moves it on.
TEST_F(GramProducts, OfASweep) {
    kernel_->append(std::span(all_).first(20));
    std::vector<double> beta = beta_for(20, 30);
    kernel_->set_coefficients(beta);
    const std::vector<Index> swept{2, 5};
    kernel_->sweep(swept, 1, [&](Index c, double product) {
        EXPECT_NEAR(product, this->product(kernel_->feature(swept[c]), beta), 1e-11);
        beta[swept[c]] += 0.25;
        return 0.25;
    });
    expect_products(all_, beta);
}

TEST_F(GramProducts, OfSlotsThatComeAndGo) {
    const auto expect_gram = [&] {
        const Index m = kernel_->slots();
        const std::vector<double> x = random_vector(m, 40);
        std::vector<double> out(static_cast<std::size_t>(m));
        std::vector<double> column(static_cast<std::size_t>(m));
        kernel_->multiply_gram(x.data(), out.data());
        for (Index a = 0; a < m; ++a) {
            double expected = 0;
            kernel_->gram_entries(std::span(all_).first(m), a, column.data());
            for (Index b = 0; b < m; ++b) {
                const double value = entry(kernel_->feature(a), kernel_->feature(b));
                EXPECT_NEAR(kernel_->gram(a, b), value, 1e-12);
                EXPECT_NEAR(column[b], value, 1e-12);
                expected += value * x[b];
            }
            EXPECT_NEAR(out[a], expected, 1e-10) << a;
        }
    };
    kernel_->append(std::span(all_).subspan(20, 10));
    expect_gram();
    kernel_->append(std::span(all_).first(6));
    kernel_->keep(std::vector<Index>{1, 2, 8, 11, 12});  // before and after what was copied
    expect_gram();
    kernel_->append(std::span(all_).subspan(33));
    expect_gram();
    kernel_->keep(std::vector<Index>{0, 4, 5, 9});
    expect_gram();
}

}  // namespace
}  // namespace sven::test
