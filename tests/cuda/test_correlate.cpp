// X'Q of dense X on the GPU against plain loops: wherever rows and columns begin between boundaries
// of 16 bytes, with what lies between and around them no numbers.

#include <gtest/gtest.h>

#include <limits>

#include "cuda/kernels.hpp"
#include "cuda/runtime.hpp"
#include "linalg/naive.hpp"

namespace sven::test {
namespace {

using namespace sven::cuda;

template <class T>
DeviceBuffer<T> send(const std::vector<T>& values) {
    DeviceBuffer<T> there(MemoryKind::matrix);
    SVEN_CUDA(cudaMemcpy(there.reserve(static_cast<Index>(values.size())), values.data(),
                         values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return there;
}

struct Case {
    Index rows;
    Index cols;
    bool by_columns;
    Index before;   // numbers before the first entry of X
    Index between;  // and between its lines
    bool has_shift;
    bool has_list;
    Index begin;   // the first column, without a list
    Index stride;  // of Q
};

template <class T>
class Stored {
  public:
    explicit Stored(const Case& c) : case_(c) {
        const Index length = c.by_columns ? c.rows : c.cols;
        const Index lines = c.by_columns ? c.cols : c.rows;
        lead_ = length + c.between;
        values_.assign(static_cast<std::size_t>(c.before + (lines - 1) * lead_ + length),
                       std::numeric_limits<T>::quiet_NaN());
        Random random(7);
        for (Index line = 0; line < lines; ++line)
            for (Index k = 0; k < length; ++k)
                values_[c.before + line * lead_ + k] =
                    static_cast<T>(random.normal() + (c.has_shift ? 100 : 0));
        there_ = send(values_);
    }
    DenseData<T> data() const {
        return {there_.data() + case_.before, case_.by_columns ? 1 : lead_,
                case_.by_columns ? lead_ : 1, case_.rows, case_.cols};
    }
    double operator()(Index i, Index j) const {
        return values_[case_.before + (case_.by_columns ? j * lead_ + i : i * lead_ + j)];
    }

  private:
    Case case_;
    Index lead_ = 0;
    std::vector<T> values_;
    DeviceBuffer<T> there_;
};

template <class T>
void expect_products(const Case& c) {
    const Stored<T> X(c);
    const std::vector<double> Q = random_vector(c.rows * c.stride, 8);
    std::vector<double> shift(static_cast<std::size_t>(c.cols));
    if (c.has_shift) shift.assign(shift.size(), 100.25);
    std::vector<Index> columns;
    for (Index j = c.has_list ? 0 : c.begin; j < c.cols; ++j)
        if (!c.has_list || j % 3 != 1) columns.push_back(c.has_list ? c.cols - 1 - j : j);
    const auto count = static_cast<Index>(columns.size());
    const auto Q_there = send(Q);
    const auto shift_there = send(shift);
    const auto list_there = send(columns);
    std::vector<double> out(static_cast<std::size_t>(count * c.stride),
                            std::numeric_limits<double>::quiet_NaN());
    const auto out_there = send(out);
    DeviceBuffer<double> partial(MemoryKind::matrix);
    partial.reserve(correlate_scratch(c.rows, count, c.stride));
    const Stream stream;
    correlate(X.data(),
              {c.has_list ? list_there.data() : nullptr, c.has_list ? 0 : c.begin, count,
               c.has_shift ? shift_there.data() : nullptr},
              {Q_there.data(), c.stride}, out_there.data(), partial.data(), stream);
    stream.synchronize();
    SVEN_CUDA(cudaMemcpy(out.data(), out_there.data(), out.size() * 8, cudaMemcpyDeviceToHost));
    Worst worst;
    for (Index k = 0; k < count; ++k)
        for (Index lane = 0; lane < c.stride; ++lane) {
            Real sum = 0;
            Real magnitude = 0;
            for (Index i = 0; i < c.rows; ++i) {
                const Real term = (static_cast<Real>(X(i, columns[k])) - shift[columns[k]]) *
                                  Q[i * c.stride + lane];
                sum += term;
                magnitude += std::abs(term);
            }
            const Index at = k * c.stride + lane;
            worst.note(out[at], sum, magnitude, at);
        }
    expect_small(worst, sum_tolerance(c.rows));
}

class Correlate : public testing::TestWithParam<Shape> {
  protected:
    // All places of the first entry and of the lines.
    void each(const std::function<void(const Case&)>& check) const {
        const auto [n, p] = GetParam();
        for (const bool by_columns : {true, false})
            for (const Index before : {0, 1, 2, 3})
                for (const Index between : {0, 1, 4})
                    for (const bool has_shift : {false, true}) {
                        SCOPED_TRACE(testing::Message()
                                     << (by_columns ? "columns" : "rows") << ", " << before
                                     << " before, " << between << " between, shift " << has_shift);
                        check({n, p, by_columns, before, between, has_shift, false, 0, 8});
                        check({n, p, by_columns, before, between, has_shift, false, p / 3, 16});
                        check({n, p, by_columns, before, between, has_shift, true, 0, 8});
                    }
    }
};

TEST_P(Correlate, DoublesEqualPlainLoops) {
    each(expect_products<double>);
}

TEST_P(Correlate, FloatsEqualPlainLoops) {
    each(expect_products<float>);
}

// One row and one column, fewer columns than a group, several groups, and segments of rows.
INSTANTIATE_TEST_SUITE_P(Shapes, Correlate,
                         testing::Values(Shape{1, 1}, Shape{3, 7}, Shape{17, 40}, Shape{64, 64},
                                         Shape{65, 71}, Shape{441, 90}, Shape{901, 33},
                                         Shape{2501, 21}),
                         shape_name);

}  // namespace
}  // namespace sven::test
