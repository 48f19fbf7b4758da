#include "reduction/kernel.hpp"

namespace sven::reduction {

void Kernel::keep_slots(std::span<const Index> kept) {
    for (Index j : feature_) slot_of_[j] = -1;
    for (std::size_t a = 0; a < kept.size(); ++a) {
        const double* source = gram_column(kept[a]);
        double* target = gram_.data() + static_cast<Index>(a) * gram_stride_;
        for (std::size_t b = a; b < kept.size(); ++b) target[b] = source[kept[b]];
        feature_[a] = feature_[kept[a]];
        slot_of_[feature_[a]] = static_cast<Index>(a);
    }
    feature_.resize(kept.size());
}

void Kernel::grow_gram(Index size) {
    if (size <= gram_stride_) return;
    const Index stride = std::max<Index>({size, 64, gram_stride_ + gram_stride_ / 2});
    linalg::Buffer<double> grown(stride * stride);
    for (Index slot = 0; slot < slots(); ++slot)
        std::copy_n(gram_column(slot) + slot, slots() - slot, grown.data() + slot * stride + slot);
    gram_.swap(grown);
    gram_stride_ = stride;
}

}  // namespace sven::reduction
