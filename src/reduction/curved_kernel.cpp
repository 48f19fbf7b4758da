#include "reduction/curved_kernel.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/row_sums.hpp"
#include "reduction/tuning.hpp"

namespace sven::reduction {
namespace {

void make_room(linalg::Buffer<double>& columns, Index& capacity, Index rows, Index kept, Index size,
               const linalg::Execution& execution) {
    if (size <= capacity) return;
    capacity = std::max<Index>({size, tuning::first_slots, capacity + capacity / 2});
    columns.grow(capacity * rows, kept * rows, execution);
}

}  // namespace

CurvedKernel::CurvedKernel(linalg::ScaledDesign& X, const Setup& setup,
                           const linalg::Execution& execution)
    : Kernel(X.cols()), X_(X), setup_(setup), execution_(execution) {
    const auto n = static_cast<std::size_t>(X.rows());
    for (auto* values : {&curvatures_, &roots_, &u_, &origin_, &v_}) values->resize(n);
}

void CurvedKernel::set_point(std::span<const double> beta, std::span<const double> curvatures,
                             std::span<const double> u) {
    const Index n = rows();
    point_.assign(beta.begin(), beta.end());
    curvature_sum_ = linalg::sum_of_rows(execution_, curvatures);
    u_move_ = setup_.intercept ? linalg::sum_of_rows(execution_, u) / curvature_sum_ : 0;
    for (Index i = 0; i < n; ++i) {
        curvatures_[i] = curvatures[i];
        roots_[i] = std::sqrt(curvatures[i]);
        u_[i] = u[i] - curvatures[i] * u_move_;
    }
    weighted_slots_ = 0;
    gram_slots_ = 0;
    point_length_ = length_of(curvatures_) + length_of(u_);
    change_.assign(point_.size(), 0.0);
    set_coefficients(change_);
    origin_ = v_;
    products_.clear();
    add_products(0);
    v_ = u_;
    intercept_move_ = u_move_;
}

void CurvedKernel::add_products(Index first) {
    products_.resize(static_cast<std::size_t>(slots()));
    const Index n = rows();
    linalg::project<double>({columns_.data() + first * n, n, n, slots() - first}, origin_.data(),
                            products_.data() + first);
}

void CurvedKernel::append(std::span<const Index> features) {
    if (features.empty()) return;
    const Index first = slots();
    add_slots(features);
    make_room(columns_, capacity_, rows(), first, slots(), execution_);
    X_.gather(features, execution_, columns_.data() + first * rows(), rows());
    point_.resize(static_cast<std::size_t>(slots()), 0.0);
    add_products(first);
}

void CurvedKernel::keep(std::span<const Index> kept) {
    const Index n = rows();
    for (std::size_t a = 0; a < kept.size(); ++a) {
        point_[a] = point_[kept[a]];
        products_[a] = products_[kept[a]];
        const auto to = static_cast<Index>(a);
        if (kept[a] != to) std::copy_n(columns_.data() + kept[a] * n, n, columns_.data() + to * n);
    }
    point_.resize(kept.size());
    products_.resize(kept.size());
    weighted_slots_ = 0;
    keep_slots(kept, 0);
    gram_slots_ = 0;
}

void CurvedKernel::predict(std::span<const double> beta, double* out) const {
    const Index n = rows();
    const double work = 2.0 * static_cast<double>(n) * static_cast<double>(slots());
    linalg::parallel_pieces(
        execution_, work, n, tuning::multiplied_rows, [&](Index begin, Index end) {
            std::fill(out + begin, out + end, 0.0);
            linalg::combine<double>({columns_.data() + begin, n, end - begin, slots()}, 1,
                                    beta.data(), out + begin);
        });
}

void CurvedKernel::correlate_columns(std::span<const double> v, double* out) const {
    const Index n = rows();
    const double work = 2.0 * static_cast<double>(n) * static_cast<double>(slots());
    linalg::parallel_pieces(
        execution_, work, slots(), tuning::correlated_columns, [&](Index begin, Index end) {
            linalg::project<double>({columns_.data() + begin * n, n, n, end - begin}, v.data(),
                                    out + begin);
        });
}

void CurvedKernel::set_coefficients(std::span<const double> beta) {
    const Index n = rows();
    change_.resize(static_cast<std::size_t>(slots()));
    for (Index slot = 0; slot < slots(); ++slot) change_[slot] = beta[slot] - point_[slot];
    predict(change_, v_.data());
    double move = 0;
    if (setup_.intercept) move = -linalg::dot_of_rows(execution_, curvatures_, v_) / curvature_sum_;
    for (Index i = 0; i < n; ++i) v_[i] = u_[i] - curvatures_[i] * (v_[i] + move);
    intercept_move_ = u_move_ + move;
}

void CurvedKernel::correlations(std::span<const Index> features, double* out) {
    X_.correlate_some(features, v_, execution_, out);
}

// The length that the weights of the problem give to a vector of u's kind.
double CurvedKernel::length_of(std::span<const double> v) const {
    const auto squares_of = [&](Index begin, Index length) {
        double squares = 0;
        for (Index i = begin; i < begin + length; ++i)
            if (v[i] != 0)
                squares += v[i] * v[i] / (setup_.weights.empty() ? 1 : setup_.weights[i]);
        return linalg::RowSums<1>{squares};
    };
    return std::sqrt(
        linalg::sum_rows<1>(execution_, rows(), linalg::lane_operations, squares_of)[0]);
}

double CurvedKernel::rounding() const {
    return residual_rounding(length_of(v_), point_length_);
}

// Columns, to root(k) (x - mean), the mean by the curvatures.
void CurvedKernel::weigh(double* columns, Index count) const {
    const Index n = rows();
    const double work = 4.0 * static_cast<double>(n) * static_cast<double>(count);
    linalg::parallel_pieces(execution_, work, count, 1, [&](Index begin, Index end) {
        for (Index c = begin; c < end; ++c) {
            double* column = columns + c * n;
            double mean = 0;
            if (setup_.intercept)
                mean = linalg::dot_of_rows({}, curvatures_, {column, curvatures_.size()}) /
                       curvature_sum_;
            for (Index i = 0; i < n; ++i) column[i] = roots_[i] * (column[i] - mean);
        }
    });
}

const double* CurvedKernel::columns() {
    const Index first = weighted_slots_;
    const Index n = rows();
    if (first == slots()) return weighted_.data();
    make_room(weighted_, weighted_capacity_, n, first, slots(), execution_);
    std::copy_n(columns_.data() + first * n, (slots() - first) * n, weighted_.data() + first * n);
    weigh(weighted_.data() + first * n, slots() - first);
    weighted_slots_ = slots();
    return weighted_.data();
}

void CurvedKernel::need_gram() {
    if (gram_slots_ == slots()) return;
    const double* Z = columns();
    const Index n = rows();
    const Index first = gram_slots_;
    grow_gram(execution_, slots(), first);
    // the lower triangle, some columns at a time
    const Index blocks = (slots() + tuning::gram_block - 1) / tuning::gram_block;
    const double work = static_cast<double>(n) * static_cast<double>(slots() - first) *
                        static_cast<double>(slots() + first);
    linalg::parallel_for(execution_, execution_.team_for(work), blocks, [&](Index block) {
        const Index begin = block * tuning::gram_block;
        const Index end = std::min(slots(), begin + tuning::gram_block);
        const Index from = std::max(first, begin);
        linalg::assign<double>({slots() - from, end - begin, n, 1,
                                linalg::by_rows<double>(Z + from * n, n),
                                linalg::by_columns<double>(Z + begin * n, n),
                                gram_.data() + begin * gram_stride_ + from, gram_stride_});
    });
    gram_slots_ = slots();
}

void CurvedKernel::multiply_gram(const double* x, double* out) {
    need_gram();
    multiply_stored(execution_, x, out);
}

double CurvedKernel::multiply_cost() const {
    return static_cast<double>(slots()) * static_cast<double>(slots());
}

void CurvedKernel::multiply(std::span<const double> x, double* out) {
    const double* Z = columns();
    const Index n = rows();
    const double work = 2.0 * static_cast<double>(n) * static_cast<double>(slots());
    linalg::parallel_pieces(
        execution_, work, n, tuning::multiplied_rows, [&](Index begin, Index end) {
            std::fill(out + begin, out + end, 0.0);
            linalg::combine<double>({Z + begin, n, end - begin, slots()}, 1, x.data(), out + begin);
        });
}

void CurvedKernel::correlate_slots(std::span<const double> v, double* out) {
    const double* Z = columns();
    const Index n = rows();
    const double work = 2.0 * static_cast<double>(n) * static_cast<double>(slots());
    linalg::parallel_pieces(
        execution_, work, slots(), tuning::correlated_columns, [&](Index begin, Index end) {
            linalg::project<double>({Z + begin * n, n, n, end - begin}, v.data(), out + begin);
        });
}

void CurvedKernel::gather(std::span<const Index> features, double* out) {
    X_.gather(features, execution_, out, rows());
    weigh(out, static_cast<Index>(features.size()));
}

}  // namespace sven::reduction
