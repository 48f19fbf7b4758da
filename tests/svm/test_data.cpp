// Real two-class data: the prostate data of the repository, and the sets of the folder that
// SVEN_DATA names (written by tests/support/export_data.py), each skipped by name where absent.

#include <gtest/gtest.h>

#include <cstdlib>

#include "support/data_file.hpp"
#include "support/two_class.hpp"
#include "svm/liblinear.hpp"

namespace sven::svm {
namespace {

using test::DataFile;

std::vector<double> explicit_samples(const DataFile& data) {
    std::vector<double> z;
    z.reserve(static_cast<std::size_t>(data.rows * data.cols));
    for (Index i = 0; i < data.rows; ++i) {
        for (double value : data.row(i)) z.push_back(data.labels[i] * value);
    }
    return z;
}

// The relative duality gap by plain loops over the samples.
double naive_gap(const DataFile& data, double cost, const std::vector<double>& w) {
    std::vector<double> gradient = w;
    double objective = 0.5 * test::dot(w.data(), w.data(), data.cols);
    for (Index i = 0; i < data.rows; ++i) {
        const auto x = data.row(i);
        const double margin = 1 - data.labels[i] * test::dot(x.data(), w.data(), data.cols);
        if (margin <= 0) continue;
        objective += cost * margin * margin;
        for (Index j = 0; j < data.cols; ++j)
            gradient[j] -= 2 * cost * margin * data.labels[i] * x[j];
    }
    return 0.5 * test::dot(gradient.data(), gradient.data(), data.cols) / objective;
}

// ||w - w*||^2 <= 2 (P(w) - P*), so either gap bounds how far the two may differ.
void compare(const DataFile& data, double cost, double eps) {
    Options options;
    options.tolerance = 1e-14;
    const Classifier ours = train({data.view(), data.labels, {}, cost}, options);
    EXPECT_EQ(ours.status, Status::optimal);
    EXPECT_LE(naive_gap(data, cost, ours.w), 1e-13);
    if (!has_liblinear()) return;
    const auto z = explicit_samples(data);
    const LinearFit theirs = train_liblinear({z, data.rows, data.cols, cost, eps});
    const double their_gap = naive_gap(data, cost, theirs.w);
    EXPECT_LE(their_gap, 1e-8) << "LIBLINEAR did not reach its tolerance";
    const double reach = std::sqrt(2 * ours.objective * their_gap) + 1e-6 * test::largest(ours.w);
    EXPECT_LE(test::largest_difference(ours.w, theirs.w), reach);
}

TEST(RealData, Prostate) {
    const DataFile data = test::read_prostate(SVEN_SOURCE_DIR "/data/prostate.csv");
    ASSERT_EQ(data.rows, 97);
    for (const double cost : {0.01, 1.0, 100.0}) compare(data, cost, 1e-10);
}

class SharedData : public testing::TestWithParam<const char*> {};

TEST_P(SharedData, EqualsLiblinear) {
    const char* folder = std::getenv("SVEN_DATA");
    const std::string path =
        std::string(folder == nullptr ? "" : folder) + "/" + GetParam() + ".bin";
    auto data = test::read_data_file(path);
    if (!data) GTEST_SKIP() << GetParam() << ": no " << path;
    test::scale_columns(*data);
    for (const double cost : {0.01, 1.0}) compare(*data, cost, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Sets, SharedData,
                         testing::Values("arcene", "chowdary", "colon", "leukemia", "mitfaces",
                                         "singh", "spam", "w8a"),
                         [](const auto& set) { return std::string(set.param); });

}  // namespace
}  // namespace sven::svm
