#include "reduction/kernel.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/grown_square.hpp"
#include "linalg/kernels.hpp"
#include "reduction/tuning.hpp"

namespace sven::reduction {

void Kernel::gram_entries(std::span<const Index> slots, Index with, double* out) const {
    if (whole_ == nullptr) {
        for (std::size_t k = 0; k < slots.size(); ++k) out[k] = gram(slots[k], with);
        return;
    }
    const double* const column = whole_ + feature_[with] * features();
    for (std::size_t k = 0; k < slots.size(); ++k) out[k] = column[feature_[slots[k]]];
}

Index Kernel::kept_of(std::span<const Index> kept, Index known) {
    return std::lower_bound(kept.begin(), kept.end(), known) - kept.begin();
}

void Kernel::keep_slots(std::span<const Index> kept, Index known) {
    for (Index j : feature_) slot_of_[j] = -1;
    for (std::size_t a = 0; a < kept.size(); ++a) {
        if (kept[a] < known) {
            const double* source = gram_column(kept[a]);
            double* target = gram_.data() + static_cast<Index>(a) * gram_stride_;
            for (std::size_t b = a; b < kept.size() && kept[b] < known; ++b)
                target[b] = source[kept[b]];
        }
        feature_[a] = feature_[kept[a]];
        slot_of_[feature_[a]] = static_cast<Index>(a);
    }
    feature_.resize(kept.size());
}

void Kernel::grow_gram(const linalg::Execution& execution, Index size, Index known) {
    if (size <= gram_stride_) return;
    const Index order =
        std::max<Index>({size, tuning::first_order, gram_stride_ + gram_stride_ / 2});
    linalg::grow_square(order, known, linalg::Triangle::lower, execution, gram_, gram_stride_);
}

// The lower triangle is read once, in shares of its columns of equal area. Their number depends on
// the size alone.
void Kernel::multiply_symmetric(const linalg::Execution& execution, const Symmetric& G,
                                const double* x, double* out) {
    const Index m = G.size;
    const double entries = static_cast<double>(m) * static_cast<double>(m);
    const Index shares =
        entries < linalg::team_operations
            ? 1
            : std::min(m / tuning::symmetric_columns, tuning::most_symmetric_shares);
    partial_.reserve(shares * m);
    const auto boundary = [&](Index share) {
        const double rest = std::sqrt(1 - static_cast<double>(share) / static_cast<double>(shares));
        return share == shares ? m : m - static_cast<Index>(rest * static_cast<double>(m));
    };
    linalg::parallel_for(execution, execution.team_for(entries), shares, [&](Index share) {
        double* sums = partial_.data() + share * m;
        std::fill_n(sums, m, 0.0);
        linalg::kernels().symmetric(G.values, G.stride, boundary(share), boundary(share + 1), m, x,
                                    sums);
    });
    std::copy_n(partial_.data(), m, out);
    for (Index share = 1; share < shares; ++share)
        for (Index a = 0; a < m; ++a) out[a] += partial_[share * m + a];
}

}  // namespace sven::reduction
