#include "reduction/curved_kernel.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "linalg/gram_panels.hpp"
#include "linalg/row_sums.hpp"
#include "reduction/tuning.hpp"

namespace sven::reduction {
CurvedKernel::CurvedKernel(linalg::ScaledDesign& X, const Setup& setup,
                           const linalg::Execution& execution)
    : DesignKernel(X, execution), setup_(setup) {
    const auto n = static_cast<std::size_t>(X.rows());
    for (auto* values : {&roots_, &u_, &origin_, &fitted_, &v_}) values->resize(n);
}

void CurvedKernel::set_curvatures(std::span<const double> curvatures) {
    curvatures_.assign(curvatures.begin(), curvatures.end());
    for (std::size_t i = 0; i < roots_.size(); ++i) roots_[i] = std::sqrt(curvatures_[i]);
    curvature_sum_ = linalg::sum_of_rows(execution_, curvatures_);
    curvature_length_ = length_of(curvatures_);
    weighted_.slots = 0;
    gram_slots_ = 0;
}

double CurvedKernel::mean_of(std::span<const double> v) const {
    return setup_.intercept ? linalg::dot_of_rows(execution_, curvatures_, v) / curvature_sum_ : 0;
}

void CurvedKernel::set_point(std::span<const double> beta, std::span<const double> fitted,
                             std::span<const double> u) {
    point_.assign(beta.begin(), beta.end());
    u_move_ = setup_.intercept ? linalg::sum_of_rows(execution_, u) / curvature_sum_ : 0;
    point_mean_ = mean_of(fitted);
    for (Index i = 0; i < rows(); ++i) {
        u_[i] = u[i] - curvatures_[i] * u_move_;
        origin_[i] = u_[i] + curvatures_[i] * (fitted[i] - point_mean_);
    }
    u_length_ = length_of(u_);
    point_length_ = curvature_length_ + length_of(origin_);
    gradient_.clear();
    products_.clear();
    followed_.clear();
    add_products(0);
    set_coefficients(point_);
}

// Where the Gram matrix is at hand, the products at the origin are the gradient and its share.
void CurvedKernel::add_products(Index first) {
    const auto size = static_cast<std::size_t>(slots());
    gradient_.resize(size);
    products_.resize(size);
    if (first == 0 && gram_slots_ == slots()) {
        correlate_columns(u_, gradient_.data());
        multiply_stored(execution_, point_.data(), products_.data());
        for (std::size_t slot = 0; slot < size; ++slot) products_[slot] += gradient_[slot];
        return;
    }
    correlate_from(first, u_, gradient_.data() + first);
    correlate_from(first, origin_, products_.data() + first);
}

void CurvedKernel::append(std::span<const Index> features) {
    if (features.empty()) return;
    const Index first = slots();
    add_slots(features);
    slot_entries_ += X_.entries_of(features);
    if (!X_.is_sparse()) {
        gather_plain(features, make_room(columns_));
        columns_.slots = slots();
    }
    point_.resize(static_cast<std::size_t>(slots()), 0.0);
    coefficients_.resize(static_cast<std::size_t>(slots()), 0.0);
    add_products(first);
}

void CurvedKernel::keep(std::span<const Index> kept) {
    for (std::size_t a = 0; a < kept.size(); ++a)
        for (auto* values : {&point_, &gradient_, &products_, &coefficients_})
            (*values)[a] = (*values)[kept[a]];
    for (auto* values : {&point_, &gradient_, &products_, &coefficients_})
        values->resize(kept.size());
    keep_columns(kept, columns_);
    keep_columns(kept, weighted_);
    keep_slots(kept, gram_slots_);
    gram_slots_ = kept_of(kept, gram_slots_);
    slot_entries_ = X_.entries_of(feature_);
    selected_.reset();
}

void CurvedKernel::predict(std::span<const double> beta, double* out) {
    if (X_.is_sparse())
        multiply_entries(beta, out);
    else
        combine_columns(columns_.values.data(), beta, out);
}

void CurvedKernel::correlate_from(Index first, std::span<const double> v, double* out) {
    if (X_.is_sparse())
        X_.correlate_some(std::span(feature_).subspan(first), v, execution_, out);
    else
        project_columns(columns_.values.data() + first * rows(), slots() - first, v, out);
}

void CurvedKernel::set_coefficients(std::span<const double> beta) {
    coefficients_.assign(beta.begin(), beta.end());
}

void CurvedKernel::follow_coefficients() {
    if (!followed_.empty() && followed_ == coefficients_) return;
    followed_ = coefficients_;
    predict(coefficients_, fitted_.data());
    const double mean = mean_of(fitted_);
    for (Index i = 0; i < rows(); ++i) v_[i] = origin_[i] - curvatures_[i] * (fitted_[i] - mean);
    intercept_move_ = u_move_ + point_mean_ - mean;
}

std::span<const double> CurvedKernel::fitted() {
    follow_coefficients();
    return fitted_;
}

double CurvedKernel::intercept_move() {
    follow_coefficients();
    return intercept_move_;
}

// From the change since the point: what rounding leaves shrinks with it.
void CurvedKernel::slot_correlations(double* out) {
    if (gram_slots_ < slots()) {
        follow_coefficients();
        correlate_columns(v_, out);
        return;
    }
    change_.resize(static_cast<std::size_t>(slots()));
    for (Index slot = 0; slot < slots(); ++slot) change_[slot] = coefficients_[slot] - point_[slot];
    multiply_stored(execution_, change_.data(), out);
    for (Index slot = 0; slot < slots(); ++slot) out[slot] = gradient_[slot] - out[slot];
}

void CurvedKernel::correlations(std::span<const Index> features, double* out) {
    if (features.empty()) return;
    follow_coefficients();
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

double CurvedKernel::residual_squares() {
    follow_coefficients();
    const double length = length_of(v_);
    return length * length;
}

double CurvedKernel::rounding() const {
    return residual_rounding(u_length_, point_length_);
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
    const Index first = weighted_.slots;
    const Index n = rows();
    if (first < slots()) {
        double* const fresh = make_room(weighted_);
        if (X_.is_sparse())
            gather_plain(std::span(feature_).subspan(first), fresh);
        else
            std::copy_n(columns_.values.data() + first * n, (slots() - first) * n, fresh);
        weigh(fresh, slots() - first);
        weighted_.slots = slots();
    }
    return weighted_.values.data();
}

void CurvedKernel::need_gram() {
    if (gram_slots_ == slots()) return;
    grow_gram(execution_, slots(), gram_slots_);
    if (X_.is_sparse())
        extend_sparse_gram(gram_slots_);
    else if (gram_slots_ == 0)
        make_gram();
    else
        extend_gram(columns(), gram_slots_);
    gram_slots_ = slots();
}

double CurvedKernel::cost_of_gram(Index first) const {
    const auto count = static_cast<double>(slots() - first);
    return X_.is_sparse() ? tuning::gram_entry / 2 * sparse_gram_work(first)
                          : count * static_cast<double>(slots()) * static_cast<double>(rows());
}

double CurvedKernel::renewal_cost() const {
    const auto m = static_cast<double>(slots());
    return cost_of_gram(0) + m * m * m / 3;
}

double CurvedKernel::pass_cost() const {
    const auto m = static_cast<double>(slots());
    const double entries = X_.is_sparse() ? slot_entries_ : m * static_cast<double>(rows());
    return tuning::streamed * (entries + m * m / 2);
}

// All of it, of rows that are weighted as they are packed: no weighted column is stored.
void CurvedKernel::make_gram() {
    constexpr Index width = linalg::gram_width;
    const Index n = rows();
    const Index m = slots();
    const Index panels = (m + width - 1) / width;
    const Index stride = panels * width;
    means_.assign(static_cast<std::size_t>(stride), 0.0);
    if (setup_.intercept) {
        project_columns(columns_.values.data(), m, curvatures_, means_.data());
        for (double& mean : means_) mean /= curvature_sum_;
    }
    const Index block = std::clamp(linalg::gram_block_entries / stride / 8 * 8,
                                   linalg::fewest_gram_rows, linalg::most_gram_rows);
    scratch_.reserve(stride * stride);
    std::fill_n(scratch_.data(), stride * stride, 0.0);
    gathered_.reserve(block * stride);
    std::fill_n(gathered_.data(), block * stride, 0.0);  // the last panel may be partly empty
    for (Index begin = 0; begin < n; begin += block) {
        execution_.check();
        const Index length = std::min(block, n - begin);
        const double work = 4.0 * static_cast<double>(length) * static_cast<double>(m);
        linalg::parallel_pieces(execution_, work, panels, 1, [&](Index from, Index to) {
            for (Index panel = from; panel < to; ++panel) {
                std::array<const double*, width> columns{};
                const Index count = std::min(width, m - panel * width);
                for (Index c = 0; c < count; ++c)
                    columns[c] = columns_.values.data() + (panel * width + c) * n + begin;
                linalg::kernels().pack_f64(columns.data(), count, means_.data() + panel * width,
                                           length, roots_.data() + begin,
                                           gathered_.data() + panel * length * width);
            }
        });
        linalg::multiply_panels({gathered_.data(), m, length}, execution_, stride, scratch_.data(),
                                {});
    }
    execution_.check();
    for (Index c = 0; c < m; ++c)
        std::copy_n(scratch_.data() + c * stride + c, m - c, gram_.data() + c * gram_stride_ + c);
}

void CurvedKernel::multiply_gram(const double* x, double* out) {
    need_gram();
    multiply_stored(execution_, x, out);
}

double CurvedKernel::multiply_cost() const {
    return static_cast<double>(slots()) * static_cast<double>(slots());
}

void CurvedKernel::multiply(std::span<const double> x, double* out) {
    combine_columns(columns(), x, out);
}

void CurvedKernel::correlate_slots(std::span<const double> v, double* out) {
    project_columns(columns(), slots(), v, out);
}

void CurvedKernel::gather(std::span<const Index> features, double* out) {
    gather_plain(features, out);
    weigh(out, static_cast<Index>(features.size()));
}

// About their means, times the curvatures: X is without weights.
void CurvedKernel::gather_right_sides(std::span<const Index> features, double* out) {
    gather(features, out);
    for (std::size_t c = 0; c < features.size(); ++c)
        for (Index i = 0; i < rows(); ++i) out[static_cast<Index>(c) * rows() + i] *= roots_[i];
}

}  // namespace sven::reduction
