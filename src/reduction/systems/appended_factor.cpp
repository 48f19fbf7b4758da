#include "reduction/systems/appended_factor.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "linalg/cholesky.hpp"
#include "linalg/dense.hpp"
#include "linalg/row_sums.hpp"
#include "reduction/tuning.hpp"

namespace sven::reduction {
// Seconds, roughly: only the ratio to the cost of removals matters.
double AppendedFactor::rebuild_cost(Index size) const {
    const auto m = static_cast<double>(size);
    return m * m * m / 3 / tuning::factor_rate + m * m * tuning::gather_seconds;
}

double AppendedFactor::removal_cost(const SystemRequest& request) const {
    double cost = 0;
    for (std::size_t k = 0; k < order_.size(); ++k) {
        const auto behind = static_cast<double>(order_.size() - k);
        if (!request.active[order_[k]]) cost += tuning::rotation_seconds * behind * behind;
    }
    return cost;
}

bool AppendedFactor::update(const SystemRequest& request) {
    refused_.clear();
    const bool is_same = request.l2 == l2_;
    SystemRequest own = request;
    own.known = order_;
    const std::size_t known = list_slots(own, is_known_, slots_);
    request.kernel.need_gram();
    const std::size_t fresh = slots_.size() - known;
    if (is_same && known == order_.size() && fresh == 0) return true;
    const bool rebuilds = !is_same || fresh > known ||
                          removal_cost(request) > rebuild_cost(static_cast<Index>(slots_.size()));
    l2_ = request.l2;
    if (rebuilds ? rebuild(request, slots_, known) : follow(request, known)) return true;
    refused_.clear();
    l2_ = -1;  // as far as it went, the order is still a guess at what is independent
    return false;
}

bool AppendedFactor::follow(const SystemRequest& request, std::size_t known) {
    for (auto k = static_cast<Index>(order_.size()) - 1; k >= 0; --k) {
        if (request.active[order_[k]]) continue;
        execution_.check();
        remove(k);
    }
    return append(request, std::span<const Index>(slots_).subspan(known));
}

// The first `known` were factored before: together they are most likely independent, and what is
// not is among the rest.
bool AppendedFactor::rebuild(const SystemRequest& request, std::span<const Index> slots,
                             std::size_t known) {
    if (rebuild_at_once(request, slots)) return true;
    const bool has_known = known < slots.size() && rebuild_at_once(request, slots.first(known));
    if (!has_known) {
        order_.clear();
        known = 0;
    }
    return append(request, slots.subspan(known));
}

// False where a pivot is too small to trust.
bool AppendedFactor::rebuild_at_once(const SystemRequest& request, std::span<const Index> slots) {
    const auto m = static_cast<Index>(slots.size());
    order_.clear();
    reserve(m);
    const double work = static_cast<double>(m) * static_cast<double>(m);
    linalg::parallel_pieces(
        execution_, work, m, tuning::filled_columns, [&](Index begin, Index end) {
            for (Index j = begin; j < end; ++j) {
                double* column = U_.data() + j * stride_;
                for (Index i = 0; i < j; ++i) column[i] = request.kernel.gram(slots[i], slots[j]);
                column[j] = request.kernel.gram(slots[j], slots[j]) + request.ridge[slots[j]];
            }
        });
    if (!linalg::cholesky_upper(m, U_.data(), stride_, execution_)) return false;
    for (Index j = 0; j < m; ++j) {
        const double pivot = U_[j * stride_ + j];
        const double diagonal = request.kernel.gram(slots[j], slots[j]) + request.ridge[slots[j]];
        if (!(pivot * pivot > tuning::coarse_pivot * diagonal)) return false;
    }
    order_.assign(slots.begin(), slots.end());
    return true;
}

// Whether the slot's column lies in the span of the factored ones; `solved` is U^-T of its products
// with them. The distance is taken from the columns themselves, with one correction, since the
// Gram matrix knows it only to the square root of its rounding.
bool AppendedFactor::is_dependent(const SystemRequest& request, Index slot, const double* solved) {
    Kernel& kernel = request.kernel;
    const Index n = kernel.rows();
    const auto m = static_cast<Index>(order_.size());
    // A ridge of its own keeps a column apart from every other.
    const double length = kernel.gram(slot, slot) + request.ridge[slot];
    const double threshold = tuning::dependent_distance * tuning::dependent_distance * length;
    if (request.ridge[slot] > threshold) return false;
    columns_.reserve(2 * n);
    double* rest = columns_.data();
    double* product = rest + n;
    const Index feature = kernel.feature(slot);
    kernel.gather({&feature, 1}, rest);
    if (is_multiple(request, slot, threshold)) return true;
    gathered_.assign(solved, solved + m);
    for (int pass = 0; pass < 2; ++pass) {
        execution_.check();
        linalg::solve_upper({m, U_.data(), stride_}, gathered_.data());
        by_slot_.assign(static_cast<std::size_t>(kernel.slots()), 0.0);
        for (Index i = 0; i < m; ++i) by_slot_[order_[i]] = gathered_[i];
        kernel.multiply(by_slot_, product);
        for (Index i = 0; i < n; ++i) rest[i] -= product[i];
        if (pass > 0) break;
        kernel.correlate_slots({rest, static_cast<std::size_t>(n)}, by_slot_.data());
        for (Index i = 0; i < m; ++i) gathered_[i] = by_slot_[order_[i]];
        linalg::solve_upper_transposed({m, U_.data(), stride_}, gathered_.data());
    }
    return linalg::squares_of_rows(execution_, {rest, static_cast<std::size_t>(n)}) <= threshold;
}

// Most dependent columns repeat a single other one: the nearest in angle is compared entry by
// entry, which spares the solves. The slot's own column is in columns_.
bool AppendedFactor::is_multiple(const SystemRequest& request, Index slot, double threshold) {
    Kernel& kernel = request.kernel;
    const Index n = kernel.rows();
    Index nearest = -1;
    double cosine = 0;  // squared, times ||x_slot||^2
    for (const Index other : order_) {
        const double product = kernel.gram(other, slot);
        const double square = product * product / kernel.gram(other, other);
        if (!(square > cosine)) continue;
        cosine = square;
        nearest = other;
    }
    if (nearest < 0 || cosine < (1 - tuning::coarse_pivot) * kernel.gram(slot, slot)) return false;
    const double* column = columns_.data();
    double* other = columns_.data() + n;
    const Index feature = kernel.feature(nearest);
    kernel.gather({&feature, 1}, other);
    const double ratio = kernel.gram(nearest, slot) / kernel.gram(nearest, nearest);
    for (Index i = 0; i < n; ++i) other[i] = column[i] - ratio * other[i];
    return linalg::squares_of_rows(execution_, {other, static_cast<std::size_t>(n)}) <= threshold;
}

// New columns of U, some at a time behind a common triangular solve. False, with the factor as far
// as it went, where the columns should be asked (a QR); without columns, small pivots are refused.
bool AppendedFactor::append(const SystemRequest& request, std::span<const Index> slots) {
    reserve(static_cast<Index>(order_.size() + slots.size()));
    for (std::size_t begin = 0; begin < slots.size(); begin += tuning::append_step)
        if (!append_some(request,
                         slots.subspan(begin, std::min<std::size_t>(tuning::append_step,
                                                                    slots.size() - begin))))
            return false;
    return true;
}

bool AppendedFactor::append_some(const SystemRequest& request, std::span<const Index> slots) {
    Kernel& kernel = request.kernel;
    const auto added = static_cast<Index>(slots.size());
    const auto before = static_cast<Index>(order_.size());
    for (Index k = 0; k < added; ++k) {
        double* column = U_.data() + (before + k) * stride_;
        for (Index i = 0; i < before; ++i) column[i] = kernel.gram(order_[i], slots[k]);
    }
    const double work = static_cast<double>(before * before) * static_cast<double>(added);
    const auto divide = [&](Index begin, Index end) {
        linalg::divide_upper_transposed<double>({before, U_.data(), stride_}, end - begin,
                                                U_.data() + (before + begin) * stride_, stride_);
    };
    linalg::parallel_pieces(execution_, work / tuning::divided_speed, added,
                            tuning::divided_columns, divide);
    for (Index k = 0; k < added; ++k) {
        execution_.check();
        const auto m = static_cast<Index>(order_.size());
        const double* solved = U_.data() + (before + k) * stride_;
        double* column = U_.data() + m * stride_;
        if (column != solved) std::copy_n(solved, before, column);
        for (Index i = before; i < m; ++i) {
            const double* other = U_.data() + i * stride_;
            column[i] =
                (kernel.gram(order_[i], slots[k]) - linalg::dot(i, other, column)) / other[i];
        }
        const double diagonal = kernel.gram(slots[k], slots[k]) + request.ridge[slots[k]];
        const double pivot = diagonal - linalg::dot(m, column, column);
        if (!(pivot > tuning::coarse_pivot * diagonal) && kernel.has_columns()) {
            if (!is_dependent(request, slots[k], column)) return false;
            refused_.push_back(slots[k]);
            continue;
        }
        if (!(pivot > tuning::dependent_pivot * diagonal)) {
            refused_.push_back(slots[k]);
            continue;
        }
        column[m] = std::sqrt(pivot);
        order_.push_back(slots[k]);
    }
    return true;
}

// Takes a column out and brings U back to triangular form by plane rotations.
void AppendedFactor::remove(Index position) {
    const auto m = static_cast<Index>(order_.size());
    cosine_.resize(static_cast<std::size_t>(m));
    sine_.resize(static_cast<std::size_t>(m));
    constexpr Index together = tuning::rotated_columns;
    for (Index first = position; first + 1 < m; first += together) {
        const Index end = std::min(first + together, m - 1);
        for (Index k = first; k < end; ++k)
            std::copy_n(U_.data() + (k + 1) * stride_, k + 2, U_.data() + k * stride_);
        if (end - first == together) {
            rotate<together>(position, first, U_.data() + first * stride_);
        } else {
            for (Index k = first; k < end; ++k) rotate<1>(position, first, U_.data() + k * stride_);
        }
        for (Index k = first; k < end; ++k) {
            double* column = U_.data() + k * stride_;
            rotate<1>(first, k, column);
            const double length = std::hypot(column[k], column[k + 1]);
            cosine_[k] = column[k] / length;
            sine_[k] = column[k + 1] / length;
            column[k] = length;
        }
    }
    order_.erase(order_.begin() + position);
}

// The rotations [begin, end) of columns beside each other: within one of them each rotation waits
// for the one before.
template <Index Count>
void AppendedFactor::rotate(Index begin, Index end, double* columns) const {
    std::array<double, Count> upper;
    for (Index c = 0; c < Count; ++c) upper[c] = columns[c * stride_ + begin];
    for (Index i = begin; i < end; ++i) {
        const double cosine = cosine_[i];
        const double sine = sine_[i];
        for (Index c = 0; c < Count; ++c) {
            double* entry = columns + c * stride_ + i;
            const double lower = entry[1];
            entry[0] = cosine * upper[c] + sine * lower;
            upper[c] = cosine * lower - sine * upper[c];
        }
    }
    for (Index c = 0; c < Count; ++c) columns[c * stride_ + end] = upper[c];
}

bool AppendedFactor::inverse_diagonal(std::vector<double>& out) {
    constexpr Index width = tuning::inverted_columns;
    const auto m = static_cast<Index>(order_.size());
    out.assign(static_cast<std::size_t>(m), 0.0);
    // (K^-1)_kk = ||U^-T e_k||^2, whose first k entries are zero
    const double size = static_cast<double>(m);
    const linalg::Team team = execution_.team_for(size * size * size / 3);
    linalg::parallel_for(execution_, team, (m + width - 1) / width, [&](Index block) {
        const Index first = block * width;
        const Index count = std::min(width, m - first);
        const Index rows = m - first;
        linalg::Buffer<double> columns(rows * count);
        std::fill_n(columns.data(), rows * count, 0.0);
        for (Index k = 0; k < count; ++k) columns[k * rows + k] = 1;
        linalg::divide_upper_transposed<double>(
            {rows, U_.data() + first * stride_ + first, stride_}, count, columns.data(), rows);
        for (Index k = 0; k < count; ++k)
            out[first + k] =
                linalg::dot(rows, columns.data() + k * rows, columns.data() + k * rows);
    });
    return true;
}

}  // namespace sven::reduction
