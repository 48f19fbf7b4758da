// Columns of a sparse X kept by rows, against plain loops over the scaled columns.

#include <algorithm>
#include <numeric>

#include "linalg/naive.hpp"
#include "linalg/scaled_design.hpp"

namespace sven::test {
namespace {

// Weighted, centred and scaled columns of a design, and the same entry by entry.
class Selected : public testing::TestWithParam<Shape> {
  protected:
    static constexpr double density = 0.1;

    Selected() {
        for (Index i = 0; i < n(); ++i) root_weights_.push_back(0.5 + 0.1 * double(i % 7));
        for (Index j = 0; j < p(); ++j) {
            offset_.push_back(0.05 * double(j % 4));
            inverse_scale_.push_back(1 + 0.2 * double(j % 3));
        }
        for (Index j = 0; j < p(); j += 2) columns_.push_back(p() - 1 - j);
    }
    Index n() const { return GetParam().n; }
    Index p() const { return GetParam().p; }
    linalg::ScaledDesign scale(const linalg::Design& X) const {
        return {X, offset_, inverse_scale_, root_weights_};
    }
    Real entry(Index i, Index j) const {
        return (static_cast<Real>(X_[j * n() + i]) - offset_[j]) * inverse_scale_[j] *
               root_weights_[i];
    }

    // Products of the columns by a plain loop over term(row, a, b); those of a <= b < first were
    // there, as sevens, and are left alone.
    template <class Term>
    void expect_products(const std::vector<double>& G, Index first, const Term& term) const {
        const auto size = static_cast<Index>(columns_.size());
        Worst worst;
        for (Index a = 0; a < size; ++a)
            for (Index b = a; b < size; ++b) {
                Real sum = 0;
                Real magnitude = 0;
                for (Index i = 0; i < n(); ++i) {
                    const Real product = term(i, a, b);
                    sum += product;
                    magnitude += std::abs(product);
                }
                if (b < first)
                    EXPECT_EQ(G[a * size + b], 7.0);
                else
                    worst.note(G[a * size + b], sum, magnitude, a * size + b);
            }
        expect_small(worst, 8 * sum_tolerance(n()));
    }

    std::vector<double> X_ = sparse_matrix(n(), p());
    Designs designs_{n(), p(), X_};
    std::vector<double> offset_, inverse_scale_, root_weights_;
    std::vector<Index> columns_;  // every other, the last ones first

