#include "reduction/support_factor.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/qr.hpp"

namespace sven::reduction {
namespace {

// Without columns to turn to, a pivot this small is the rounding of the Gram matrix.
constexpr double dependent_pivot = 1e-12;
// In a QR, the distance to the span of the others over the length of the column; ||x|| eps n^(1/2)
// is the noise.
constexpr double dependent_distance = 1e-13;
// Columns appended behind one triangular solve: beyond it one another's, a row at a time.
constexpr std::size_t append_step = 64;

}  // namespace

void SupportFactor::reset() {
    order_.clear();
    l2_ = -1;
    is_orthogonal_ = false;
}

void SupportFactor::reserve(Index size) {
    if (size <= stride_) return;
    const Index stride = std::max<Index>({size, 64, stride_ + stride_ / 2});
    linalg::Buffer<double> grown(stride * stride);
    for (std::size_t j = 0; j < order_.size(); ++j) {
        execution_.check();
        std::copy_n(U_.data() + static_cast<Index>(j) * stride_, j + 1,
                    grown.data() + static_cast<Index>(j) * stride);
    }
    U_.swap(grown);
    stride_ = stride;
}

// Seconds, roughly: only the ratio to the cost of removals matters.
double SupportFactor::rebuild_cost(Index size) const {
    const auto m = static_cast<double>(size);
    const double rate = 2e10 * (size > 400 ? execution_.threads : 1);
    return m * m * m / 3 / rate + m * m * 2e-9;
}

void SupportFactor::update(const Request& request) {
    refused_.clear();
    Kernel& kernel = request.kernel;
    is_member_.assign(static_cast<std::size_t>(kernel.slots()), 0);
    slots_.clear();
    fresh_.clear();
    double removal_cost = 0;
    for (std::size_t k = 0; k < order_.size(); ++k) {
        is_member_[order_[k]] = 1;
        if (request.active[order_[k]]) {
            slots_.push_back(order_[k]);
        } else {
            const auto behind = static_cast<double>(order_.size() - k);
            removal_cost += 1e-9 * behind * behind;
        }
    }
    for (Index slot = 0; slot < kernel.slots(); ++slot)
        if (request.active[slot] && !is_member_[slot]) fresh_.push_back(slot);
    kernel.need_gram();
    const bool same = request.l2 == l2_;
    if (same && slots_.size() == order_.size() && fresh_.empty()) return;

    const auto size = static_cast<Index>(slots_.size() + fresh_.size());
    const bool is_cheaper = removal_cost > rebuild_cost(size) || fresh_.size() > slots_.size();
    if (!same || is_orthogonal_ || is_cheaper) {
        const std::size_t members = slots_.size();
        slots_.insert(slots_.end(), fresh_.begin(), fresh_.end());
        l2_ = request.l2;
        rebuild(request, slots_, members);
        return;
    }
    for (auto k = static_cast<Index>(order_.size()) - 1; k >= 0; --k) {
        if (request.active[order_[k]]) continue;
        execution_.check();
        remove(k);
    }
    if (!append(request, fresh_)) {
        refused_.clear();
        slots_.assign(order_.begin(), order_.end());
        for (const Index slot : fresh_)
            if (std::find(order_.begin(), order_.end(), slot) == order_.end())
                slots_.push_back(slot);
        rebuild_by_qr(request, slots_);
    }
}

// The first `members` were factored before: together they are most likely independent, and what
// is not is among the rest.
void SupportFactor::rebuild(const Request& request, std::span<const Index> slots,
                            std::size_t members) {
    is_orthogonal_ = false;
    if (rebuild_by_cholesky(request, slots)) return;
    const bool has_members =
        members < slots.size() && rebuild_by_cholesky(request, slots.first(members));
    if (!has_members) {
        order_.clear();
        members = 0;
    }
    if (append(request, slots.subspan(members))) return;
    refused_.clear();
    rebuild_by_qr(request, {slots.begin(), slots.end()});
}

// False where a pivot is too small to trust.
bool SupportFactor::rebuild_by_cholesky(const Request& request, std::span<const Index> slots) {
    const auto m = static_cast<Index>(slots.size());
    order_.clear();
    reserve(m);
    const double work = static_cast<double>(m) * static_cast<double>(m);
    linalg::parallel_pieces(execution_, work, m, 8, [&](Index begin, Index end) {
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
        if (!(pivot * pivot > coarse_pivot * diagonal)) return false;
    }
    order_.assign(slots.begin(), slots.end());
    return true;
}

// U := R of [X_A; sqrt(ridge)]. The first dependent column is taken out and the rest factored
// again, until there is none: a garbage direction must not enter the factor.
void SupportFactor::rebuild_by_qr(const Request& request, std::vector<Index> slots) {
    Kernel& kernel = request.kernel;
    const Index n = kernel.rows();
    is_orthogonal_ = true;
    for (;;) {
        execution_.check();
        const auto m = static_cast<Index>(slots.size());
        const bool has_ridge = l2_ > 0;
        const Index rows = has_ridge ? n + m : n;
        const Index factored = std::min(m, rows);
        stacked_.reserve(rows * std::max<Index>(1, m));
        for (Index k = 0; k < m; ++k) {
            execution_.check();
            double* column = stacked_.data() + k * rows;
            std::copy_n(kernel.columns() + slots[k] * n, n, column);
            if (!has_ridge) continue;
            std::fill_n(column + n, m, 0.0);
            column[n + k] = std::sqrt(request.ridge[slots[k]]);
        }
        tau_.resize(static_cast<std::size_t>(std::max<Index>(1, m)));
        linalg::qr(rows, m, stacked_.data(), tau_.data(), execution_);
        Index dependent = -1;
        for (Index k = 0; k < m && dependent < 0; ++k) {
            if (k >= factored) {
                dependent = k;
                break;
            }
            const double length =
                std::sqrt(kernel.gram(slots[k], slots[k]) + request.ridge[slots[k]]);
            if (!(std::abs(stacked_[k * rows + k]) > dependent_distance * length)) dependent = k;
        }
        if (dependent >= 0) {
            refused_.push_back(slots[dependent]);
            slots.erase(slots.begin() + dependent);
            continue;
        }
        order_.clear();
        reserve(m);
        for (Index k = 0; k < m; ++k)
            std::copy_n(stacked_.data() + k * rows, k + 1, U_.data() + k * stride_);
        order_.assign(slots.begin(), slots.end());
        return;
    }
}

// Whether the slot's column lies in the span of the factored ones; `solved` is U^-T of its products
// with them. The distance is taken from the columns themselves, with one correction, since the
// Gram matrix knows it only to the square root of its rounding.
bool SupportFactor::is_dependent(const Request& request, Index slot, const double* solved) {
    Kernel& kernel = request.kernel;
    const Index n = kernel.rows();
    const auto m = static_cast<Index>(order_.size());
    // A ridge of its own keeps a column apart from every other.
    const double length = kernel.gram(slot, slot) + request.ridge[slot];
    const double threshold = dependent_distance * dependent_distance * length;
    if (request.ridge[slot] > threshold) return false;
    stacked_.reserve(2 * n);
    double* rest = stacked_.data();
    double* product = rest + n;
    const Index feature = kernel.feature(slot);
    kernel.gather({&feature, 1}, rest);
    if (is_multiple(request, slot, threshold)) return true;
    gathered_.assign(solved, solved + m);
    for (int pass = 0; pass < 2; ++pass) {
        execution_.check();
        linalg::solve_upper(m, U_.data(), stride_, gathered_.data());
        by_slot_.assign(static_cast<std::size_t>(kernel.slots()), 0.0);
        for (Index i = 0; i < m; ++i) by_slot_[order_[i]] = gathered_[i];
        kernel.multiply(by_slot_, product);
        for (Index i = 0; i < n; ++i) rest[i] -= product[i];
        if (pass > 0) break;
        kernel.correlate_slots({rest, static_cast<std::size_t>(n)}, by_slot_.data());
        for (Index i = 0; i < m; ++i) gathered_[i] = by_slot_[order_[i]];
        linalg::solve_upper_transposed(m, U_.data(), stride_, gathered_.data());
    }
    return linalg::dot(n, rest, rest) <= threshold;
}

// Most dependent columns repeat a single other one: the nearest in angle is compared entry by
// entry, which spares the solves. The slot's own column is in stacked_.
bool SupportFactor::is_multiple(const Request& request, Index slot, double threshold) {
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
    if (nearest < 0 || cosine < (1 - coarse_pivot) * kernel.gram(slot, slot)) return false;
    const double* column = stacked_.data();
    double* other = stacked_.data() + n;
    const Index feature = kernel.feature(nearest);
    kernel.gather({&feature, 1}, other);
    const double ratio = kernel.gram(nearest, slot) / kernel.gram(nearest, nearest);
    double distance = 0;
    for (Index i = 0; i < n; ++i) {
        const double difference = column[i] - ratio * other[i];
        distance += difference * difference;
    }
    return distance <= threshold;
}

// New columns of U, some at a time behind a common triangular solve. False, with the factor as far
// as it went, where the columns should be asked (a QR); without columns, small pivots are refused.
bool SupportFactor::append(const Request& request, std::span<const Index> slots) {
    reserve(static_cast<Index>(order_.size() + slots.size()));
    for (std::size_t begin = 0; begin < slots.size(); begin += append_step)
        if (!append_some(request, slots.subspan(begin, std::min<std::size_t>(
                                                           append_step, slots.size() - begin))))
            return false;
    return true;
}

bool SupportFactor::append_some(const Request& request, std::span<const Index> slots) {
    Kernel& kernel = request.kernel;
    const auto added = static_cast<Index>(slots.size());
    const auto before = static_cast<Index>(order_.size());
    for (Index k = 0; k < added; ++k) {
        double* column = U_.data() + (before + k) * stride_;
        for (Index i = 0; i < before; ++i) column[i] = kernel.gram(order_[i], slots[k]);
    }
    const double work = static_cast<double>(before * before) * static_cast<double>(added);
    const auto divide = [&](Index begin, Index end) {
        if (before == 0) return;
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasTrans, CblasNonUnit,
                    linalg::narrow(before), linalg::narrow(end - begin), 1, U_.data(),
                    linalg::narrow(stride_), U_.data() + (before + begin) * stride_,
                    linalg::narrow(stride_));
    };
    linalg::parallel_pieces(execution_, work / 4, added, 4, divide, linalg::poll_product / 4);
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
        if (!(pivot > coarse_pivot * diagonal) && kernel.has_columns()) {
            if (!is_dependent(request, slots[k], column)) return false;
            refused_.push_back(slots[k]);
            continue;
        }
        if (!(pivot > dependent_pivot * diagonal)) {
            refused_.push_back(slots[k]);
            continue;
        }
        column[m] = std::sqrt(pivot);
        order_.push_back(slots[k]);
    }
    return true;
}

