// What svm::train refuses, and what it says.

#include <gtest/gtest.h>

#include "support/numbers.hpp"
#include "support/two_class.hpp"
#include "sven/error.hpp"

namespace sven::svm {
namespace {

using test::infinity;
using test::nan;

std::string complaint(const Classification& problem, const Options& options = {},
                      std::span<const double> warm_start = {}) {
    try {
        (void)train(problem, options, warm_start);
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "nothing";
}

class ValidateTest : public testing::Test {
  protected:
    test::TwoClass data_{3, 2, {1, 2, 3, 4, 5, 6}, {1, -1, 1}};
};

TEST_F(ValidateTest, AcceptsWhatIsRight) {
    const std::vector<double> w = {0, 1};
    EXPECT_EQ(complaint(data_.problem(), {}, w), "nothing");
}

TEST_F(ValidateTest, Labels) {
    data_.labels[1] = 0;
    EXPECT_EQ(complaint(data_.problem()), "label 1 is neither -1 nor +1");
    data_.labels[1] = nan;
    EXPECT_EQ(complaint(data_.problem()), "label 1 is neither -1 nor +1");
    data_.labels = {1, -1};
    EXPECT_EQ(complaint(data_.problem()), "labels has 2 entries, X has 3 rows");
}

TEST_F(ValidateTest, NoSamples) {
    EXPECT_EQ(complaint({row_major(data_.X.data(), 0, 2), {}, {}, 1}), "there are no samples");
}

TEST_F(ValidateTest, Costs) {
    EXPECT_EQ(complaint(data_.problem(0)), "the cost is not a positive number");
    EXPECT_EQ(complaint(data_.problem(nan)), "the cost is not a positive number");
    EXPECT_EQ(complaint(data_.problem(infinity)), "the cost is not a positive number");
    Classification problem = data_.problem();
    std::vector<double> costs = {1, 2, -1};
    problem.costs = costs;
    EXPECT_EQ(complaint(problem), "cost 2 is not a positive number");
    costs.pop_back();
    problem.costs = costs;
    EXPECT_EQ(complaint(problem), "costs has 2 entries, X has 3 rows");
}

TEST_F(ValidateTest, EntriesOfX) {
    data_.X[3] = nan;
    EXPECT_EQ(complaint(data_.problem()), "X is not finite at sample 1, feature 1");
    EXPECT_EQ(complaint({column_major(data_.X.data(), 3, 2), data_.labels, {}, 1}),
              "X is not finite at sample 0, feature 1");
    const std::vector<float> single = {1, 2, 3, 4, 5, std::numeric_limits<float>::infinity()};
    EXPECT_EQ(complaint({row_major(single.data(), 3, 2), data_.labels, {}, 1}),
              "X is not finite at sample 2, feature 1");
}

TEST_F(ValidateTest, SizeOfX) {
    data_.X[3] = -1e76;
    const std::string too_large =
        "the largest entry of X, at sample 1, feature 1, is 1e+76 in size, too large to square: "
        "divide X by a constant first";
    EXPECT_EQ(complaint(data_.problem()), too_large);
    EXPECT_EQ(complaint({column_major(data_.X.data(), 3, 2), data_.labels, {}, 1}),
              "the largest entry of X, at sample 0, feature 1, is 1e+76 in size, too large to "
              "square: divide X by a constant first");
    std::vector<double> values = {1, -1e76};
    std::vector<std::int32_t> indices = {0, 1};
    std::vector<std::int32_t> offsets = {0, 1, 2, 2};
    const SparseView X{values.data(),
                       indices.data(),
                       offsets.data(),
                       Scalar::float64,
                       IndexWidth::int32,
                       IndexWidth::int32,
                       Compression::rows,
                       3,
                       2};
    EXPECT_EQ(complaint({X, data_.labels, {}, 1}), too_large);
    data_.X = {0, 1e-80, 0, 0, -1e-77, 0};
    EXPECT_EQ(complaint(data_.problem()),
              "the largest entry of X, at sample 2, feature 0, is 1e-77 in size, too small to "
              "square: multiply X by a constant first");
    data_.X = {0, 0, 0, 0, 0, 0};
    EXPECT_EQ(complaint(data_.problem()), "nothing");
    data_.X = {1e75, 2, -3, 4, 5, 1e-300};
    EXPECT_EQ(complaint(data_.problem(1e-9)), "nothing");
}

TEST_F(ValidateTest, CostsTimesSquares) {
    EXPECT_EQ(
        complaint(data_.problem(1e149)),
        "the cost, 1e+149, times the square of the largest entry of X, 6, is too large: divide "
        "X by a constant first");
    EXPECT_EQ(complaint(data_.problem(1e-152)),
              "the cost, 1e-152, times the square of the largest entry of X, 6, is too small: "
              "multiply X by a constant first");
    Classification problem = data_.problem();
    const std::vector<double> costs = {1e-300, 2e149, 1};
    problem.costs = costs;
    EXPECT_EQ(
        complaint(problem),
        "the largest cost, that of sample 1, 2e+149, times the square of the largest entry of "
        "X, 6, is too large: divide X by a constant first");
}

TEST_F(ValidateTest, ShapeOfX) {
    EXPECT_EQ(complaint({row_major(data_.X.data(), 3, 2, 1), data_.labels, {}, 1}),
              "the stride of X, 1, is shorter than its lines, 2");
    EXPECT_EQ(
        complaint({row_major(static_cast<const double*>(nullptr), 3, 2), data_.labels, {}, 1}),
        "X has no data");
    EXPECT_EQ(complaint({row_major(data_.X.data(), 3, -2), data_.labels, {}, 1}),
              "X has a negative number of rows or columns");
}

TEST_F(ValidateTest, SparseX) {
    std::vector<double> values = {1, 2, 3};
    std::vector<std::int32_t> indices = {0, 1, 0};
    std::vector<std::int32_t> offsets = {0, 2, 2, 3};
    const SparseView X{values.data(),
                       indices.data(),
                       offsets.data(),
                       Scalar::float64,
                       IndexWidth::int32,
                       IndexWidth::int32,
                       Compression::rows,
                       3,
                       2};
    const Classification problem{X, data_.labels, {}, 1};
    EXPECT_EQ(complaint(problem), "nothing");
    values[2] = infinity;
    EXPECT_EQ(complaint(problem), "entry 2 of sparse X is not finite");
    values[2] = 3;
    indices[1] = 2;
    EXPECT_EQ(complaint(problem), "index 2 in line 0 of X is out of range");
    indices[1] = 0;
    EXPECT_EQ(complaint(problem), "the indices in line 0 of X are not sorted or repeat");
    indices[1] = 1;
    offsets[2] = 1;
    EXPECT_EQ(complaint(problem), "the offsets of X decrease at line 1");
    offsets[0] = 1;
    EXPECT_EQ(complaint(problem), "the offsets of X do not begin with 0");
    offsets = {0, 2, 2, 3};
    SparseView nowhere = X;
    nowhere.values = nullptr;
    EXPECT_EQ(complaint({nowhere, data_.labels, {}, 1}), "sparse X has entries but no values");
    nowhere.indices = nullptr;
    EXPECT_EQ(complaint({nowhere, data_.labels, {}, 1}), "sparse X has entries but no indices");
}

TEST_F(ValidateTest, OptionsAndWarmStart) {
    Options options;
    options.tolerance = nan;
    EXPECT_EQ(complaint(data_.problem(), options), "the tolerance is negative or not a number");
    options = {};
    options.max_iterations = 0;
    EXPECT_EQ(complaint(data_.problem(), options),
              "the largest number of iterations is not positive");
    options = {};
    options.threads = -1;
    EXPECT_EQ(complaint(data_.problem(), options), "the number of threads is negative");
    std::vector<double> w = {1, 2, 3};
    EXPECT_EQ(complaint(data_.problem(), {}, w), "the warm start has 3 entries, X has 2 columns");
    w = {1, infinity};
    EXPECT_EQ(complaint(data_.problem(), {}, w), "entry 1 of the warm start is not finite");
}

}  // namespace
}  // namespace sven::svm
