#include "svm/kernel_cache.hpp"

#include <algorithm>
#include <cassert>

#include "svm/tuning.hpp"

namespace sven::svm {

KernelCache::KernelCache(Rows& samples, Index capacity)
    : samples_(samples),
      capacity_(capacity),
      K_(capacity * capacity),
      slot_(static_cast<std::size_t>(samples.samples()), -1),
      is_kept_(slot_.size(), 0) {
    cached_.reserve(static_cast<std::size_t>(capacity));
}

Index KernelCache::missing(Selection selection) const {
    return std::count_if(selection.begin(), selection.end(), [&](Index i) { return slot_[i] < 0; });
}

void KernelCache::ensure(Selection selection) {
    assert(static_cast<Index>(selection.size()) <= capacity_);
    const Index wanted = missing(selection);
    if (wanted == 0) return;
    if (static_cast<Index>(cached_.size()) + wanted > capacity_) keep_only(selection);
    const auto first = static_cast<Index>(cached_.size());
    for (Index i : selection) {
        if (slot_[i] >= 0) continue;
        slot_[i] = static_cast<Index>(cached_.size());
        cached_.push_back(i);
    }
    append(first);
}

// Rows from slot `first` on, batch by batch, each against all slots up to its own batch; the other
// triangle is mirrored.
void KernelCache::append(Index first) {
    const auto total = static_cast<Index>(cached_.size());
    const Selection all = cached_;
    for (Index begin = first; begin < total; begin += kernel_batch) {
        samples_.execution().check();
        const Index end = std::min(total, begin + kernel_batch);
        samples_.kernel(all.subspan(begin, end - begin), all.first(end),
                        K_.data() + begin * capacity_, capacity_);
        for (Index row = begin; row < end; ++row) {
            for (Index column = 0; column < begin; ++column) {
                K_[column * capacity_ + row] = K_[row * capacity_ + column];
            }
        }
    }
}

void KernelCache::keep_only(Selection selection) {
    std::fill(is_kept_.begin(), is_kept_.end(), 0);
    for (Index i : selection) is_kept_[i] = 1;
    Index kept = 0;
    const auto total = static_cast<Index>(cached_.size());
    for (Index slot = 0; slot < total; ++slot) {
        const Index i = cached_[slot];
        if (!is_kept_[i]) {
            slot_[i] = -1;
            continue;
        }
        // Slots only move down, so that nothing is overwritten before it is moved.
        std::copy_n(K_.data() + slot * capacity_, total, K_.data() + kept * capacity_);
        for (Index row = 0; row < total; ++row)
            K_[row * capacity_ + kept] = K_[row * capacity_ + slot];
        cached_[kept] = i;
        slot_[i] = kept++;
    }
    cached_.resize(static_cast<std::size_t>(kept));
}

}  // namespace sven::svm