// Takes a column out and brings U back to triangular form by plane rotations.
void SupportFactor::remove(Index position) {
    const auto m = static_cast<Index>(order_.size());
    cosine_.resize(static_cast<std::size_t>(m));
    sine_.resize(static_cast<std::size_t>(m));
    for (Index k = position; k + 1 < m; ++k) {
        double* column = U_.data() + k * stride_;
        std::copy_n(U_.data() + (k + 1) * stride_, k + 2, column);
        for (Index i = position; i < k; ++i) {
            const double upper = column[i];
            const double lower = column[i + 1];
            column[i] = cosine_[i] * upper + sine_[i] * lower;
            column[i + 1] = cosine_[i] * lower - sine_[i] * upper;
        }
        const double length = std::hypot(column[k], column[k + 1]);
        cosine_[k] = column[k] / length;
        sine_[k] = column[k + 1] / length;
        column[k] = length;
    }
    order_.erase(order_.begin() + position);
}

void SupportFactor::solve(const double* b, double* x) {
    const auto m = static_cast<Index>(order_.size());
    gathered_.resize(static_cast<std::size_t>(m));
    for (Index k = 0; k < m; ++k) gathered_[k] = b[order_[k]];
    linalg::solve_upper_transposed(m, U_.data(), stride_, gathered_.data());
    linalg::solve_upper(m, U_.data(), stride_, gathered_.data());
    for (Index k = 0; k < m; ++k) x[order_[k]] = gathered_[k];
}

