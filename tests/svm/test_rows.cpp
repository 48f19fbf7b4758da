// Every verb of the samples, for every way of storing X, against plain loops.

#include <gtest/gtest.h>

#include <numeric>

#include "support/problems.hpp"
#include "support/two_class.hpp"
#include "svm/rows.hpp"

namespace sven::svm {
namespace {

using test::random_vector;
using test::StoredMatrix;
using test::TwoClass;

struct Size {
    Index samples;
    Index features;
    int threads;
};

class RowsTest : public testing::TestWithParam<test::Kind> {};

void compare_products(Rows& rows, const TwoClass& data, const std::vector<Index>& selection) {
    const Index d = data.features;
    const auto w = random_vector(d, 1);
    const auto v = random_vector(static_cast<Index>(selection.size()), 2);
    std::vector<double> products(selection.size());
    std::vector<double> sums(w.size());
    std::vector<double> squares(w.size());
    rows.times(selection, w.data(), products.data());
    rows.transposed_times(selection, v.data(), sums.data());
    rows.transposed_squares_times(selection, v.data(), squares.data());
    std::vector<double> expected_sums(w.size());
    std::vector<double> expected_squares(w.size());
    for (std::size_t k = 0; k < selection.size(); ++k) {
        const Index i = selection[k];
        EXPECT_NEAR(products[k], data.labels[i] * test::dot(data.row(i), w.data(), d), 1e-11);
        for (Index j = 0; j < d; ++j) {
            expected_sums[j] += v[k] * data.labels[i] * data.row(i)[j];
            expected_squares[j] += v[k] * data.row(i)[j] * data.row(i)[j];
        }
    }
    EXPECT_LE(test::largest_difference(sums, expected_sums), 1e-10);
    EXPECT_LE(test::largest_difference(squares, expected_squares), 1e-10);
}

// The careful verbs are off by what they say at most, and not by much: long double knows.
void compare_careful(Rows& rows, const TwoClass& data, const std::vector<Index>& selection) {
    const auto d = static_cast<std::size_t>(data.features);
    const auto w = random_vector(d, 3);
    const auto v = random_vector(static_cast<Index>(selection.size()), 4);
    const std::size_t m = selection.size();
    std::vector<double> memory(3 * (m + d), 0.0);
    const CarefulSums products{memory.data(), memory.data() + m, memory.data() + 2 * m};
    double* rest = memory.data() + 3 * m;
    const CarefulSums sums{rest, rest + d, rest + 2 * d};
    for (std::size_t k = 0; k < m; ++k) products.set(static_cast<Index>(k), {1});
    for (std::size_t j = 0; j < d; ++j) sums.set(static_cast<Index>(j), {w[j]});
    rows.subtract_products(selection, w.data(), products);
    rows.subtract_combination(selection, v.data(), sums);
    std::vector<long double> expected(w.begin(), w.end());
    std::vector<double> row(d);
    for (std::size_t k = 0; k < m; ++k) {
        const auto sample = static_cast<Index>(k);
        rows.copy_sample(selection[k], row.data(), 1);
        long double product = 1;
        for (std::size_t j = 0; j < d; ++j) {
            const double z = data.labels[selection[k]] * data.row(selection[k])[j];
            EXPECT_EQ(row[j], z);
            product -= static_cast<long double>(z) * w[j];
            expected[j] -= static_cast<long double>(v[k]) * z;
        }
        const double error = products.error(sample, data.features, false);
        EXPECT_LE(std::abs(products.value(sample) - product), error);
        EXPECT_LE(error, 1e-14 * (1 + products.size[k]));
    }
    for (std::size_t j = 0; j < d; ++j) {
        const auto feature = static_cast<Index>(j);
        const double error = sums.error(feature, static_cast<Index>(m), false);
        EXPECT_LE(std::abs(sums.value(feature) - expected[j]), error);
        EXPECT_LE(error, 1e-14 * (1 + sums.size[j]));
    }
}

void compare_matrices(Rows& rows, const TwoClass& data, const std::vector<Index>& selection) {
    const Index d = data.features;
    const std::vector<double> v(selection.size(), 0.7);
    std::vector<double> H(static_cast<std::size_t>(d * d), 0.25);
    rows.add_outer_products(selection, v.data(), -1, H.data());
    for (Index j = 0; j < d; ++j) {
        for (Index k = 0; k <= j; ++k) {
            double expected = 0.25;
            for (Index i : selection) expected -= 0.7 * data.row(i)[j] * data.row(i)[k];
            EXPECT_NEAR(H[j + k * d], expected, 1e-10);
        }
    }
    const std::vector<Index> others(selection.begin(), selection.begin() + 5);
    const Index stride = static_cast<Index>(selection.size()) + 2;
    std::vector<double> K(static_cast<std::size_t>(stride * 5), -7);
    rows.kernel(others, selection, K.data(), stride);
    for (Index k = 0; k < 5; ++k) {
        for (Index l = 0; l < stride - 2; ++l) {
            const Index i = others[k];
            const Index j = selection[l];
            EXPECT_NEAR(K[l + k * stride],
                        data.labels[i] * data.labels[j] * test::dot(data.row(i), data.row(j), d),
                        1e-10);
        }
        EXPECT_EQ(K[stride - 2 + k * stride], -7) << "wrote beyond its rows";
    }
}

TEST_P(RowsTest, EqualsPlainLoops) {
    for (const Size size : {Size{7, 3, 1}, {40, 23, 2}, {900, 150, 2}, {30, 1500, 2}}) {
        TwoClass data = test::random_two_class(size.samples, size.features, 3, 0.6);
        for (double& value : data.X)
            value = static_cast<float>(value);  // exact in either precision
        const StoredMatrix matrix = test::stored(data, GetParam());
        const auto rows = make_rows(matrix.view(), data.labels, {size.threads, nullptr});
        EXPECT_EQ(rows->samples(), size.samples);
        EXPECT_EQ(rows->features(), size.features);
        std::vector<Index> selection;
        for (Index i = size.samples - 1; i >= 0; i -= 1 + i % 3 / 2) selection.push_back(i);
        compare_products(*rows, data, selection);
        compare_careful(*rows, data, selection);
        if (size.features <= 150) compare_matrices(*rows, data, selection);
    }
}

// The chunks of a sum depend on the sizes, not on the threads.
TEST_P(RowsTest, GivesTheSameBitsOnAnyNumberOfThreads) {
    const TwoClass data = test::random_two_class(2000, 120, 4, 0.8);
    const StoredMatrix matrix = test::stored(data, GetParam());
    std::vector<Index> selection(2000);
    std::iota(selection.begin(), selection.end(), Index{0});
    const auto v = random_vector(2000, 5);
    std::vector<double> first(120);
    std::vector<double> second(120);
    make_rows(matrix.view(), data.labels, {1, nullptr})
        ->transposed_times(selection, v.data(), first.data());
    make_rows(matrix.view(), data.labels, {3, nullptr})
        ->transposed_times(selection, v.data(), second.data());
    EXPECT_EQ(first, second);
    std::vector<double> low(120);
    std::vector<double> size(120);
    std::fill(first.begin(), first.end(), 0.0);
    make_rows(matrix.view(), data.labels, {1, nullptr})
        ->subtract_combination(selection, v.data(), {first.data(), low.data(), size.data()});
    for (auto* values : {&second, &low, &size}) std::fill(values->begin(), values->end(), 0.0);
    make_rows(matrix.view(), data.labels, {3, nullptr})
        ->subtract_combination(selection, v.data(), {second.data(), low.data(), size.data()});
    EXPECT_EQ(first, second);
}

// Labels may carry the unit of X.
TEST_P(RowsTest, EveryVerbKnowsTheUnit) {
    TwoClass data = test::random_two_class(60, 11, 9, 0.7);
    for (double& value : data.X) value = static_cast<float>(value);
    const StoredMatrix matrix = test::stored(data, GetParam());
    std::vector<double> labels = data.labels;
    for (double& label : labels) label *= 0x1p-40;
    const auto rows = make_rows(matrix.view(), labels, {1, nullptr});
    TwoClass scaled = data;
    for (double& value : scaled.X) value *= 0x1p-40;
    const auto expected = make_rows(row_major(scaled.X.data(), 60, 11), data.labels, {1, nullptr});
    std::vector<Index> all(60);
    std::iota(all.begin(), all.end(), Index{0});
    const std::vector<double> v(60, 0.3);
    std::vector<double> H(121, 0.0);
    std::vector<double> H_expected(121, 0.0);
    rows->add_outer_products(all, v.data(), 1, H.data());
    expected->add_outer_products(all, v.data(), 1, H_expected.data());
    for (Index j = 0; j < 11; ++j) {
        for (Index k = j; k < 11; ++k)
            EXPECT_NEAR(H[k + j * 11], H_expected[k + j * 11], 1e-12 * 0x1p-80);
    }
    std::vector<double> K(3600);
    std::vector<double> K_expected(3600);
    rows->kernel(all, all, K.data(), 60);
    expected->kernel(all, all, K_expected.data(), 60);
    EXPECT_LE(test::largest_difference(K, K_expected), 1e-12 * 0x1p-80);
    EXPECT_GT(test::largest(K), 0);
}

TEST_P(RowsTest, StopsAtTheCancelToken) {
    const TwoClass data = test::random_two_class(2000, 120, 6, 0.8);
    const StoredMatrix matrix = test::stored(data, GetParam());
    std::vector<Index> selection(2000);
    std::iota(selection.begin(), selection.end(), Index{0});
    const std::vector<double> v(2000, 1);
    std::vector<double> out(2000 * 2000);
    for (const int threads : {1, 2}) {
        std::atomic<bool> cancel{false};
        const auto rows = make_rows(matrix.view(), data.labels, {threads, &cancel});
        cancel = true;
        using linalg::Cancelled;
        EXPECT_THROW(rows->times(selection, v.data(), out.data()), Cancelled);
        EXPECT_THROW(rows->transposed_times(selection, v.data(), out.data()), Cancelled);
        EXPECT_THROW(rows->transposed_squares_times(selection, v.data(), out.data()), Cancelled);
        const CarefulSums sums{out.data(), out.data() + 2000, out.data() + 4000};
        EXPECT_THROW(rows->subtract_products(selection, v.data(), sums), Cancelled);
        EXPECT_THROW(rows->subtract_combination(selection, v.data(), sums), Cancelled);
        EXPECT_THROW(rows->add_outer_products(selection, v.data(), 1, out.data()), Cancelled);
        EXPECT_THROW(rows->kernel(selection, selection, out.data(), 2000), Cancelled);
        for (const double value : out) ASSERT_EQ(value, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Storage, RowsTest, testing::ValuesIn(test::all_kinds()), test::kind_name);

}  // namespace
}  // namespace sven::svm
