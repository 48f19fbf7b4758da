// Predictions from every kind of storage, against plain loops.

#include <gtest/gtest.h>

#include "linalg/naive.hpp"
#include "sven/error.hpp"
#include "sven/predict.hpp"

namespace sven::test {
namespace {

constexpr double intercept = -3.5;

// Every third column, from the last one down.
std::vector<Coefficient> some_coefficients(Index p) {
    std::vector<Coefficient> coefficients;
    Random random(8);
    for (Index j = p - 1; j >= 0; j -= 3) coefficients.push_back({j, random.normal(), 0});
    return coefficients;
}

void expect_predictions(const std::vector<double>& predictions, Shape shape,
                        const std::vector<double>& X,
                        const std::vector<Coefficient>& coefficients) {
    ASSERT_EQ(static_cast<Index>(predictions.size()), shape.n);
    Worst worst;
    for (Index i = 0; i < shape.n; ++i) {
        Real sum = intercept;
        Real magnitude = std::abs(intercept);
        for (const Coefficient& b : coefficients) {
            const Real term = static_cast<Real>(b.value) * X[b.feature * shape.n + i];
            sum += term;
            magnitude += std::abs(term);
        }
        worst.note(predictions[i], sum, magnitude, i);
    }
    expect_small(worst, sum_tolerance(shape.p));
}

// The largest is work for several threads.
TEST(Predict, EqualsPlainLoopsInEveryKind) {
    for (const Shape shape : {Shape{1, 1}, Shape{7, 5}, Shape{100, 40}, Shape{9000, 300}}) {
        const std::vector<double> X = mixed_matrix(shape.n, shape.p, 9);
        const std::vector<Coefficient> coefficients = some_coefficients(shape.p);
        for (const Kind& kind : all_kinds()) {
            SCOPED_TRACE(testing::Message() << name(kind) << " " << shape.n);
            const StoredMatrix matrix(kind, shape.n, shape.p, X);
            expect_predictions(predict(matrix.view(), intercept, coefficients), shape, X,
                               coefficients);
        }
    }
}

TEST(Predict, WithoutCoefficientsIsTheIntercept) {
    const std::vector<double> X = mixed_matrix(20, 6, 9);
    for (const Kind& kind : all_kinds()) {
        SCOPED_TRACE(name(kind));
        const StoredMatrix matrix(kind, 20, 6, X);
        EXPECT_EQ(predict(matrix.view(), intercept, {}), std::vector<double>(20, intercept));
    }
}

TEST(Predict, OfNoRowsIsNothing) {
    EXPECT_TRUE(predict(column_major(static_cast<const double*>(nullptr), 0, 3), 1, {}).empty());
    SparseView rows;
    rows.compression = Compression::rows;
    rows.cols = 3;
    EXPECT_TRUE(predict(rows, 1, {}).empty());
}

TEST(Predict, RefusesWhatIsNoColumn) {
    const std::vector<double> X = mixed_matrix(4, 3, 9);
    for (const Index feature : {Index{-1}, Index{3}}) {
        const std::vector<Coefficient> outside{{feature, 1, 1}};
        EXPECT_THROW((void)predict(column_major(X.data(), 4, 3), 0, outside), InvalidArgument);
    }
}

}  // namespace
}  // namespace sven::test