double SupportFactor::quadratic(const double* d) {
    const auto m = static_cast<Index>(order_.size());
    if (m == 0) return 0;
    gathered_.resize(static_cast<std::size_t>(m));
    for (Index k = 0; k < m; ++k) gathered_[k] = d[order_[k]];
    cblas_dtrmv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, linalg::narrow(m), U_.data(),
                linalg::narrow(stride_), gathered_.data(), 1);
    return linalg::dot(m, gathered_.data(), gathered_.data());
}

void SupportFactor::inverse_diagonal(std::vector<double>& out) {
    constexpr Index width = 64;
    const auto m = static_cast<Index>(order_.size());
    out.assign(static_cast<std::size_t>(m), 0.0);
    // (K^-1)_kk = ||U^-T e_k||^2, whose first k entries are zero
    const double size = static_cast<double>(m);
    const int threads = execution_.threads_for(size * size * size / 3);
    linalg::parallel_for(execution_, threads, (m + width - 1) / width, [&](Index block) {
        const Index first = block * width;
        const Index count = std::min(width, m - first);
        const Index rows = m - first;
        linalg::Buffer<double> columns(rows * count);
        std::fill_n(columns.data(), rows * count, 0.0);
        for (Index k = 0; k < count; ++k) columns[k * rows + k] = 1;
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasTrans, CblasNonUnit,
                    linalg::narrow(rows), linalg::narrow(count), 1,
                    U_.data() + first * stride_ + first, linalg::narrow(stride_), columns.data(),
                    linalg::narrow(rows));
        for (Index k = 0; k < count; ++k)
            out[first + k] =
                linalg::dot(rows, columns.data() + k * rows, columns.data() + k * rows);
    });
}

}  // namespace sven::reduction
