// What the library refuses, before any work, and that it says what is wrong.

#include <array>

#include "support/certify.hpp"
#include "support/matrix_kinds.hpp"
#include "support/options.hpp"
#include "sven/device.hpp"
#include "sven/error.hpp"
#include "sven/predict.hpp"

namespace sven::test {
namespace {

void expect_refused(const Problem& problem, const Setting& setting, const std::string& words,
                    const Options& options = {}) {
    try {
        static_cast<void>(fit(problem, setting, options));
        ADD_FAILURE() << "accepted, though: " << words;
    } catch (const InvalidArgument& refusal) {
        EXPECT_NE(std::string(refusal.what()).find(words), std::string::npos) << refusal.what();
    }
}

class Refused : public EachMethod {};

// Wherever it is, also in a column that is constant otherwise.
TEST_P(Refused, NumbersInXThatAreNotFinite) {
    for (const double bad : {nan, infinity, -infinity})
        for (const bool is_constant_otherwise : {false, true})
            for (const Index at : {0, 5, 11}) {
                Data data = random_regression(12, 4, 41);
                for (Index i = 0; is_constant_otherwise && i < data.n; ++i) data.at(i, 2) = 1.5;
                data.at(at, 2) = bad;
                for (const Kind& kind : all_kinds()) {
                    SCOPED_TRACE(testing::Message()
                                 << name(kind) << " " << bad << " in row " << at
                                 << (is_constant_otherwise ? " of a constant" : ""));
                    const StoredMatrix matrix(kind, data.n, data.p, data.X);
                    for (int bits = 0; bits < 4; ++bits) {
                        Problem problem = data.problem();
                        problem.X = matrix.view();
                        problem.intercept = (bits & 1) != 0;
                        problem.standardize = (bits & 2) != 0;
                        expect_refused(problem, Mixing{0.1, 0.5}, "column 2", options());
                        EXPECT_THROW(static_cast<void>(lambda_grid(problem, {})), InvalidArgument);
                    }
                }
            }
}

TEST_P(Refused, NumbersInXThatOverflow) {
    Data data = random_regression(12, 4, 42);
    data.at(5, 1) = 1e200;
    expect_refused(data.problem(), Mixing{0.1, 0.5}, "column 1", options());
}

INSTANTIATE_TEST_SUITE_P(Methods, Refused, testing::ValuesIn(both_methods), method_name);

TEST(RefusedProblems, ResponsesThatAreNotFinite) {
    for (const double bad : {nan, infinity, -infinity}) {
        Data data = random_regression(12, 4, 43);
        data.y[7] = bad;
        expect_refused(data.problem(), Penalty{1, 1}, "entry 7 of y");
    }
}

TEST(RefusedProblems, Weights) {
    Data data = random_regression(5, 2, 44);
    data.weights.assign(5, 0.0);
    expect_refused(data.problem(), Penalty{1, 1}, "every weight is zero");
    for (const double bad : {-1.0, nan, infinity}) {
        data.weights.assign(5, 1.0);
        data.weights[3] = bad;
        expect_refused(data.problem(), Penalty{1, 1}, "weight 3");
    }
    data.weights.assign(4, 1.0);
    expect_refused(data.problem(), Penalty{1, 1}, "weights vector has 4 entries, X has 5 rows");
}

TEST(RefusedProblems, PenaltyFactors) {
    Data data = random_regression(5, 2, 45);
    for (const double bad : {-1.0, nan}) {
        data.factors = {1, bad};
        expect_refused(data.problem(), Penalty{1, 1}, "penalty factor 1");
    }
    data.factors = {1, 1, 1};
    expect_refused(data.problem(), Penalty{1, 1}, "factors vector has 3 entries, X has 2 columns");
}

TEST(RefusedProblems, Shapes) {
    Data data = random_regression(5, 2, 46);
    data.y.pop_back();
    expect_refused(data.problem(), Penalty{1, 1}, "y has 4 entries, X has 5 rows");
    data.y.clear();
    Problem none = data.problem();
    none.X = column_major(data.X.data(), 0, 2);
    expect_refused(none, Penalty{1, 1}, "no rows");
    Problem overlapping = random_regression(5, 2, 46).problem();
    overlapping.X = column_major(data.X.data(), 5, 2, 4);
    expect_refused(overlapping, Penalty{1, 1}, "stride");
    Problem missing = overlapping;
    missing.X = column_major(static_cast<const double*>(nullptr), 5, 2);
    expect_refused(missing, Penalty{1, 1}, "no data");
}

TEST(RefusedProblems, Settings) {
    const Data data = random_regression(5, 2, 47);
    const Problem problem = data.problem();
    for (const double bad : {-1.0, nan}) {
        expect_refused(problem, Budget{bad, 1}, "budget t");
        expect_refused(problem, Budget{1, bad}, "lambda2");
        expect_refused(problem, Penalty{bad, 1}, "lambda1");
        expect_refused(problem, Penalty{1, bad}, "lambda2");
        expect_refused(problem, Mixing{bad, 1}, "lambda");
        expect_refused(problem, Mixing{1, bad}, "alpha");
    }
    expect_refused(problem, Mixing{1, 1.5}, "alpha");
    expect_refused(problem, Penalty{infinity, 1}, "lambda1");
    expect_refused(problem, Mixing{infinity, 1}, "lambda");
    expect_refused(problem, Budget{1, infinity}, "lambda2");
}

TEST(RefusedProblems, OptionsAndGrids) {
    const Data data = random_regression(5, 2, 48);
    Options options;
    for (const double bad : {0.0, -1.0, nan}) {
        options.tolerance = bad;
        expect_refused(data.problem(), Penalty{1, 1}, "tolerance", options);
    }
    options = {};
    options.threads = -1;
    expect_refused(data.problem(), Penalty{1, 1}, "threads", options);
    options = {};
    options.max_iterations = 0;
    expect_refused(data.problem(), Penalty{1, 1}, "max_iterations", options);
    for (const Grid& bad : {Grid{-0.5}, Grid{1, 0}, Grid{1, 10, 1.5}, Grid{1, 10, nan}})
        EXPECT_THROW(static_cast<void>(lambda_grid(data.problem(), bad)), InvalidArgument);
}

// One matrix, valid but for what a test breaks.
struct Sparse {
    std::array<double, 4> values{1, 2, 3, 4};
    std::array<std::int32_t, 4> indices{0, 2, 1, 2};
    std::array<std::int32_t, 3> offsets{0, 2, 4};
    std::array<double, 3> y{1, 2, 4};

