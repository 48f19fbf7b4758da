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

// Both products at once, with columns that are not by rows, and the same bits whoever shares them.
TEST_P(Selected, BothProductsEqualPlainLoops) {
    const std::vector<double> values = random_vector(static_cast<Index>(columns_.size()), 6);
    std::vector<Real> combined(static_cast<std::size_t>(n()));
    for (Index i = 0; i < n(); ++i)
        for (std::size_t c = 0; c < columns_.size(); ++c)
            combined[i] += entry(i, columns_[c]) * values[c];
    int tested = 0;
    designs_.each([&](const linalg::Design& X) {
        linalg::ScaledDesign scaled = scale(X);
        for (const std::size_t known : {columns_.size(), columns_.size() / 3}) {
            const auto selected = scaled.select(std::span(columns_).first(known));
            if (selected == nullptr) continue;
            ++tested;
            std::vector<double> alone(columns_.size(), 7.0);
            scaled.multiply_gram(*selected, columns_, values, {1, nullptr}, alone.data());
            Worst worst;
            for (std::size_t c = 0; c < columns_.size(); ++c) {
                Real sum = 0;
                Real magnitude = 0;
                for (Index i = 0; i < n(); ++i) {
                    sum += entry(i, columns_[c]) * combined[i];
                    magnitude += std::abs(entry(i, columns_[c])) *
                                 (std::abs(combined[i]) + std::sqrt(static_cast<Real>(p())));
                }
                worst.note(alone[c], sum, magnitude, static_cast<Index>(c));
            }
            expect_small(worst, 4 * sum_tolerance(n() + p()));
            std::vector<double> shared(columns_.size(), 7.0);
            scaled.multiply_gram(*selected, columns_, values, {3, nullptr}, shared.data());
            EXPECT_EQ(shared, alone);
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

// Rows in shares with sums of their own: the same bits from any number of threads.
TEST(SelectedRows, ShareTheRowsByTheEntriesAlone) {
    constexpr Index n = 2000;
    constexpr Index p = 300;
    Random random(32);
    const std::vector<double> entries = random_vector(n * p, 33);  // those above zero
    linalg::SelectedRows selected(n, p, [&](const auto& note) {
        for (Index i = 0; i < n; ++i)
            for (Index c = 0; c < p; ++c)
                if (entries[c * n + i] > 0 && i != 7) note(i, c, entries[c * n + i]);
    });
    const std::vector<double> values = random_vector(p, 34);
    const std::vector<double> terms = random_vector(n, 35);
    std::vector<double> weights(n);
    for (double& w : weights) w = random.uniform();
    std::vector<double> combined(n);
    selected.multiply(values, {}, combined.data());
    std::vector<double> q(n, 7.0);
    std::vector<double> out(p, 7.0);
    selected.multiply_twice(values, {terms, weights}, {1, nullptr}, q.data(), out.data());
    for (Index i = 0; i < n; ++i)
        EXPECT_NEAR(q[i], weights[i] * (terms[i] + combined[i]), 1e-13 * (1 + std::abs(q[i])));
    for (const int threads : {2, 5}) {
        std::vector<double> other(p, 7.0);
        selected.multiply_twice(values, {terms, weights}, {threads, nullptr}, q.data(),
                                other.data());
        EXPECT_EQ(other, out);
    }
    // by columns: the products of unit vectors with all of it
    for (const Index c : {Index{0}, p / 2, p - 1}) {
        double sum = 0;
        std::vector<double> column(n);
        std::vector<double> unit(p, 0.0);
        unit[c] = 1;
        selected.multiply(unit, {}, column.data());
        for (Index i = 0; i < n; ++i) sum += column[i] * q[i];
        EXPECT_NEAR(out[c], sum, 1e-11 * (1 + std::abs(sum)));
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Selected,
                         testing::Values(Shape{40, 3}, Shape{30, 290}, Shape{700, 61}), shape_name);

}  // namespace
}  // namespace sven::test
