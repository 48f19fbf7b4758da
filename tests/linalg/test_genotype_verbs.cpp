// Packed genotypes against the same entries as doubles: every verb of a design.

#include <numeric>

#include "linalg/gram.hpp"
#include "linalg/naive.hpp"
#include "support/back_end.hpp"
#include "support/genotype_data.hpp"

namespace sven::test {
namespace {

class GenotypeVerbs : public testing::TestWithParam<GenotypeCase> {
  protected:
    GenotypeVerbs() : data_(GetParam()) {
        packed_ = std::move(tested_designs(data_.view()).front().design);
        plain_ = linalg::make_design(column_major(data_.dense().data(), data_.rows(), p()));
        // far from zero where the engine would say so: the columns that are nearly constant
        shift_.assign(static_cast<std::size_t>(p()), 0.0);
        for (Index j = 0; j < p(); ++j)
            if (j == 7 || j == 11) shift_[j] = mean(j);
    }
    Index n() const { return data_.rows(); }
    Index p() const { return data_.cols(); }
    double mean(Index j) const {
        double sum = 0;
        for (Index i = 0; i < n(); ++i) sum += data_.dense()[j * n() + i];
        return sum / static_cast<double>(n());
    }
    void set_shift(bool is_shifted) {
        for (auto* design : {packed_.get(), plain_.get()})
            design->set_shift(is_shifted ? shift_ : std::vector<double>());
    }
    // |x_j - shift_j|'|q|, which errors are relative to.
    double magnitude(Index j, std::span<const double> q, bool is_shifted) const {
        double sum = 0;
        for (Index i = 0; i < n(); ++i)
            sum += std::abs((data_.dense()[j * n() + i] - (is_shifted ? shift_[j] : 0)) * q[i]);
        return sum;
    }
    linalg::Panel panel(Index lanes) const {
        linalg::Panel Q;
        Q.resize(n(), lanes);
        for (Index k = 0; k < lanes; ++k) Q.set_lane(k, lane(k));
        return Q;
    }
    std::vector<double> lane(Index k) const {
        return random_vector(n(), static_cast<unsigned>(k) + 3);
    }
    // A turned column is a difference of two small sums: some roundings more, never a mean's.
    double tolerance() const { return 8 * sum_tolerance(n()); }
    void expect_products(const std::vector<double>& out, const std::vector<double>& expected,
                         std::span<const Index> columns, Index lanes, bool is_shifted) {
        const Index stride = (lanes + 7) / 8 * 8;
        Worst worst;
        for (Index k = 0; k < lanes; ++k) {
            const std::vector<double> q = lane(k);
            for (std::size_t c = 0; c < columns.size(); ++c) {
                const Index at = static_cast<Index>(c) * stride + k;
                worst.note(out[at], expected[at], magnitude(columns[c], q, is_shifted) + 1e-30,
                           columns[c]);
            }
        }
        expect_small(worst, tolerance());
    }
    std::vector<double> all_products(const linalg::Design& X, Index lanes) const {
        const linalg::Panel Q = panel(lanes);
        std::vector<double> out(static_cast<std::size_t>(p() * Q.stride()));
        X.correlate(Q, {2, nullptr}, [&](Index begin, Index count, const double* tile) {
            std::copy_n(tile, count * Q.stride(), out.data() + begin * Q.stride());
        });
        return out;
    }