  private:
    static std::vector<double> sparse_matrix(Index n, Index p) {
        Random random(31);
        std::vector<double> X(static_cast<std::size_t>(n * p));
        for (double& x : X)
            if (random.uniform() < density)
                x = static_cast<double>(static_cast<float>(random.normal()));
        return X;
    }
};

TEST_P(Selected, CombinationsEqualPlainLoops) {
    const std::vector<double> values = random_vector(static_cast<Index>(columns_.size()), 5);
    int tested = 0;
    designs_.each([&](const linalg::Design& X) {
        linalg::ScaledDesign scaled = scale(X);
        // all of them by rows, and some
        for (const std::size_t known : {columns_.size(), columns_.size() / 3}) {
            const auto selected = scaled.select(std::span(columns_).first(known));
            if (selected == nullptr) continue;
            ++tested;
            for (const int threads : {1, 3}) {
                std::vector<double> out(static_cast<std::size_t>(n()), 7.0);
                scaled.multiply(*selected, columns_, values, {threads, nullptr}, out.data());
                Worst worst;
                for (Index i = 0; i < n(); ++i) {
                    Real sum = 0;
                    Real magnitude = 0;
                    for (std::size_t c = 0; c < columns_.size(); ++c) {
                        sum += entry(i, columns_[c]) * values[c];
                        magnitude += std::abs(entry(i, columns_[c]) * values[c]);
                    }
                    worst.note(out[i], sum, magnitude, i);
                }
                expect_small(worst, 2 * sum_tolerance(p()));
            }
        }
    });
    EXPECT_GT(tested, 0);
}

// To the bit, so that it does not matter which of the two was asked.
TEST_P(Selected, CorrelationsAreThoseOfTheDesign) {
    const std::vector<double> v = random_vector(n(), 6);
    int tested = 0;
    designs_.each([&](const linalg::Design& X) {
        const auto selected = X.select(columns_);
        if (selected == nullptr) return;
        ++tested;
        std::vector<double> expected(columns_.size());
        X.correlate_some(columns_, v, {}, expected.data());
        for (const int threads : {1, 3}) {
            std::vector<double> out(columns_.size(), 7.0);
            selected->correlate(v, {threads, nullptr}, out.data());
            EXPECT_EQ(out, expected);
        }
    });
    EXPECT_GT(tested, 0);
}

TEST_P(Selected, ProductsEqualPlainLoops) {
    const auto size = static_cast<Index>(columns_.size());
    designs_.each([&](const linalg::Design& X) {
        linalg::ScaledDesign scaled = scale(X);
        const auto selected = scaled.select(columns_);
        if (selected == nullptr) return;
        for (const Index first : {Index{0}, size / 3, size - 1})
            for (const int threads : {1, 3}) {
                std::vector<double> G(static_cast<std::size_t>(size * size), 7.0);
                ASSERT_TRUE(scaled.gram_of_selected(*selected, columns_, {{}, false, first},
                                                    {threads, nullptr}, G.data(), size));
                expect_products(G, first, [&](Index i, Index a, Index b) {
                    return entry(i, columns_[a]) * entry(i, columns_[b]);
                });
            }
    });
}

// As the quadratic model of another loss asks for them: by curvatures of its own, about the means
// by these.
TEST_P(Selected, ProductsByOtherWeightsAboutTheirMeans) {
    const auto size = static_cast<Index>(columns_.size());
    std::vector<double> k;
    for (Index i = 0; i < n(); ++i) k.push_back(0.01 + 0.2 * double(i % 5));
    const Real total = std::accumulate(k.begin(), k.end(), Real{0});
    std::vector<Real> means;
    for (const Index j : columns_) {
        Real sum = 0;
        for (Index i = 0; i < n(); ++i) sum += static_cast<Real>(k[i]) * X_[j * n() + i];
        means.push_back(sum / total);
    }
    const auto plain = [&](Index i, Index a) {
        const Index j = columns_[a];
        return (static_cast<Real>(X_[j * n() + i]) - means[a]) * inverse_scale_[j];
    };
    designs_.each([&](const linalg::Design& X) {
        linalg::ScaledDesign scaled = scale(X);
        const auto selected = scaled.select(columns_);
        if (selected == nullptr) return;
        std::vector<double> G(static_cast<std::size_t>(size * size), 7.0);
        ASSERT_TRUE(scaled.gram_of_selected(*selected, columns_, {k, true}, {}, G.data(), size));
        expect_products(
            G, 0, [&](Index i, Index a, Index b) { return k[i] * plain(i, a) * plain(i, b); });
    });
}

TEST_P(Selected, ProductsOfLargeMeansAreLeftToOthers) {
    offset_[columns_.back()] = 10;
    designs_.each([&](const linalg::Design& X) {
        linalg::ScaledDesign scaled = scale(X);
        const auto selected = scaled.select(columns_);
        if (selected == nullptr) return;
        double untouched = 7;
        EXPECT_FALSE(scaled.gram_of_selected(*selected, columns_, {}, {}, &untouched, 1));
        EXPECT_EQ(untouched, 7);
    });
}

TEST_P(Selected, AShiftedColumnIsNotSelected) {
    std::vector<double> shift(static_cast<std::size_t>(p()), 0.0);
    shift[columns_.front()] = 1;
    for (const auto& design : designs_.designs) {
        design->set_shift(shift);
        EXPECT_EQ(design->select(columns_), nullptr);
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Selected,
                         testing::Values(Shape{40, 3}, Shape{30, 290}, Shape{700, 61}), shape_name);

}  // namespace
}  // namespace sven::test
