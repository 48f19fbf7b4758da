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
    if (!is_same || known < order_.size()) eliminated_.clear();
    const bool rebuilds = !is_same || fresh > known ||
                          removal_cost(request) > rebuild_cost(static_cast<Index>(slots_.size()));
    l2_ = request.l2;
    if (rebuilds) eliminated_.clear();
    const bool is_done = rebuilds ? rebuild(request, slots_, known) : follow(request, known);
    eliminated_.clear();
    if (is_done) return true;
    refused_.clear();
    l2_ = -1;  // as far as it went, the order is still a guess at what is independent
    return false;
}

bool AppendedFactor::follow(const SystemRequest& request, std::size_t known) {
    leaving_.clear();
    for (std::size_t k = 0; k < order_.size(); ++k)
        if (!request.active[order_[k]]) leaving_.push_back(static_cast<Index>(k));
    if (!leaving_.empty()) remove(leaving_);
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
                request.kernel.gram_entries(slots.first(j + 1), slots[j], column);
                column[j] += request.ridge[slots[j]];
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
    // those that were eliminated for are divided already
    const std::size_t step = eliminated_.empty() ? tuning::append_step : slots.size();
    for (std::size_t begin = 0; begin < slots.size(); begin += step)
        if (!append_some(request, slots.subspan(begin, std::min(step, slots.size() - begin))))
            return false;
    return true;
}

