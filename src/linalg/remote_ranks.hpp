#pragma once
// The ranks, or tasks, as the solver sees them: who has which columns, rounds of messages, and
// copies of columns.

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "linalg/remote_design.hpp"
#include "linalg/remote_owners.hpp"
#include "linalg/remote_part.hpp"
#include "linalg/tuning.hpp"

namespace sven::linalg {

using Column = std::shared_ptr<const std::vector<double>>;

// Copies of columns that rank 0 has asked for: the working set, which is asked for again and again.
class Replica {
  public:
    // Null where there is no copy.
    Column find(Index column) const {
        const std::lock_guard lock(mutex_);
        const auto found = columns_.find(column);
        return found == columns_.end() ? nullptr : found->second;
    }
    void keep(Index column, const Column& values) {
        const std::lock_guard lock(mutex_);
        const auto size = static_cast<Index>(values->size() * sizeof(double));
        if (bytes_ + size > replica_bytes) drop();
        if (columns_.emplace(column, values).second) bytes_ += size;
    }
    // With the shift of this version.
    void follow(Index version) {
        const std::lock_guard lock(mutex_);
        if (std::exchange(version_, version) != version) drop();
    }

  private:
    void drop() {
        columns_.clear();
        bytes_ = 0;
    }

    mutable std::mutex mutex_;
    std::unordered_map<Index, Column> columns_;
    Index bytes_ = 0;
    Index version_ = 0;
};

// Calls may be concurrent: one round of messages after the other.
class Ranks {
  public:
    Ranks(std::unique_ptr<Owners> owners, const ColumnShares& shares)
        : owners_(std::move(owners)), shares_(shares) {
        first_.assign(shares.cols.size() + 1, 0);
        std::partial_sum(shares.cols.begin(), shares.cols.end(), first_.begin() + 1);
    }

    int size() const { return static_cast<int>(shares_.cols.size()); }
    Index rows() const { return shares_.rows; }
    Index cols() const { return first_.back(); }
    double entries() const { return shares_.entries; }
    Index first(int rank) const { return first_[static_cast<std::size_t>(rank)]; }
    Index cols(int rank) const { return first(rank + 1) - first(rank); }
    int rank_of(Index column) const {
        const auto after = std::upper_bound(first_.begin(), first_.end(), column);
        return static_cast<int>(after - first_.begin()) - 1;
    }
    Traffic traffic() const {
        const std::lock_guard lock(mutex_);
        return owners_->traffic();
    }

    // The shift that a round is to see, and whose it is: none of another Design's.
    struct Shift {
        std::span<const double> values;
        Index owner = -1;
        Index version = 0;
    };
    Index next_owner() { return designs_++; }
    // An empty request asks nothing of a rank. The answers are in the order of the ranks.
    std::vector<std::string> ask(const std::vector<std::string>& requests,
                                 const std::string& common, const Shift& shift,
                                 const Execution& execution) {
        const std::lock_guard lock(mutex_);
        execution.check();
        tell(shift);
        return owners_->ask(requests, common, execution);
    }

  private:
    void tell(const Shift& shift) {
        if (told_owner_ == shift.owner && told_version_ == shift.version) return;
        told_owner_ = shift.owner;
        told_version_ = shift.version;
        const bool had_shift = std::exchange(has_shift_, !shift.values.empty());
        if (!had_shift && !has_shift_) return;
        std::vector<std::span<const double>> of_parts(static_cast<std::size_t>(size()));
        for (int rank = 0; rank < size() && has_shift_; ++rank)
            of_parts[rank] = shift.values.subspan(static_cast<std::size_t>(first(rank)),
                                                  static_cast<std::size_t>(cols(rank)));
        owners_->set_shift(of_parts);
    }

    std::unique_ptr<Owners> owners_;
    ColumnShares shares_;
    std::vector<Index> first_;  // column of each rank, and the number of all
    mutable std::mutex mutex_;
    Index told_owner_ = -1;  // of the shift that the ranks have
    Index told_version_ = 0;
    bool has_shift_ = false;
    std::atomic<Index> designs_ = 0;
};

// A list of columns by the ranks that have them.
class Split {
  public:
    Split(const Ranks& ranks, std::span<const Index> columns)
        : own(static_cast<std::size_t>(ranks.size())), place(own.size()) {
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const int rank = ranks.rank_of(columns[c]);
            own[rank].push_back(columns[c] - ranks.first(rank));
            place[rank].push_back(static_cast<Index>(c));
        }
    }
    // For each rank that has some of them.
    std::vector<std::string> requests() const {
        std::vector<std::string> all(own.size());
        for (std::size_t rank = 0; rank < own.size(); ++rank)
            if (!own[rank].empty())
                all[rank] = Writer().put(Verb::gather).put_list<Index>(own[rank]).take();
        return all;
    }

    std::vector<std::vector<Index>> own;    // columns of each rank, as it counts them
    std::vector<std::vector<Index>> place;  // in the list
};

}  // namespace sven::linalg
