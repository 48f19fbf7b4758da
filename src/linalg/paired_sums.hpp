#pragma once
// Partial sums of many shares, added in pairs: share 2k + 1 to share 2k, then pairs of pairs. Which
// are added to which is fixed by the number of shares, whoever made them and in what order they
// came: the result has the same bits for any number of threads. Nobody waits: of a pair, the second
// to come adds. There are never more partial sums than threads and levels.

#include <mutex>
#include <utility>
#include <vector>

#include "linalg/buffer.hpp"

namespace sven::linalg {

class PairedSums {
  public:
    // `shares`: a power of two.
    explicit PairedSums(Index shares) : shares_(shares), waiting_(2 * shares) {}

    // Memory for the sums of a share, with anything in it.
    Buffer<double> take(Index size) {
        {
            const std::lock_guard lock(mutex_);
            if (!spare_.empty()) {
                Buffer<double> memory = std::move(spare_.back());
                spare_.pop_back();
                return memory;
            }
        }
        return Buffer<double>(size);
    }

    // Hands in the sums of a share. add(left, right) adds the right ones to the left.
    template <class Add>
    void close(Index share, Buffer<double> sums, const Add& add) {
        // the node of a share in a heap, whose root is 1
        for (Index node = shares_ + share; node > 1; node /= 2) {
            Buffer<double> other;
            {
                const std::lock_guard lock(mutex_);
                Buffer<double>& place = waiting_[static_cast<std::size_t>(node / 2)];
                if (place.data() == nullptr) {
                    place = std::move(sums);
                    return;
                }
                other.swap(place);
            }
            if (node % 2 == 1) sums.swap(other);
            add(sums.data(), other.data());
            const std::lock_guard lock(mutex_);
            spare_.push_back(std::move(other));
        }
        const std::lock_guard lock(mutex_);
        waiting_[0] = std::move(sums);
    }

    // Once all shares are in.
    Buffer<double> total() { return std::move(waiting_[0]); }

  private:
    Index shares_;
    std::mutex mutex_;
    std::vector<Buffer<double>> waiting_;  // by node of the pair; the total at 0
    std::vector<Buffer<double>> spare_;
};

}  // namespace sven::linalg
