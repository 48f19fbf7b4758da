// A product stops at the cancel token before it is done, whatever X is stored as.

#include <chrono>
#include <ctime>
#include <functional>
#include <thread>

#include "linalg/gram.hpp"
#include "linalg/naive.hpp"

namespace sven::test {
namespace {

using linalg::Cancelled;
using linalg::Execution;
using linalg::Panel;

constexpr double untouched = 7e77;

// Processor time from the token, set by another thread in the middle of the call, to the call's
// end: a machine that has other things to do makes no difference to it.
double spent(int threads, const std::function<void(const Execution&)>& call) {
    std::atomic<bool> cancel{false};
    std::atomic<std::clock_t> asked{};
    std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        asked = std::clock();
        cancel = true;
    });
    EXPECT_THROW(call({threads, &cancel}), Cancelled);
    const std::clock_t returned = std::clock();
    other.join();
    return static_cast<double>(returned - asked.load()) / CLOCKS_PER_SEC;
}

// Each of these calls takes several seconds when it is left alone; 0.1 s is promised, and a
// sanitizer makes it ten times that.
void expect_prompt(const char* verb, const std::function<void(const Execution&)>& call) {
    SCOPED_TRACE(verb);
    for (const int threads : {1, 2}) {
        const double seconds = spent(threads, call);
        EXPECT_LT(seconds, 1.0 * threads) << threads << " threads";
        testing::Test::RecordProperty(std::string(verb) + "_ms_" + std::to_string(threads),
                                      std::to_string(1e3 * seconds));
    }
}

class Cancel : public testing::TestWithParam<Kind> {
  protected:
    bool goes_by_rows() const { return GetParam().is_sparse && !GetParam().by_columns; }
};

// Few columns, each asked for over and over. Compressed rows read every entry once, however many
// columns are asked for: nothing to wait for here.
TEST_P(Cancel, SomeColumnsOverAndOver) {
    if (goes_by_rows()) GTEST_SKIP() << "one pass over the entries, whatever is asked for";
    const Index n = 65536;
    const StoredMatrix matrix(GetParam(), n, 4, random_vector(n * 4, 1));
    const auto X = linalg::make_design(matrix.view());
    std::vector<Index> columns;
    for (Index c = 0; c < 300'000; ++c) columns.push_back(c % 4);
    const std::vector<double> values = random_vector(static_cast<Index>(columns.size()), 2);
    const std::vector<double> q = random_vector(n, 3);
    std::vector<double> out(columns.size());
    expect_prompt("correlate_some", [&](const Execution& execution) {
        X->correlate_some(columns, q, execution, out.data());
    });
    expect_prompt("gather", [&](const Execution& execution) {
        X->gather(columns, execution, out.data(), 0);  // each column over the last
    });
    expect_prompt("multiply", [&](const Execution& execution) {
        X->multiply(columns, values, execution, out.data());
    });
}

TEST_P(Cancel, ManyLanes) {
    const Index n = 1000;
    const StoredMatrix matrix(GetParam(), n, 1000, random_vector(n * 1000, 4));
    const auto X = linalg::make_design(matrix.view());
    for (const bool is_shifted : {false, true}) {
        X->set_shift(is_shifted ? random_shift(1000, 5) : std::vector<double>{});
        Panel Q;
        Q.resize(n, GetParam().is_sparse ? 4096 : 8192);
        expect_prompt(is_shifted ? "correlate_shifted" : "correlate",
                      [&](const Execution& execution) {
                          X->correlate(Q, execution, [](Index, Index, double*) {});
                      });
    }
}

// All pairs of entries of every row.
TEST_P(Cancel, GramMatrix) {
    const Index p = GetParam().is_sparse ? 2000 : 3000;
    const StoredMatrix matrix(GetParam(), 2000, p, random_vector(2000 * p, 6));
    const auto X = linalg::make_design(matrix.view());
    const std::vector<double> y = random_vector(2000, 7);
    expect_prompt("gram", [&](const Execution& execution) {
        static_cast<void>(linalg::accumulate_gram(*X, y, {}, execution));
    });
    if (!X->is_sparse()) return;
    std::vector<double> G(static_cast<std::size_t>(p * p));
    expect_prompt("sparse_gram", [&](const Execution& execution) {
        X->accumulate_sparse_gram({}, execution, G.data(), p);
    });
}

// What it would have written is not there.
TEST_P(Cancel, NothingIsDoneAfterACancel) {
    const Index n = 300;
    const Index p = 40;
    const StoredMatrix matrix(GetParam(), n, p, random_vector(n * p, 8));
    const auto X = linalg::make_design(matrix.view());
    const std::vector<Index> columns{3, 1, 39};
    const std::vector<double> values{1, -2, 3};
    const std::vector<double> q = random_vector(n, 9);
    std::atomic<bool> cancel{true};
    const Execution execution{1, &cancel};
    std::vector<double> out(static_cast<std::size_t>(n * p), untouched);
    const auto expect_unwritten = [&] {
        for (const double value : out) EXPECT_TRUE(value == untouched || value == 0) << value;
        std::fill(out.begin(), out.end(), untouched);
    };
    EXPECT_THROW(X->correlate_some(columns, q, execution, out.data()), Cancelled);
    expect_unwritten();
    EXPECT_THROW(X->gather(columns, execution, out.data(), n), Cancelled);
    expect_unwritten();
    EXPECT_THROW(X->multiply(columns, values, execution, out.data()), Cancelled);
    expect_unwritten();
    EXPECT_THROW(static_cast<void>(X->moments({}, q, execution)), Cancelled);
    Panel Q;
    Q.resize(n, 1);
    EXPECT_THROW(X->correlate(Q, execution, [&](Index, Index, double*) { out[0] = 1; }), Cancelled);
    expect_unwritten();
    if (!X->is_sparse()) return;
    EXPECT_THROW(X->accumulate_sparse_gram({}, execution, out.data(), p), Cancelled);
    expect_unwritten();
}

INSTANTIATE_TEST_SUITE_P(Kinds, Cancel, testing::ValuesIn(each_layout()), kind_name);

}  // namespace
}  // namespace sven::test
