// Every verb that multiplies with X, in every kind of storage, against plain loops.

#include <algorithm>
#include <numeric>

#include "linalg/naive.hpp"
#include "linalg/tuning.hpp"

namespace sven::test {
namespace {

class Products : public testing::TestWithParam<Shape> {
  protected:
    Index n() const { return GetParam().n; }
    Index p() const { return GetParam().p; }
    std::vector<double> X_ = mixed_matrix(n(), p(), 1);
    Designs designs_{n(), p(), X_};

    Real entry(Index i, Index j, const std::vector<double>& shift) const {
        return static_cast<Real>(X_[j * n() + i]) - (shift.empty() ? 0 : shift[j]);
    }
    // Both without a shift and with one.
    std::vector<std::vector<double>> shifts() const { return {{}, random_shift(p(), 2)}; }
    void set_shift(const std::vector<double>& shift) const {
        for (const auto& design : designs_.designs) design->set_shift(shift);
    }
};

constexpr Index most_lanes = 24;

// (X - shift)'Q for the largest number of lanes: entry (j, k) at j * most_lanes + k.
struct NaiveProducts {
    std::vector<Real> value, magnitude;
};

// Checks that each column comes exactly once.
void check_correlate(const linalg::Design& X, const linalg::Panel& Q, const NaiveProducts& naive,
                     const linalg::Execution& execution) {
    std::vector<int> visits(static_cast<std::size_t>(X.cols()));
    std::vector<double> products(static_cast<std::size_t>(X.cols() * Q.lanes()));
    X.correlate(Q, execution, [&](Index begin, Index count, double* tile) {
        for (Index c = 0; c < count; ++c) {
            ++visits[begin + c];
            std::copy_n(tile + c * Q.stride(), Q.lanes(),
                        products.data() + (begin + c) * Q.lanes());
        }
    });
    EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), X.cols());
    Worst worst;
    for (Index j = 0; j < X.cols(); ++j)
        for (Index k = 0; k < Q.lanes(); ++k) {
            const Index at = j * most_lanes + k;
            worst.note(products[j * Q.lanes() + k], naive.value[at], naive.magnitude[at], at);
        }
    expect_small(worst, sum_tolerance(X.rows()));
}

TEST_P(Products, CorrelateEqualsPlainLoops) {
    std::vector<std::vector<double>> lanes;
    for (unsigned k = 0; k < most_lanes; ++k) lanes.push_back(random_vector(n(), 10 + k));
    for (const auto& shift : shifts()) {
        SCOPED_TRACE(shift.empty() ? "no shift" : "shift");
        NaiveProducts naive;
        for (Index j = 0; j < p(); ++j)
            for (Index k = 0; k < most_lanes; ++k) {
                Real sum = 0;
                Real magnitude = 0;
                for (Index i = 0; i < n(); ++i) {
                    const Real term = entry(i, j, shift) * lanes[k][i];
                    sum += term;
                    magnitude += std::abs(term);
                }
                naive.value.push_back(sum);
                naive.magnitude.push_back(magnitude);
            }
        set_shift(shift);
        for (const Index count : {1, 7, 8, 9, 24})
            for (const int threads : {1, 3}) {
                SCOPED_TRACE(testing::Message() << count << " lanes, " << threads << " threads");
                linalg::Panel Q;
                Q.resize(n(), count);
                for (Index k = 0; k < count; ++k) Q.set_lane(k, lanes[k]);
                designs_.each([&](const linalg::Design& X) {
                    check_correlate(X, Q, naive, {threads, nullptr});
                });
            }
    }
}

// Columns in an order of their own, not all of them.
std::vector<Index> some_columns(Index p) {
    std::vector<Index> columns;
    for (Index c = 0; c < (p + 1) / 2; ++c) columns.push_back(p - 1 - 2 * c);
    std::rotate(columns.begin(), columns.begin() + (p + 1) / 4, columns.end());
    return columns;
}

TEST_P(Products, CorrelateSomeEqualsPlainLoops) {
    const std::vector<double> q = random_vector(n(), 3);
    std::vector<Index> all(static_cast<std::size_t>(p()));
    std::iota(all.begin(), all.end(), Index{0});
    for (const auto& shift : shifts())
        for (const std::vector<Index>& columns : {some_columns(p()), all}) {
            std::vector<Real> sum(columns.size());
            std::vector<Real> magnitude(columns.size());
            for (std::size_t c = 0; c < columns.size(); ++c)
                for (Index i = 0; i < n(); ++i) {
                    const Real term = entry(i, columns[c], shift) * q[i];
                    sum[c] += term;
                    magnitude[c] += std::abs(term);
                }
            set_shift(shift);
            designs_.each([&](const linalg::Design& X) {
                for (const int threads : {1, 3}) {
                    std::vector<double> out(columns.size(), 7.0);
                    X.correlate_some(columns, q, {threads, nullptr}, out.data());
                    Worst worst;
                    for (std::size_t c = 0; c < columns.size(); ++c)
                        worst.note(out[c], sum[c], magnitude[c], columns[c]);
                    expect_small(worst, sum_tolerance(n()));
                }
            });
        }
}