bool AppendedFactor::append_some(const SystemRequest& request, std::span<const Index> slots) {
    Kernel& kernel = request.kernel;
    const auto added = static_cast<Index>(slots.size());
    const auto before = static_cast<Index>(order_.size());
    if (!take_eliminated(slots)) {
        gather(request, slots, U_.data() + before * stride_, stride_);
        divide(added, U_.data() + before * stride_, stride_);
    }
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

// Columns = products of the slots with those of the factor.
void AppendedFactor::gather(const SystemRequest& request, std::span<const Index> slots, double* out,
                            Index stride) const {
    for (std::size_t k = 0; k < slots.size(); ++k) {
        double* column = out + static_cast<Index>(k) * stride;
        request.kernel.gram_entries(order_, slots[k], column);
    }
}

// columns := U^-T columns
void AppendedFactor::divide(Index count, double* columns, Index stride) const {
    const auto m = static_cast<Index>(order_.size());
    const double work = static_cast<double>(m * m) * static_cast<double>(count);
    linalg::parallel_pieces(execution_, work / tuning::divided_speed, count,
                            tuning::divided_columns, [&](Index begin, Index end) {
                                linalg::divide_upper_transposed<double>(
                                    {m, U_.data(), stride_}, end - begin, columns + begin * stride,
                                    stride);
                            });
}

// The columns behind the factor, from those that were eliminated for; false where one is missing.
bool AppendedFactor::take_eliminated(std::span<const Index> slots) {
    if (eliminated_.empty()) return false;
    const auto m = static_cast<Index>(order_.size());
    for (std::size_t k = 0; k < slots.size(); ++k) {
        const auto at = std::find(eliminated_.begin(), eliminated_.end(), slots[k]);
        if (at == eliminated_.end()) return false;
        std::copy_n(panel_.data() + (at - eliminated_.begin()) * m, m,
                    U_.data() + (m + static_cast<Index>(k)) * stride_);
    }
    return true;
}

bool AppendedFactor::eliminate(const SystemRequest& request, std::span<const Index> slots,
                               linalg::Buffer<double>& out) {
    const auto m = static_cast<Index>(order_.size());
    const auto count = static_cast<Index>(slots.size());
    request.kernel.need_gram();
    panel_.reserve(std::max<Index>(1, m * count));
    gather(request, slots, panel_.data(), m);
    divide(count, panel_.data(), m);
    eliminated_.assign(slots.begin(), slots.end());
    out.reserve(count * count);
    linalg::assign<double>({count, count, m, 1, linalg::by_rows<double>(panel_.data(), m),
                            linalg::by_columns<double>(panel_.data(), m), out.data(), count,
                            linalg::Part::upper});
    for (Index k = 0; k < count; ++k) {
        double* column = out.data() + k * count;
        for (Index i = 0; i <= k; ++i) {
            const double ridge = i == k ? request.ridge[slots[k]] : 0;
            column[i] = request.kernel.gram(slots[i], slots[k]) + ridge - column[i];
            out[i * count + k] = column[i];
        }
    }
    return true;
}

// Takes columns out, positions ascending, and brings U back to triangular form by plane rotations:
// column k of the rest has as many entries below its diagonal as went before it, which are rotated
// into the row above from the last one up. Some columns at a time lie side by side, row by row, so
// that a rotation is one of short vectors, and U is read once however many columns go.
void AppendedFactor::remove(std::span<const Index> positions) {
    const Index top = positions.front();
    const auto size = static_cast<Index>(order_.size() - positions.size());
    for (const Index position : positions) order_[position] = -1;
    gone_.assign(order_.size(), 0);
    Index gone = 0;
    for (Index k = 0; k < static_cast<Index>(order_.size()); ++k) {
        gone += order_[k] < 0 ? 1 : 0;
        if (order_[k] >= 0) gone_[k - gone] = gone;
    }
    std::erase(order_, Index{-1});
    rotations_.clear();
    rows_.reserve((size + gone - top) * tuning::rotated_columns);
    for (Index begin = top; begin < size; begin += tuning::rotated_columns) {
        execution_.check();
        const Index end = std::min(begin + tuning::rotated_columns, size);
        load_rows(top, begin, end);
        const Rotation* rotation = rotations_.data();
        for (Index k = top; k < begin; ++k) {
            rotate(gone_[k], rotation, rows_.data() + (k - top) * tuning::rotated_columns);
            rotation += gone_[k];
        }
        for (Index k = begin; k < end; ++k) {
            double* row = rows_.data() + (k - top) * tuning::rotated_columns;
            find_rotations(gone_[k], row + (k - begin));
            rotate(gone_[k], rotations_.data() + rotations_.size() - gone_[k], row);
        }
        store_rows(top, begin, end);
    }
}

// Columns [begin, end) to be, from row `top` on; above it they only move.
void AppendedFactor::load_rows(Index top, Index begin, Index end) {
    constexpr Index width = tuning::rotated_columns;
    const Index last = end - 1 + gone_[end - 1];
    std::fill_n(rows_.data(), (last + 1 - top) * width, 0.0);
    for (Index k = begin; k < end; ++k) {
        const double* from = U_.data() + (k + gone_[k]) * stride_;
        std::copy_n(from, top, U_.data() + k * stride_);
        for (Index i = top; i <= k + gone_[k]; ++i) rows_[(i - top) * width + k - begin] = from[i];
    }
}

void AppendedFactor::store_rows(Index top, Index begin, Index end) {
    constexpr Index width = tuning::rotated_columns;
    for (Index k = begin; k < end; ++k) {
        double* to = U_.data() + k * stride_;
        for (Index i = top; i <= k; ++i) to[i] = rows_[(i - top) * width + k - begin];
    }
}

// Those that bring the `count` entries below the first one of a column to zero.
void AppendedFactor::find_rotations(Index count, const double* column) {
    double lower = column[count * tuning::rotated_columns];
    for (Index i = count; i > 0; --i) {
        const double upper = column[(i - 1) * tuning::rotated_columns];
        const double length = std::hypot(upper, lower);
        rotations_.push_back({upper / length, lower / length});
        lower = length;
    }
}

// Each of the last two of `count` + 1 rows, then of the two before them, up to the first.
void AppendedFactor::rotate(Index count, const Rotation* rotations, double* rows) {
    constexpr Index width = tuning::rotated_columns;
    std::array<double, width> upper;
    std::array<double, width> lower;
    std::array<double, width> below;
    double* row = rows + count * width;
    for (Index c = 0; c < width; ++c) lower[c] = row[c];
    // loops of one line each become vectors
    for (Index i = 0; i < count; ++i, row -= width) {
        const double cosine = rotations[i].cosine;
        const double sine = rotations[i].sine;
        for (Index c = 0; c < width; ++c) upper[c] = (row - width)[c];
        for (Index c = 0; c < width; ++c) below[c] = cosine * lower[c] - sine * upper[c];
        for (Index c = 0; c < width; ++c) lower[c] = cosine * upper[c] + sine * lower[c];
        for (Index c = 0; c < width; ++c) row[c] = below[c];
    }
    for (Index c = 0; c < width; ++c) row[c] = lower[c];
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
