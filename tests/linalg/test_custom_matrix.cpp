// What is asked of a kind of the caller's own, and how often. That the answers are right, the lists
// of kinds in the other tests say.

#include <array>
#include <numeric>

#include "linalg/gram.hpp"
#include "linalg/naive.hpp"
#include "support/outside_matrix.hpp"

namespace sven::test {
namespace {

constexpr Index n = 5000;
constexpr Index p = 300;

class CustomMatrixCalls : public testing::TestWithParam<int> {
  protected:
    // The design, over a matrix that has counted nothing yet.
    std::unique_ptr<linalg::Design> design(Offer offer) {
        matrix_ = std::make_shared<OutsideMatrix>(column_major(X_.data(), n, p), offer);
        return linalg::make_design(matrix_);
    }
    std::unique_ptr<linalg::Design> blocks() {
        matrix_ = std::make_shared<OutsideMatrix>(column_major(X_.data(), n, p), Offer::entries);
        return linalg::make_design(std::make_shared<OutsideBlocks>(matrix_));
    }
    linalg::Execution execution() const { return {GetParam(), nullptr}; }
    // Every call is a large piece of work.
    void expect_read(Index entries) const {
        EXPECT_EQ(matrix_->entries_read, entries);
        EXPECT_LE(matrix_->reads, 1 + entries / 10000);
    }
    linalg::Panel panel() const {
        linalg::Panel Q;
        Q.resize(n, 7);
        Q.set_lane(0, random_vector(n, 3));
        return Q;
    }

    std::vector<double> X_ = mixed_matrix(n, p, 1);
    std::vector<Index> columns_{7, 3, 299, 0, 150};
    std::shared_ptr<OutsideMatrix> matrix_;
};

TEST_P(CustomMatrixCalls, ReadEachEntryOnceForProducts) {
    const auto X = design(Offer::entries);
    X->correlate(panel(), execution(), [](Index, Index, double*) {});
    expect_read(n * p);
    const auto Y = design(Offer::entries);
    std::vector<Index> all(p);
    std::iota(all.begin(), all.end(), Index{0});
    std::vector<double> out(static_cast<std::size_t>(n));
    Y->multiply(all, random_vector(p, 4), execution(), out.data());
    expect_read(n * p);
}

TEST_P(CustomMatrixCalls, ReadTheColumnsThatAreAskedFor) {
    const auto count = static_cast<Index>(columns_.size());
    std::vector<double> out(static_cast<std::size_t>(n * count));
    design(Offer::entries)->gather(columns_, execution(), out.data(), n);
    EXPECT_EQ(matrix_->entries_read, n * count);
    design(Offer::entries)->correlate_some(columns_, random_vector(n, 3), execution(), out.data());
    EXPECT_EQ(matrix_->entries_read, n * count);
}

TEST_P(CustomMatrixCalls, ReadOnceForMoments) {
    (void)design(Offer::entries)->moments({}, random_vector(n, 3), execution());
    expect_read(n * p);
}

TEST_P(CustomMatrixCalls, ReadOnceForTheGramMatrixAndASampleOfRows) {
    const auto X = design(Offer::entries);
    (void)linalg::accumulate_gram(*X, random_vector(n, 3), {}, execution());
    EXPECT_EQ(matrix_->entries_read, (n + 256) * p);
}

TEST_P(CustomMatrixCalls, ReadNothingWhereProductsAreOffered) {
    const auto X = design(Offer::products);
    const linalg::Panel Q = panel();
    std::vector<double> out(static_cast<std::size_t>(n));
    const std::vector<double> values = random_vector(static_cast<Index>(columns_.size()), 4);
    X->correlate(Q, execution(), [](Index, Index, double*) {});
    EXPECT_EQ(matrix_->correlations, 4);  // of 96 columns at most
    X->correlate_some(columns_, random_vector(n, 3), execution(), out.data());
    X->multiply(columns_, values, execution(), out.data());
    EXPECT_EQ(matrix_->reads, 0);
    EXPECT_GT(matrix_->multiplications, 0);
    // Shifted columns keep their digits only where the shift is taken from each entry.
    X->set_shift(std::vector<double>(p, 1.0));
    X->correlate(Q, execution(), [](Index, Index, double*) {});
    EXPECT_EQ(matrix_->entries_read, n * p);
    EXPECT_EQ(matrix_->correlations, 4 + 1);
}

TEST_P(CustomMatrixCalls, ReadBlocksOfWholeColumnsOnceForAPass) {
    const auto X = blocks();
    std::vector<int> seen(p);
    X->correlate(panel(), execution(), [&](Index begin, Index count, double*) {
        for (Index j = begin; j < begin + count; ++j) ++seen[j];
    });
    EXPECT_EQ(seen, std::vector<int>(p, 1));
    EXPECT_EQ(matrix_->reads, (p + OutsideBlocks::block - 1) / OutsideBlocks::block);
    EXPECT_EQ(matrix_->entries_read, n * p);
    const std::vector<double> v = random_vector(n, 3), w(n, 0.5);
    const std::array<linalg::MomentRequest, 2> requests{{{{}, v}, {w, v}}};
    std::array<linalg::ColumnMoments, 2> found;
    EXPECT_EQ(X->moments_of(requests, execution(), found), 1);
    EXPECT_EQ(matrix_->entries_read, 2 * n * p);
}

TEST_P(CustomMatrixCalls, LeaveAPassWhereAReadFails) {
    const auto X = blocks();
    matrix_->fails_after = 5;
    EXPECT_THROW(X->correlate(panel(), execution(), [](Index, Index, double*) {}),
                 std::runtime_error);
}

INSTANTIATE_TEST_SUITE_P(Threads, CustomMatrixCalls, testing::Values(1, 3),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace sven::test
