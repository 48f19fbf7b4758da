#pragma once
// Shared by both kinds of sparse X. Products run over the stored entries only; a shift is a
// rank-one correction, and the stored entries of a shifted column are taken relative to it.

#include <algorithm>
#include <limits>
#include <vector>

#include "linalg/design.hpp"
#include "linalg/selected_rows.hpp"

namespace sven::linalg {

template <class T, class I, class O>
struct Compressed {
    explicit Compressed(const SparseView& X)
        : values(static_cast<const T*>(X.values)),
          indices(static_cast<const I*>(X.indices)),
          offsets(static_cast<const O*>(X.offsets)) {}

    Index begin(Index line) const { return static_cast<Index>(offsets[line]); }
    Index end(Index line) const { return static_cast<Index>(offsets[line + 1]); }

    const T* values;
    const I* indices;
    const O* offsets;
};

// Sums over the stored entries of one column, from which its moments follow.
struct EntrySums {
    double weight = 0;
    double first = 0;
    double v = 0;
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    Index counted = 0;  // entries of positive weight

    void add(double x, double w, double v_i) {
        weight += w;
        first += w * x;
        v += v_i;
        if (w == 0) return;
        low = std::min(low, x);
        high = std::max(high, x);
        ++counted;
    }
    void include_zero() {
        low = std::min(low, 0.0);
        high = std::max(high, 0.0);
    }
};

struct Totals {
    Totals(RowWeights weights, std::span<const double> mixed, Index rows) {
        for (Index i = 0; i < rows; ++i) {
            const double w = weights.empty() ? 1 : weights[i];
            weight += w;
            v += mixed[i];
            counted += w != 0;
        }
    }
    double weight = 0;
    double v = 0;
    Index counted = 0;
};

// Includes the zeros of a column: n - nnz of them, at distance `mean` from the mean.
inline void finish_moments(const EntrySums& s, const Totals& totals, Index j, ColumnMoments& m) {
    EntrySums all = s;
    if (s.counted < totals.counted) all.include_zero();
    m.is_constant[j] = all.low == all.high;
    m.mean[j] = m.is_constant[j] ? all.low : s.first / totals.weight;
    // squares and products hold the sums over the stored entries
    const double zeros = totals.weight - s.weight;
    m.squares[j] += zeros * m.mean[j] * m.mean[j];
    m.products[j] -= m.mean[j] * (totals.v - s.v);
    m.centred_sum[j] -= zeros * m.mean[j];
}

inline std::vector<double> lane_sums(const Panel& Q) {
    std::vector<double> sums(static_cast<std::size_t>(Q.stride()));
    for (Index i = 0; i < Q.rows(); ++i)
        for (Index k = 0; k < Q.stride(); ++k) sums[k] += Q.row(i)[k];
    return sums;
}

template <class T, class I, class O>
class SparseDesign : public Design {
  public:
    explicit SparseDesign(const SparseView& X, Index lines)
        : Design(X.rows, X.cols), entries_(X), lines_(lines) {}

    bool is_sparse() const override { return true; }
    double entries() const override { return static_cast<double>(entries_.end(lines_ - 1)); }

  protected:
    bool has_shifted(std::span<const Index> columns) const {
        return !shift_.empty() &&
               std::any_of(columns.begin(), columns.end(), [&](Index j) { return shift_[j] != 0; });
    }

    Compressed<T, I, O> entries_;
    Index lines_;
};

std::unique_ptr<Design> make_csc_design(const SparseView& X);
std::unique_ptr<Design> make_csr_design(const SparseView& X);

// A Kind<T, I, O> for the types of a view; Kind is a Design template.
template <template <class, class, class> class Kind>
std::unique_ptr<Design> make_of_kind(const SparseView& X) {
    const auto with_offsets = [&]<class T, class I>() -> std::unique_ptr<Design> {
        if (X.offset_width == IndexWidth::int32)
            return std::make_unique<Kind<T, I, std::int32_t>>(X);
        return std::make_unique<Kind<T, I, std::int64_t>>(X);
    };
    const auto with_indices = [&]<class T>() {
        return X.index_width == IndexWidth::int32
                   ? with_offsets.template operator()<T, std::int32_t>()
                   : with_offsets.template operator()<T, std::int64_t>();
    };
    // the analyser loses the pointer in the conditional
    // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks)
    return X.scalar == Scalar::float64 ? with_indices.template operator()<double>()
                                       : with_indices.template operator()<float>();
}

}  // namespace sven::linalg