    PackedGenotypes data_;
    std::unique_ptr<linalg::Design> packed_;
    std::unique_ptr<linalg::Design> plain_;
    std::vector<double> shift_;
};

TEST_P(GenotypeVerbs, Correlate) {
    std::vector<Index> all(static_cast<std::size_t>(p()));
    std::iota(all.begin(), all.end(), Index{0});
    for (const bool is_shifted : {false, true})
        for (const Index lanes : {1, 7, 12}) {
            set_shift(is_shifted);
            SCOPED_TRACE(testing::Message() << lanes << " lanes, shifted " << is_shifted);
            expect_products(all_products(*packed_, lanes), all_products(*plain_, lanes), all, lanes,
                            is_shifted);
        }
}

TEST_P(GenotypeVerbs, CorrelateLists) {
    std::vector<Index> columns;
    for (Index j = p() - 1; j >= 0; j -= 2) columns.push_back(j);
    const std::vector<Index> few(columns.begin(), columns.begin() + 5);
    for (const bool is_shifted : {false, true}) {
        set_shift(is_shifted);
        const linalg::Panel Q = panel(3);
        for (const std::span<const Index> some :
             {std::span<const Index>(columns), std::span<const Index>(few)}) {
            std::vector<double> out(some.size() * 8), expected(some.size() * 8);
            packed_->correlate_list(some, Q, {2, nullptr}, out.data());
            plain_->correlate_list(some, Q, {1, nullptr}, expected.data());
            expect_products(out, expected, some, 3, is_shifted);
        }
        std::vector<double> out(columns.size()), expected(columns.size());
        packed_->correlate_some(columns, lane(0), {2, nullptr}, out.data());
        plain_->correlate_some(columns, lane(0), {1, nullptr}, expected.data());
        Worst worst;
        for (std::size_t c = 0; c < columns.size(); ++c)
            worst.note(out[c], expected[c], magnitude(columns[c], lane(0), is_shifted) + 1e-30,
                       columns[c]);
        expect_small(worst, tolerance());
    }
}

TEST_P(GenotypeVerbs, GatherAndMultiply) {
    std::vector<Index> columns;
    for (Index j = 0; j < p(); j += 3) columns.push_back(j);
    const auto count = static_cast<Index>(columns.size());
    const std::vector<double> values = random_vector(count, 9);
    for (const bool is_shifted : {false, true}) {
        set_shift(is_shifted);
        std::vector<double> out(static_cast<std::size_t>(count * n())), expected(out.size());
        packed_->gather(columns, {2, nullptr}, out.data(), n());
        plain_->gather(columns, {1, nullptr}, expected.data(), n());
        EXPECT_EQ(out, expected);
        out.resize(static_cast<std::size_t>(n()));
        expected.resize(out.size());
        packed_->multiply(columns, values, {2, nullptr}, out.data());
        plain_->multiply(columns, values, {1, nullptr}, expected.data());
        for (Index i = 0; i < n(); ++i)
            EXPECT_NEAR(out[i], expected[i], 1e-14 * static_cast<double>(count));
    }
}

TEST_P(GenotypeVerbs, Moments) {
    std::vector<double> weights = random_vector(n(), 5);
    for (double& w : weights) w = w < -1 ? 0 : std::abs(w);
    const std::vector<double> v = lane(0);
    for (const linalg::RowWeights w : {linalg::RowWeights(), linalg::RowWeights(weights)}) {
        const linalg::ColumnMoments m = packed_->moments(w, v, {2, nullptr});
        const linalg::ColumnMoments expected = plain_->moments(w, v, {1, nullptr});
        EXPECT_EQ(m.is_constant, expected.is_constant);
        for (Index j = 0; j < p(); ++j) {
            SCOPED_TRACE(testing::Message() << "column " << j << " weighted " << !w.empty());
            const double total = static_cast<double>(n());
            const double norm = std::sqrt(expected.squares[j]);
            EXPECT_NEAR(m.mean[j], expected.mean[j], 1e-14);
            EXPECT_NEAR(m.mean[j] + m.centred_sum[j] / total,
                        expected.mean[j] + expected.centred_sum[j] / total, 1e-14);
            EXPECT_NEAR(m.squares[j], expected.squares[j], 1e-13 * expected.squares[j] + 1e-26);
            EXPECT_NEAR(m.products[j], expected.products[j],
                        1e-14 * (1 + norm) * std::sqrt(total) + 1e-15 * total);
        }
    }
}

TEST_P(GenotypeVerbs, MomentsOfSeveralWeightings) {
    std::vector<double> weights = random_vector(n(), 6);
    for (double& w : weights) w = w < -1 ? 0 : std::abs(w);
    const std::vector<double> first = lane(0);
    const std::vector<double> second = lane(1);
    const std::vector<linalg::MomentRequest> requests{{{}, first}, {weights, second}};
    std::vector<linalg::ColumnMoments> found(requests.size());
    EXPECT_EQ(packed_->moments_of(requests, {2, nullptr}, found),
              tested_device() == Device::cpu ? 1 : 2);
    for (std::size_t k = 0; k < requests.size(); ++k) {
        const linalg::ColumnMoments one =
            packed_->moments(requests[k].weights, requests[k].v, {1, nullptr});
        EXPECT_EQ(found[k].mean, one.mean);
        EXPECT_EQ(found[k].squares, one.squares);
        EXPECT_EQ(found[k].products, one.products);
    }
}

TEST_P(GenotypeVerbs, GramSums) {
    const std::vector<double> y = lane(2);
    const auto sums = linalg::accumulate_gram(*packed_, y, {}, {2, nullptr});
    const auto expected = linalg::accumulate_gram(*plain_, y, {}, {1, nullptr});
    for (Index j = 0; j < p(); ++j)
        for (Index i = j; i < p(); ++i)
            EXPECT_NEAR(sums(i, j), expected(i, j), 1e-12 * static_cast<double>(n()));
}

std::vector<GenotypeCase> cases() {
    std::vector<GenotypeCase> all;
    for (const Index people : {17, 63, 64, 65, 1001, 1024, 2050})
        all.push_back({people, 40, 0.02, Allele::a1, false, 0});
    all.push_back({1001, 300, 0.1, Allele::a2, false, 3});
    all.push_back({1999, 150, 0.02, Allele::a1, true, 2});
    all.push_back({500, 40, 0, Allele::a2, true, 0});
    // as many as a device keeps for itself
    all.push_back({20003, 60, 0.02, Allele::a1, true, 2});
    return all;
}

std::string case_name(const testing::TestParamInfo<GenotypeCase>& tested) {
    const GenotypeCase& c = tested.param;
    return std::to_string(c.people) + "x" + std::to_string(c.variants) +
           (c.counted == Allele::a1 ? "" : "_a2") + (c.is_selected ? "_selected" : "") +
           (c.covariates > 0 ? "_beside" : "");
}

INSTANTIATE_TEST_SUITE_P(Cases, GenotypeVerbs, testing::ValuesIn(cases()), case_name);

}  // namespace
}  // namespace sven::test