    Problem problem() const {
        Problem problem;
        problem.X = SparseView{values.data(),
                               indices.data(),
                               offsets.data(),
                               Scalar::float64,
                               IndexWidth::int32,
                               IndexWidth::int32,
                               Compression::columns,
                               3,
                               2};
        problem.y = y;
        return problem;
    }
};

TEST(RefusedProblems, SparseStorage) {
    EXPECT_NO_THROW(static_cast<void>(fit(Sparse{}.problem(), Penalty{1, 1})));
    Sparse broken;
    broken.indices[1] = 3;
    expect_refused(broken.problem(), Penalty{1, 1}, "index 3 in column 0");
    broken.indices[1] = -1;
    expect_refused(broken.problem(), Penalty{1, 1}, "index -1 in column 0");
    broken = {};
    broken.indices[3] = 1;
    expect_refused(broken.problem(), Penalty{1, 1}, "column 1 of sparse X are not in increasing");
    broken.indices[3] = 0;
    expect_refused(broken.problem(), Penalty{1, 1}, "column 1 of sparse X are not in increasing");
    broken = {};
    broken.offsets = {0, 2, 1};
    expect_refused(broken.problem(), Penalty{1, 1}, "offsets");
    broken.offsets = {1, 2, 4};
    expect_refused(broken.problem(), Penalty{1, 1}, "first offset");
}

TEST(RefusedProblems, SparseEntriesThatAreNowhere) {
    const Sparse whole;
    for (const Compression compression : {Compression::columns, Compression::rows}) {
        Problem problem = whole.problem();
        auto& X = std::get<SparseView>(problem.X);
        X.compression = compression;
        X.indices = nullptr;
        if (compression == Compression::rows) std::swap(X.rows, X.cols);
        problem.y = std::span(whole.y).first(static_cast<std::size_t>(X.rows));
        expect_refused(problem, Penalty{1, 1}, "no indices");
        X.indices = whole.indices.data();
        X.values = nullptr;
        expect_refused(problem, Penalty{1, 1}, "no values");
        X.offsets = nullptr;
        expect_refused(problem, Penalty{1, 1}, "no offsets");
    }
}

// Without entries there is nothing to point at.
TEST(RefusedProblems, NotASparseMatrixOfZeros) {
    Sparse empty;
    empty.offsets = {0, 0, 0};
    Problem problem = empty.problem();
    auto& X = std::get<SparseView>(problem.X);
    X.values = nullptr;
    X.indices = nullptr;
    EXPECT_TRUE(fit(problem, Penalty{1, 1}).coefficients.empty());
}

// Who insists on a device hears why there is none; who leaves it open gets the CPU.
TEST(Devices, ThatAreMissingAreSaidOrDoneWithout) {
    if (why_no_device().empty()) GTEST_SKIP() << "there is a GPU: " << devices()[0].name;
    const Data data = random_regression(20, 5, 1);
    Options options;
    options.device = Device::cuda;
    try {
        (void)fit(data.problem(), Penalty{1, 1}, options);
        FAIL() << "solved on a device that is not there";
    } catch (const DeviceError& error) {
        EXPECT_NE(std::string(error.what()).find(why_no_device()), std::string::npos);
    }
    EXPECT_THROW(DeviceMatrix{data.problem().X}, DeviceError);
    EXPECT_TRUE(devices().empty());
    options.device = Device::automatic;
    EXPECT_EQ(fit(data.problem(), Penalty{1, 1}, options).device, Device::cpu);
}

TEST(Devices, HoldNoMatrixForTheCpu) {
    const Data data = random_regression(20, 5, 1);
    Problem problem = data.problem();
    std::get<DenseView>(problem.X).on_device = true;
    expect_refused(problem, Penalty{1, 1}, "memory of a device");
    if (why_no_device().empty()) return;
    EXPECT_THROW((void)predict(problem.X, 0, {}), DeviceError);
}

}  // namespace
}  // namespace sven::test
