#include "reduction/systems/stale_factor.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/cholesky.hpp"
#include "linalg/dense.hpp"
#include "linalg/grown_square.hpp"
#include "reduction/tuning.hpp"

namespace sven::reduction {

void StaleFactor::reset() {
    order_.clear();
    position_.clear();
    triangle_.clear();
    projection_.clear();
    l2_ = -1;
    appended_ = 0;
    has_expired_ = false;
}

void StaleFactor::reserve(Index size) {
    if (size <= stride_) return;
    const Index order = std::max<Index>({size, tuning::first_order, stride_ + stride_ / 4});
    linalg::grow_square(order, static_cast<Index>(order_.size()), linalg::Triangle::upper,
                        execution_, U_, stride_);
}

bool StaleFactor::update(const Request& request) {
    const auto& [kernel, active, ridge, l2, ahead] = request;
    kernel.need_gram();
    position_.resize(active.size(), -1);
    scale_.resize(active.size(), 0.0);
    slots_.clear();
    Index left = 0;
    for (const Index slot : order_) left += !active[slot];
    for (std::size_t slot = 0; slot < active.size(); ++slot)
        if (active[slot] && position_[slot] < 0) slots_.push_back(static_cast<Index>(slot));
    const auto fresh = static_cast<Index>(slots_.size());
    const auto size = static_cast<Index>(order_.size()) - left + fresh;
    const Index room = std::max(tuning::fewest_changed, size / tuning::changed_share);
    const bool is_far =
        l2_ < 0 || l2 > tuning::largest_l2_growth * l2_ || l2 < tuning::least_l2_share * l2_;
    if (has_expired_ || is_far || appended_ + fresh > room || left > room) {
        l2_ = l2 * ahead;
        weight_ = ahead;
        return rebuild(kernel, active, ridge);
    }
    weight_ = l2_ / l2;
    if (fresh > 0 && !append(kernel, slots_, ridge)) return false;
    return project_out(active);
}

bool StaleFactor::project_out(std::span<const char> active) {
    gone_.clear();
    const auto m = static_cast<Index>(order_.size());
    for (Index k = 0; k < m; ++k)
        if (!active[order_[k]]) gone_.push_back(k);
    return projection_.follow({{U_.data(), stride_}, triangle_, m}, gone_);
}

void StaleFactor::set_scale(const Kernel& kernel, std::span<const Index> slots,
                            std::span<const double> ridge) {
    for (const Index slot : slots)
        scale_[slot] = 1 / std::sqrt(kernel.gram(slot, slot) + weight_ * ridge[slot]);
}

// Column k of out, stride_ apart = scaled products of columns[k] with the rows. Neighbours in a
// line of the Gram matrix are of one row: several columns at a time.
void StaleFactor::fill(const Kernel& kernel, std::span<const Index> rows,
                       std::span<const Index> columns, float* out) const {
    constexpr std::size_t group = tuning::stale_group;
    for (std::size_t first = 0; first < columns.size(); first += group) {
        const std::size_t end = std::min(columns.size(), first + group);
        for (std::size_t i = 0; i < rows.size(); ++i)
            for (std::size_t k = first; k < end; ++k)
                out[static_cast<Index>(k) * stride_ + static_cast<Index>(i)] = static_cast<float>(
                    kernel.gram(rows[i], columns[k]) * scale_[rows[i]] * scale_[columns[k]]);
    }
}

bool StaleFactor::rebuild(Kernel& kernel, std::span<const char> active,
                          std::span<const double> ridge) {
    std::fill(position_.begin(), position_.end(), -1);
    slots_.clear();
    for (std::size_t slot = 0; slot < active.size(); ++slot)
        if (active[slot]) slots_.push_back(static_cast<Index>(slot));
    order_.clear();
    triangle_.clear();
    projection_.clear();
    appended_ = 0;
    has_expired_ = false;
    set_scale(kernel, slots_, ridge);
    const auto m = static_cast<Index>(slots_.size());
    reserve(m);
    const double work = static_cast<double>(m) * static_cast<double>(m);
    const std::span<const Index> slots(slots_);
    constexpr Index width = tuning::stale_columns;
    linalg::parallel_pieces(
        execution_, work, (m + width - 1) / width, 1, [&](Index from, Index to) {
            for (Index begin = from * width; begin < std::min(m, to * width); begin += width) {
                const Index end = std::min(m, begin + width);
                fill(kernel, slots.first(end), slots.subspan(begin, end - begin),
                     U_.data() + begin * stride_);
                for (Index j = begin; j < end; ++j) U_[j * stride_ + j] = 1 + tuning::jitter;
            }
        });
    if (!linalg::cholesky_upper(m, U_.data(), stride_, execution_)) return false;
    for (Index k = 0; k < m; ++k) position_[slots_[k]] = k;
    order_.assign(slots_.begin(), slots_.end());
    return triangle_.add({U_.data(), stride_}, 0, m);
}

// K bordered by the new features: U_12 = U_11^-T K_12, U_22'U_22 = K_22 - U_12'U_12.
bool StaleFactor::append(Kernel& kernel, std::span<const Index> slots,
                         std::span<const double> ridge) {
    const auto before = static_cast<Index>(order_.size());
    const auto fresh = static_cast<Index>(slots.size());
    reserve(before + fresh);
    set_scale(kernel, slots, ridge);
    float* panel = U_.data() + before * stride_;
    fill(kernel, order_, slots, panel);
    fill(kernel, slots, slots, panel + before);
    for (Index k = 0; k < fresh; ++k) panel[k * stride_ + before + k] = 1 + tuning::jitter;
    triangle_.divide_transposed({U_.data(), stride_}, {panel, stride_, before, fresh, 0},
                                execution_);
    linalg::multiply<float>({fresh, fresh, before, -1, linalg::by_rows<float>(panel, stride_),
                             linalg::by_columns<float>(panel, stride_), panel + before, stride_,
                             linalg::Part::upper});
    if (!linalg::cholesky_upper(fresh, panel + before, stride_, execution_)) return false;
    for (Index k = 0; k < fresh; ++k) {
        position_[slots[k]] = before + k;
        order_.push_back(slots[k]);
    }
    appended_ += fresh;
    return triangle_.add({U_.data(), stride_}, before, before + fresh);
}

// The factor's ridge is not that of the setting: made up for on the diagonal.
bool StaleFactor::eliminate(const Request& request, std::span<const Index> slots,
                            linalg::Buffer<double>& out) {
    with_slots_.assign(request.active.begin(), request.active.end());
    for (const Index slot : slots) with_slots_[slot] = 1;
    Request all = request;
    all.active = with_slots_;
    if (!update(all) || !project_out(request.active)) return false;
    const auto count = static_cast<Index>(slots.size());
    places_.clear();
    for (const Index slot : slots) places_.push_back(position_[slot]);
    projection_.remainder(places_, out);
    for (Index k = 0; k < count; ++k) {
        for (Index i = 0; i < count; ++i) out[k * count + i] /= scale_[slots[i]] * scale_[slots[k]];
        out[k * count + k] += (1 - weight_) * request.ridge[slots[k]];
    }
    return true;
}

void StaleFactor::apply(std::span<const char> active, const double* r, double* z) {
    const auto m = order_.size();
    x_.resize(m);
    y_.resize(m);
    for (std::size_t k = 0; k < m; ++k)
        x_[k] = static_cast<float>(r[order_[k]] * scale_[order_[k]]);
    triangle_.solve_transposed({U_.data(), stride_}, x_.data(), y_.data(), execution_);
    if (!projection_.is_empty()) projection_.apply(y_.data());
    triangle_.solve({U_.data(), stride_}, y_.data(), x_.data(), execution_);
    std::fill_n(z, active.size(), 0.0);
    for (std::size_t k = 0; k < m; ++k) {
        const Index slot = order_[k];
        if (active[slot]) z[slot] = x_[k] * scale_[slot];
    }
}

}  // namespace sven::reduction
