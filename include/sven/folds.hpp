#pragma once
// Which rows a cross-validation tests, and which it trains on. All of it is determined by the seed,
// the same on every machine.

#include <cstdint>
#include <span>
#include <vector>

#include "sven/export.h"
#include "sven/index.hpp"

namespace sven {

struct Fold {
    std::vector<Index> test;   // rows
    std::vector<Index> train;  // rows; empty: every row that is not in `test`
};

// K folds of nearly equal size, rows shuffled by the seed; repeated `repeats` times. Each throws
// InvalidArgument if `count` is below 2 or more than there are rows (or groups) to deal out.
[[nodiscard]] SVEN_API std::vector<Fold> make_folds(Index rows, int count, std::uint64_t seed = 1,
                                                    int repeats = 1);

// Likewise, with the response spread evenly: the rows of each class, or of any `count` neighbours
// in the order of y, go to different folds.
[[nodiscard]] SVEN_API std::vector<Fold> stratified_folds(std::span<const double> y, int count,
                                                          std::uint64_t seed = 1, int repeats = 1);

// Likewise, with the rows of a group together: the largest groups first, each to the fold that has
// the fewest rows.
[[nodiscard]] SVEN_API std::vector<Fold> grouped_folds(std::span<const Index> group_of_row,
                                                       int count, std::uint64_t seed = 1,
                                                       int repeats = 1);

// Rows in the order of time: each fold tests the rows / (count + 1) that follow those it trains on,
// and the last fold tests the last rows, as scikit-learn's TimeSeriesSplit.
[[nodiscard]] SVEN_API std::vector<Fold> time_ordered_folds(Index rows, int count);

// One fold for each distinct number, in increasing order.
[[nodiscard]] SVEN_API std::vector<Fold> folds_of(std::span<const Index> fold_of_row);

}  // namespace sven
