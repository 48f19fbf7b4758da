#include "reduction/column_kernel.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "linalg/dense.hpp"
#include "linalg/kernels.hpp"
#include "reduction/tuning.hpp"

namespace sven::reduction {

using linalg::lane_group;
using linalg::parallel_pieces;

ColumnKernel::ColumnKernel(linalg::ScaledDesign& X, std::span<const double> y,
                           std::span<const double> products, std::span<const double> norms,
                           const linalg::Execution& execution)
    : Kernel(X.cols()), X_(X), norms_(norms), execution_(execution) {
    set_response(y, products);
}

void ColumnKernel::set_response(std::span<const double> y, std::span<const double> products) {
    y_ = y;
    products_ = products;
    residual_.assign(y.begin(), y.end());
    residual_of_.clear();
    knows_residual_ = true;
    response_norm_ = std::sqrt(linalg::squares_of_rows(execution_, y));
}

void ColumnKernel::append(std::span<const Index> features) {
    if (features.empty()) return;
    add_slots(features);
    multiplications_ = 0;
    slot_entries_ += X_.entries_of(features);
    if (!X_.is_sparse()) columns();
}

const double* ColumnKernel::columns() {
    const Index first = column_slots_;
    if (first == slots()) return columns_.data();
    if (slots() > capacity_) {
        capacity_ = std::max<Index>({slots(), tuning::first_slots, capacity_ + capacity_ / 2});
        columns_.grow(capacity_ * rows(), first * rows(), execution_);
    }
    X_.gather(std::span(feature_).subspan(first), execution_, columns_.data() + first * rows(),
              rows());
    column_slots_ = slots();
    return columns_.data();
}

void ColumnKernel::need_gram() {
    if (gram_slots_ == slots()) return;
    grow_gram(execution_, slots(), gram_slots_);
    if (X_.is_sparse()) {
        if (!extend_gram_by_rows(gram_slots_)) extend_sparse_gram(gram_slots_);
    } else {
        columns();
        extend_gram(gram_slots_);
    }
    gram_slots_ = slots();
}

double ColumnKernel::gram_cost() const {
    const auto fresh = static_cast<double>(slots() - gram_slots_);
    return X_.is_sparse() ? tuning::gram_entry * fresh * slot_entries_
                          : fresh * static_cast<double>(slots()) * static_cast<double>(rows());
}

linalg::Systems* ColumnKernel::systems() {
    if (!has_asked_for_systems_) systems_ = X_.make_systems();
    has_asked_for_systems_ = true;
    if (systems_ == nullptr || systems_->size() == slots()) return systems_.get();
    execution_.check();
    if (!systems_->append(std::span(feature_).subspan(systems_->size()))) systems_.reset();
    return systems_.get();
}

const linalg::SelectedRows* ColumnKernel::select_slots() {
    const Index known = selected_ == nullptr ? 0 : selected_->columns();
    if (slots() - known > known / tuning::selected_per_missing) {
        execution_.check();
        selected_ = X_.select(feature_);
    }
    return selected_.get();
}

// Where few entries meet in a row.
bool ColumnKernel::extend_gram_by_rows(Index first) {
    const Index known = selected_ == nullptr ? 0 : selected_->columns();
    if (known < slots()) selected_ = X_.select(feature_);
    if (selected_ == nullptr ||
        tuning::row_pair * selected_->products_cost(first) >
            tuning::panel_entry * slot_entries_ * static_cast<double>(slots() - first))
        return false;
    return X_.gram_of_selected(*selected_, feature_, first, execution_, gram_.data(), gram_stride_);
}

// The new columns as right-hand sides, 16 at a time, of products over the stored entries.
void ColumnKernel::extend_sparse_gram(Index first) {
    constexpr Index lanes = 2 * lane_group;
    const Index n = rows();
    linalg::Buffer<double> gathered(lanes * n);
    std::array<double, lanes> sums{};
    for (Index begin = first; begin < slots(); begin += lanes) {
        execution_.check();
        const Index count = std::min(lanes, slots() - begin);
        const Index before = begin + count;  // slots that these rows reach back to
        X_.gather(std::span(feature_).subspan(begin, count), execution_, gathered.data(), n);
        fresh_.resize(n, count, execution_);
        for (Index k = 0; k < count; ++k)
            sums[k] = X_.fill_lane({gathered.data() + k * n, static_cast<std::size_t>(n)}, k,
                                   execution_, fresh_);
        scratch_.reserve(before * fresh_.stride());
        X_.correlate_list(std::span(feature_).first(before), fresh_, sums, execution_,
                          scratch_.data());
        for (Index a = 0; a < before; ++a)
            for (Index k = std::max<Index>(0, a - begin); k < count; ++k)
                gram_[a * gram_stride_ + begin + k] = scratch_[a * fresh_.stride() + k];
    }
}

// Rows [first, slots()) of the lower triangle: products of the new columns with all.
void ColumnKernel::extend_gram(Index first) {
    const Index n = rows();
    const Index fresh = slots() - first;
    const double work =
        2.0 * static_cast<double>(n) * static_cast<double>(fresh) * static_cast<double>(slots());
    // Up to 16 new columns: as lanes of a panel, where a matrix product would be skinny.
    if (fresh <= 2 * lane_group) {
        fresh_.resize(n, fresh, execution_);
        for (Index k = 0; k < fresh; ++k) {
            execution_.check();
            fresh_.set_lane(k, {columns_.data() + (first + k) * n, static_cast<std::size_t>(n)});
        }
        scratch_.reserve((slots() + lane_group) * fresh_.stride());
        const Index stride = fresh_.stride();
        constexpr Index group = linalg::gathered_columns;
        parallel_pieces(execution_, work, slots(), group, [&](Index begin, Index end) {
            std::array<const double*, group> x{};
            for (Index a = begin; a < end; a += group) {
                const Index count = std::min(group, end - a);
                std::fill_n(scratch_.data() + a * stride, count * stride, 0.0);
                for (Index i = 0; i < n && !execution_.is_cancelled(); i += tuning::polled_rows) {
                    for (Index c = 0; c < count; ++c) x[c] = columns_.data() + (a + c) * n + i;
                    for (Index lane = 0; lane < stride; lane += lane_group)
                        linalg::kernels().correlate_f64(
                            x.data(), count, nullptr, std::min(tuning::polled_rows, n - i),
                            fresh_.row(i) + lane, stride, scratch_.data() + a * stride + lane);
                }
            }
        });
        for (Index a = 0; a < slots(); ++a)
            for (Index k = std::max<Index>(0, a - first); k < fresh; ++k)
                gram_[a * gram_stride_ + first + k] = scratch_[a * stride + k];
        return;
    }
    const auto affordable = static_cast<Index>(tuning::gram_step_operations / (2.0 * n * fresh));
    // A step at a time: for the threads, and so that a cancel is seen within milliseconds.
    const Index step = std::max(tuning::fewest_gram_columns, affordable / lane_group * lane_group);
    const Index steps = (slots() + step - 1) / step;
    linalg::parallel_for(execution_, execution_.team_for(work), steps, [&](Index s) {
        const Index begin = s * step;
        linalg::assign<double>({fresh, std::min(step, slots() - begin), n, 1,
                                linalg::by_rows<double>(columns_.data() + first * n, n),
                                linalg::by_columns<double>(columns_.data() + begin * n, n),
                                gram_.data() + begin * gram_stride_ + first, gram_stride_});
    });
}

void ColumnKernel::keep(std::span<const Index> kept) {
    const Index n = rows();
    const auto known = [&](Index slots_known) {
        return std::lower_bound(kept.begin(), kept.end(), slots_known) - kept.begin();
    };
    for (Index a = 0; a < known(column_slots_); ++a) {
        if (kept[a] == a) continue;
        execution_.check();
        std::copy_n(columns_.data() + kept[a] * n, n, columns_.data() + a * n);
    }
    if (systems_ != nullptr) systems_->keep(kept.first(known(systems_->size())));
    keep_slots(kept, gram_slots_);
    column_slots_ = known(column_slots_);
    gram_slots_ = known(gram_slots_);
    slot_entries_ = X_.entries_of(feature_);
    selected_.reset();
    multiplications_ = 0;
    knows_residual_ = false;
}

void ColumnKernel::multiply(std::span<const double> x, double* out) {
    const Index n = rows();
    if (X_.is_sparse()) {
        const bool pays = ++multiplications_ > tuning::multiplications_by_columns;
        if (const auto* selected = pays ? select_slots() : selected_.get(); selected != nullptr) {
            X_.multiply(*selected, feature_, x, execution_, out);
            return;
        }
        support_.clear();
        value_.clear();
        for (Index slot = 0; slot < slots(); ++slot) {
            if (x[slot] == 0) continue;
            support_.push_back(feature_[slot]);
            value_.push_back(x[slot]);
        }
        X_.multiply(support_, value_, execution_, out);
        return;
    }
    const double work = 2.0 * static_cast<double>(n) * static_cast<double>(slots());
    const auto multiply_rows = [&](Index begin, Index end) {
        std::fill_n(out + begin, end - begin, 0.0);
        linalg::combine<double>({columns_.data() + begin, n, end - begin, slots()}, 1, x.data(),
                                out + begin);
    };
    parallel_pieces(execution_, work, n, tuning::multiplied_rows, multiply_rows);
}

void ColumnKernel::set_coefficients(std::span<const double> beta) {
    if (has_residual_of(beta)) return;
    knows_residual_ = false;  // a cancel may leave it half done
    multiply(beta, residual_.data());
    for (Index i = 0; i < rows(); ++i) residual_[i] = y_[i] - residual_[i];
    residual_of_.assign(beta.begin(), beta.end());
    knows_residual_ = true;
}

// Slots that came since have no part in it.
bool ColumnKernel::has_residual_of(std::span<const double> beta) const {
    const std::size_t known = residual_of_.size();
    return knows_residual_ && beta.size() >= known &&
           std::equal(residual_of_.begin(), residual_of_.end(), beta.begin()) &&
           std::all_of(beta.begin() + known, beta.end(), [](double b) { return b == 0; });
}

void ColumnKernel::slot_correlations(double* out) {
    correlate_slots(residual_, out);
}

void ColumnKernel::correlate_slots(std::span<const double> v, double* out) {
    if (X_.is_sparse()) {
        X_.correlate_some(feature_, v, execution_, out);
        return;
    }
    const Index n = rows();
    const double work = 2.0 * static_cast<double>(n) * static_cast<double>(slots());
    parallel_pieces(execution_, work, slots(), tuning::correlated_columns,
                    [&](Index begin, Index end) {
                        linalg::project<double>({columns_.data() + begin * n, n, n, end - begin},
                                                v.data(), out + begin);
                    });
}

// From the entries of the slots that are kept beside each other; v is spoilt.
void ColumnKernel::correlate_selected(std::span<double> v, double* out) {
    const Index known = selected_->columns();
    const std::span<const Index> features(feature_);
    X_.correlate_some(features.subspan(known), v, execution_, out + known);
    const double sum = X_.lane_sum(v, execution_);
    const std::span<const double> roots = X_.scales().root_weights;
    for (std::size_t i = 0; i < roots.size(); ++i) v[i] *= roots[i];
    selected_->correlate(v, execution_, out);
    for (Index slot = 0; slot < known; ++slot)
        out[slot] = X_.correct(feature_[slot], out[slot], sum);
}

void ColumnKernel::gather(std::span<const Index> features, double* out) {
    X_.gather(features, execution_, out, rows());
}

void ColumnKernel::correlations(std::span<const Index> features, double* out) {
    X_.correlate_some(features, residual_, execution_, out);
}

void ColumnKernel::multiply_gram(const double* x, double* out) {
    if (!X_.is_sparse() && slots() < 2 * rows()) {
        need_gram();
        multiply_stored(execution_, x, out);
        return;
    }
    product_.resize(static_cast<std::size_t>(rows()));
    multiply({x, static_cast<std::size_t>(slots())}, product_.data());
    if (X_.is_sparse() && multiplications_ > tuning::multiplications_by_columns &&
        selected_ != nullptr)
        correlate_selected(product_, out);
    else
        correlate_slots(product_, out);
}

double ColumnKernel::multiply_cost() const {
    const auto m = static_cast<double>(slots());
    const auto n = static_cast<double>(rows());
    return X_.is_sparse() ? 2 * slot_entries_ + 4 * n : m * std::min(m, 2 * n);
}

double ColumnKernel::residual_squares() {
    return linalg::squares_of_rows(execution_, residual_);
}

double ColumnKernel::rounding() const {
    return residual_rounding(std::sqrt(linalg::squares_of_rows(execution_, residual_)),
                             response_norm_);
}

bool ColumnKernel::sweep(std::span<const Index> slots, int rounds,
                         const linalg::CoordinateStep& step) {
    knows_residual_ = false;
    if (X_.is_sparse()) {
        support_.clear();
        for (const Index slot : slots) support_.push_back(feature_[slot]);
        return X_.sweep(support_, rounds, step, residual_);
    }
    const Index n = rows();
    columns();
    for (int k = 0; k < rounds; ++k)
        for (std::size_t c = 0; c < slots.size(); ++c) {
            const double* x = columns_.data() + slots[c] * n;
            const double t = step(static_cast<Index>(c), linalg::dot(n, x, residual_.data()));
            if (t != 0) linalg::axpy(n, -t, x, residual_.data());
        }
    return true;
}

double ColumnKernel::sweep_cost(std::span<const Index> slots) const {
    const auto count = static_cast<double>(slots.size());
    if (X_.is_sparse())
        return tuning::swept_entry * slot_entries_ * count /
                   static_cast<double>(std::max<Index>(1, this->slots())) +
               tuning::swept_coordinate * count;
    return 2 * tuning::streamed * static_cast<double>(rows()) * count;  // read twice
}

}  // namespace sven::reduction