TEST_P(Products, CorrelateListEqualsPlainLoops) {
    constexpr Index lanes = 9;
    linalg::Panel Q;
    Q.resize(n(), lanes);
    for (Index k = 0; k < lanes; ++k)
        Q.set_lane(k, random_vector(n(), 70 + static_cast<unsigned>(k)));
    const std::vector<Index> columns = some_columns(p());
    for (const auto& shift : shifts()) {
        set_shift(shift);
        designs_.each([&](const linalg::Design& X) {
            for (const int threads : {1, 3}) {
                std::vector<double> out(columns.size() * static_cast<std::size_t>(Q.stride()), 7.0);
                X.correlate_list(columns, Q, {threads, nullptr}, out.data());
                Worst worst;
                for (std::size_t c = 0; c < columns.size(); ++c)
                    for (Index k = 0; k < lanes; ++k) {
                        Real sum = 0;
                        Real magnitude = 0;
                        for (Index i = 0; i < n(); ++i) {
                            const Real term = entry(i, columns[c], shift) * Q.row(i)[k];
                            sum += term;
                            magnitude += std::abs(term);
                        }
                        worst.note(out[c * static_cast<std::size_t>(Q.stride()) +
                                       static_cast<std::size_t>(k)],
                                   sum, magnitude, columns[c]);
                    }
                expect_small(worst, sum_tolerance(n()));
            }
        });
    }
}

TEST_P(Products, GatherCopiesShiftedColumns) {
    const std::vector<Index> columns = some_columns(p());
    const Index stride = n() + 2;
    for (const auto& shift : shifts()) {
        set_shift(shift);
        designs_.each([&](const linalg::Design& X) {
            for (const int threads : {1, 3}) {
                std::vector<double> out(columns.size() * static_cast<std::size_t>(stride), 7.0);
                X.gather(columns, {threads, nullptr}, out.data(), stride);
                Index wrong = 0;
                for (std::size_t c = 0; c < columns.size(); ++c) {
                    const double* column = out.data() + static_cast<Index>(c) * stride;
                    for (Index i = 0; i < n(); ++i)
                        wrong += column[i] != static_cast<double>(entry(i, columns[c], shift));
                    wrong += column[n()] != 7 || column[n() + 1] != 7;
                }
                EXPECT_EQ(wrong, 0);
            }
        });
    }
}

TEST_P(Products, MultiplyEqualsPlainLoops) {
    const std::vector<Index> columns = some_columns(p());
    const std::vector<double> values = random_vector(static_cast<Index>(columns.size()), 4);
    for (const auto& shift : shifts()) {
        std::vector<Real> sum(static_cast<std::size_t>(n()));
        std::vector<Real> magnitude(static_cast<std::size_t>(n()));
        for (std::size_t c = 0; c < columns.size(); ++c)
            for (Index i = 0; i < n(); ++i) {
                const Real term = entry(i, columns[c], shift) * values[c];
                sum[i] += term;
                magnitude[i] += std::abs(term);
            }
        set_shift(shift);
        designs_.each([&](const linalg::Design& X) {
            for (const int threads : {1, 3}) {
                std::vector<double> out(static_cast<std::size_t>(n()), 7.0);
                X.multiply(columns, values, {threads, nullptr}, out.data());
                Worst worst;
                for (Index i = 0; i < n(); ++i) worst.note(out[i], sum[i], magnitude[i], i);
                expect_small(worst, 4 * sum_tolerance(p()));
            }
        });
    }
}

