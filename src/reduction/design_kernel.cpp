#include "reduction/design_kernel.hpp"

#include <algorithm>
#include <array>

#include "linalg/dense.hpp"
#include "linalg/kernels.hpp"
#include "reduction/tuning.hpp"

namespace sven::reduction {

using linalg::lane_group;
using linalg::parallel_pieces;

double* DesignKernel::make_room(Columns& columns) const {
    if (slots() > columns.capacity) {
        const Index capacity = std::max<Index>(
            {slots(), tuning::first_slots, columns.capacity + columns.capacity / 2});
        columns.values.grow(capacity * rows(), columns.slots * rows(), execution_);
        columns.capacity = capacity;
    }
    return columns.values.data() + columns.slots * rows();
}

void DesignKernel::keep_columns(std::span<const Index> kept, Columns& columns) const {
    const Index n = rows();
    const Index count = kept_of(kept, columns.slots);
    for (Index a = 0; a < count; ++a) {
        if (kept[a] == a) continue;
        execution_.check();
        std::copy_n(columns.values.data() + kept[a] * n, n, columns.values.data() + a * n);
    }
    columns.slots = count;
}

void DesignKernel::combine_columns(const double* Z, std::span<const double> x, double* out) const {
    const Index n = rows();
    const double work = 2.0 * static_cast<double>(n) * static_cast<double>(slots());
    parallel_pieces(execution_, work, n, tuning::multiplied_rows, [&](Index begin, Index end) {
        std::fill(out + begin, out + end, 0.0);
        linalg::combine<double>({Z + begin, n, end - begin, slots()}, 1, x.data(), out + begin);
    });
}

void DesignKernel::project_columns(const double* Z, Index count, std::span<const double> v,
                                   double* out) const {
    const Index n = rows();
    const double work = 2.0 * static_cast<double>(n) * static_cast<double>(count);
    parallel_pieces(
        execution_, work, count, tuning::correlated_columns, [&](Index begin, Index end) {
            linalg::project<double>({Z + begin * n, n, n, end - begin}, v.data(), out + begin);
        });
}

void DesignKernel::multiply_entries(std::span<const double> x, double* out) {
    support_.clear();
    value_.clear();
    for (Index slot = 0; slot < slots(); ++slot) {
        if (x[slot] == 0) continue;
        support_.push_back(feature_[slot]);
        value_.push_back(x[slot]);
    }
    X_.multiply(support_, value_, execution_, out);
}

void DesignKernel::extend_gram(const double* Z, Index first) {
    const Index n = rows();
    const Index fresh = slots() - first;
    if (fresh <= 2 * lane_group) {
        extend_gram_by_lanes(Z, first);
        return;
    }
    const double work =
        2.0 * static_cast<double>(n) * static_cast<double>(fresh) * static_cast<double>(slots());
    const auto affordable = static_cast<Index>(tuning::gram_step_operations / (2.0 * n * fresh));
    // A step at a time: for the threads, and so that a cancel is seen within milliseconds.
    const Index step = std::max(tuning::fewest_gram_columns, affordable / lane_group * lane_group);
    const Index steps = (slots() + step - 1) / step;
    linalg::parallel_for(execution_, execution_.team_for(work), steps, [&](Index s) {
        const Index begin = s * step;
        linalg::assign<double>({fresh, std::min(step, slots() - begin), n, 1,
                                linalg::by_rows<double>(Z + first * n, n),
                                linalg::by_columns<double>(Z + begin * n, n),
                                gram_.data() + begin * gram_stride_ + first, gram_stride_});
    });
}

// Up to 16 new columns: as lanes of a panel, where a matrix product would be skinny.
void DesignKernel::extend_gram_by_lanes(const double* Z, Index first) {
    const Index n = rows();
    const Index fresh = slots() - first;
    fresh_.resize(n, fresh, execution_);
    for (Index k = 0; k < fresh; ++k) {
        execution_.check();
        fresh_.set_lane(k, {Z + (first + k) * n, static_cast<std::size_t>(n)});
    }
    const Index stride = fresh_.stride();
    scratch_.reserve((slots() + lane_group) * stride);
    const double work =
        2.0 * static_cast<double>(n) * static_cast<double>(fresh) * static_cast<double>(slots());
    constexpr Index group = linalg::gathered_columns;
    parallel_pieces(execution_, work, slots(), group, [&](Index begin, Index end) {
        std::array<const double*, group> x{};
        for (Index a = begin; a < end; a += group) {
            const Index count = std::min(group, end - a);
            std::fill_n(scratch_.data() + a * stride, count * stride, 0.0);
            for (Index i = 0; i < n && !execution_.is_cancelled(); i += tuning::polled_rows) {
                for (Index c = 0; c < count; ++c) x[c] = Z + (a + c) * n + i;
                for (Index lane = 0; lane < stride; lane += lane_group)
                    linalg::kernels().correlate_f64(
                        x.data(), count, 0, nullptr, std::min(tuning::polled_rows, n - i),
                        fresh_.row(i) + lane, stride, scratch_.data() + a * stride + lane);
            }
        }
    });
    for (Index a = 0; a < slots(); ++a)
        for (Index k = std::max<Index>(0, a - first); k < fresh; ++k)
            gram_[a * gram_stride_ + first + k] = scratch_[a * stride + k];
}

double DesignKernel::meetings(Index first) const {
    if (has_selected()) return selected_->products_cost(first);
    const auto fresh = static_cast<double>(slots() - first);
    return slot_entries_ * slot_entries_ * fresh / static_cast<double>(slots()) /
           static_cast<double>(rows());
}

double DesignKernel::sparse_gram_work(Index first) const {
    const auto fresh = static_cast<double>(slots() - first);
    return slots() == 0 ? 0
                        : std::min(slot_entries_ * fresh,
                                   tuning::row_pair / tuning::panel_entry * meetings(first));
}

void DesignKernel::extend_sparse_gram(Index first) {
    if (!extend_gram_by_rows(first)) extend_gram_by_panels(first);
}

// Where few entries meet in a row.
bool DesignKernel::extend_gram_by_rows(Index first) {
    const auto fresh = static_cast<double>(slots() - first);
    const double by_panels = tuning::panel_entry * slot_entries_ * fresh;
    if (!has_selected()) {
        const double selecting = tuning::selected_entry * slot_entries_;
        if (tuning::row_pair * meetings(first) + selecting > by_panels) return false;
        selected_ = X_.select(feature_);
    }
    if (selected_ == nullptr || tuning::row_pair * meetings(first) > by_panels) return false;
    linalg::RowProducts by = row_products();
    by.first = first;
    return X_.gram_of_selected(*selected_, feature_, by, execution_, gram_.data(), gram_stride_);
}

// 16 columns at a time.
void DesignKernel::extend_gram_by_panels(Index first) {
    constexpr Index lanes = 2 * lane_group;
    const Index n = rows();
    std::array<double, lanes> sums{};
    gathered_.reserve(lanes * n);
    for (Index begin = first; begin < slots(); begin += lanes) {
        execution_.check();
        const Index count = std::min(lanes, slots() - begin);
        const Index before = begin + count;  // slots that these rows reach back to
        gather_right_sides(std::span(feature_).subspan(begin, count), gathered_.data());
        fresh_.resize(n, count, execution_);
        for (Index k = 0; k < count; ++k)
            sums[k] = X_.fill_lane({gathered_.data() + k * n, static_cast<std::size_t>(n)}, k,
                                   execution_, fresh_);
        scratch_.reserve(before * fresh_.stride());
        X_.correlate_list(std::span(feature_).first(before), fresh_, sums, execution_,
                          scratch_.data());
        for (Index a = 0; a < before; ++a)
            for (Index k = std::max<Index>(0, a - begin); k < count; ++k)
                gram_[a * gram_stride_ + begin + k] = scratch_[a * fresh_.stride() + k];
    }
}

}  // namespace sven::reduction