TEST_P(Products, GroupsOfRowsHaveValuesOfTheirOwn) {
    const Index groups = 3;
    const std::vector<Index> columns = some_columns(p());
    const auto count = static_cast<Index>(columns.size());
    const std::vector<double> values = random_vector(count * groups, 21);
    std::vector<Index> group;
    for (Index i = 0; i < n(); ++i) group.push_back(i * 7 % (groups + 1) - 1);
    for (const auto& shift : shifts()) {
        set_shift(shift);
        designs_.each([&](const linalg::Design& X) {
            for (const int threads : {1, 3}) {
                std::vector<double> out(static_cast<std::size_t>(n()), 7.0);
                X.multiply_groups(columns, values, group, {threads, nullptr}, out.data());
                Worst worst;
                for (Index i = 0; i < n(); ++i) {
                    Real sum = 0;
                    Real magnitude = 0;
                    for (Index c = 0; c < count && group[i] >= 0; ++c) {
                        const Real term =
                            entry(i, columns[c], shift) * values[c * groups + group[i]];
                        sum += term;
                        magnitude += std::abs(term);
                    }
                    worst.note(out[i], sum, magnitude, i);
                }
                expect_small(worst, 4 * sum_tolerance(p()));
            }
        });
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Products, testing::ValuesIn(all_shapes()), shape_name);

// Entries 2^23 + k with k in [0, 100): a shift taken out after the sum would leave 15 - 5 digits.
TEST(FarFromZero, ShiftedProductsKeepTheirDigits) {
    const Index n = 400;
    const Index p = 20;
    const double origin = 8388608;
    Random random(5);
    std::vector<double> X(static_cast<std::size_t>(n * p));
    for (double& x : X) x = origin + std::floor(100 * random.uniform());
    const Designs designs(n, p, X);
    const std::vector<double> shift(static_cast<std::size_t>(p), origin + 50.25);
    const std::vector<double> q = random_vector(n, 6);
    const std::vector<double> values = random_vector(p, 7);
    std::vector<Index> columns(static_cast<std::size_t>(p));
    std::iota(columns.begin(), columns.end(), Index{0});
    for (const auto& design : designs.designs) design->set_shift(shift);
    linalg::Panel Q;
    Q.resize(n, 1);
    Q.set_lane(0, q);
    designs.each([&](const linalg::Design& design) {
        std::vector<double> all(static_cast<std::size_t>(p));
        std::vector<double> some(static_cast<std::size_t>(p));
        std::vector<double> fitted(static_cast<std::size_t>(n));
        design.correlate(Q, {}, [&](Index begin, Index count, double* tile) {
            for (Index c = 0; c < count; ++c) all[begin + c] = tile[c * Q.stride()];
        });
        design.correlate_some(columns, q, {}, some.data());
        design.multiply(columns, values, {}, fitted.data());
        Worst products;
        std::vector<Real> sums(static_cast<std::size_t>(n));
        std::vector<Real> magnitudes(static_cast<std::size_t>(n));
        for (Index j = 0; j < p; ++j) {
            Real sum = 0;
            Real magnitude = 0;
            for (Index i = 0; i < n; ++i) {
                const Real d = static_cast<Real>(X[j * n + i]) - shift[j];
                sum += d * q[i];
                magnitude += std::abs(d * q[i]);
                sums[i] += d * values[j];
                magnitudes[i] += std::abs(d * values[j]);
            }
            products.note(all[j], sum, magnitude, j);
            products.note(some[j], sum, magnitude, p + j);
        }
        Worst multiplied;
        for (Index i = 0; i < n; ++i) multiplied.note(fitted[i], sums[i], magnitudes[i], i);
        expect_small(products, sum_tolerance(n));
        expect_small(multiplied, sum_tolerance(n));
    });
}

// Columns of a large X, whose rows are taken in blocks, have the same bits as those of a small one,
// of which nothing is fetched ahead.
TEST(LargeProducts, AreThoseOfTheirColumns) {
    const Index n = 1500;
    const Index p = 1060;  // eleven tiles and four columns
    const Index few = 100;
    ASSERT_GT(n * p * 8, linalg::fetched_design_bytes);
    ASSERT_LT(n * few * 8, linalg::fetched_design_bytes);
    const std::vector<double> X = random_vector(n * p, 83);
    const auto products = [&](Index first, Index count, const linalg::Panel& Q) {
        const auto design = linalg::make_design(column_major(X.data() + first * n, n, count));
        std::vector<double> out(static_cast<std::size_t>(count * Q.stride()));
        design->correlate(Q, {}, [&](Index begin, Index width, const double* tile) {
            std::copy_n(tile, width * Q.stride(), out.data() + begin * Q.stride());
        });
        return out;
    };
    for (const Index lanes : {8, 40}) {
        linalg::Panel Q;
        Q.resize(n, lanes);
        for (Index k = 0; k < lanes; ++k)
            Q.set_lane(k, random_vector(n, 84 + static_cast<unsigned>(k)));
        const std::vector<double> all = products(0, p, Q);
        for (Index first = 0; first < p; first += few) {
            const Index count = std::min(few, p - first);
            const std::vector<double> some = products(first, count, Q);
            EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin() + first * lanes))
                << lanes << " lanes, columns from " << first;
        }
    }
}

// Long columns are multiplied in pieces.
TEST(TallProducts, PiecesAddUp) {
    const Index n = 131072 + 77;
    const std::vector<double> X = random_vector(n * 2, 81);
    const std::vector<double> q = random_vector(n, 82);
    const std::vector<Index> columns{1, 0};
    const StoredMatrix matrix({}, n, 2, X);
    const auto design = linalg::make_design(matrix.view());
    for (const std::vector<double>& shift : {std::vector<double>{}, std::vector<double>{0.5, 2}}) {
        design->set_shift(shift);
        std::vector<double> out(2);
        design->correlate_some(columns, q, {2, nullptr}, out.data());
        Worst worst;
        for (Index c = 0; c < 2; ++c) {
            Real sum = 0;
            Real magnitude = 0;
            for (Index i = 0; i < n; ++i) {
                const Real x = static_cast<Real>(X[columns[c] * n + i]) -
                               (shift.empty() ? 0 : shift[columns[c]]);
                sum += x * q[i];
                magnitude += std::abs(x * q[i]);
            }
            worst.note(out[c], sum, magnitude, c);
        }
        expect_small(worst, sum_tolerance(n));
    }
}

}  // namespace
}  // namespace sven::test
