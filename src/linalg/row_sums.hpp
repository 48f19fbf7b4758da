#pragma once
// Sums over the rows: every dot product, norm and sum of length n. The rows are cut into blocks
// that depend on their number alone and the sums of the blocks are added in order, so that any
// number of threads gives the same bits, and the blocks may lie elsewhere later.

#include <array>
#include <span>

#include "linalg/dense.hpp"
#include "linalg/execution.hpp"
#include "linalg/kernels.hpp"
#include "linalg/tuning.hpp"

namespace sven::linalg {

// The blocks of the rows. There are never so many that their sums need memory of their own.
struct RowBlocks {
    explicit RowBlocks(Index number_of_rows)
        : rows(number_of_rows),
          size(std::max(fewest_block_rows, (rows + most_row_blocks - 1) / most_row_blocks)),
          count((rows + size - 1) / size) {}

    Index begin(Index block) const { return block * size; }
    Index length(Index block) const { return std::min(size, rows - begin(block)); }

    Index rows;
    Index size;
    Index count;
};

template <std::size_t Count>
using RowSums = std::array<double, Count>;

// Several sums in one pass: body(begin, length) gives those of a block of rows. `operations` are
// those of a row. Throws Cancelled.
template <std::size_t Count, class Body>
RowSums<Count> sum_rows(const Execution& execution, Index rows, double operations,
                        const Body& body) {
    const RowBlocks blocks(rows);
    std::array<RowSums<Count>, most_row_blocks> sums;
    const Team team = execution.team_for(operations * static_cast<double>(rows));
    parallel_for(execution, team, blocks.count,
                 [&](Index k) { sums[k] = body(blocks.begin(k), blocks.length(k)); });
    RowSums<Count> total{};
    for (Index k = 0; k < blocks.count; ++k)
        for (std::size_t s = 0; s < Count; ++s) total[s] += sums[k][s];
    return total;
}

// x'y
inline double dot_of_rows(const Execution& execution, std::span<const double> x,
                          std::span<const double> y) {
    return sum_rows<1>(execution, static_cast<Index>(x.size()), 2, [&](Index begin, Index length) {
        return RowSums<1>{dot(length, x.data() + begin, y.data() + begin)};
    })[0];
}

// ||x||^2
inline double squares_of_rows(const Execution& execution, std::span<const double> x) {
    return dot_of_rows(execution, x, x);
}

// sum w x; no weights: all one.
inline double sum_of_rows(const Execution& execution, std::span<const double> x,
                          std::span<const double> weights = {}) {
    return sum_rows<1>(execution, static_cast<Index>(x.size()), 2, [&](Index begin, Index length) {
        const double* w = weights.empty() ? nullptr : weights.data() + begin;
        return RowSums<1>{kernels().sum_f64(x.data() + begin, w, length)};
    })[0];
}

// ||x - y||^2
inline double squared_distance_of_rows(const Execution& execution, std::span<const double> x,
                                       std::span<const double> y) {
    return sum_rows<1>(execution, static_cast<Index>(x.size()), 3, [&](Index begin, Index length) {
        double sum = 0;
        for (Index i = begin; i < begin + length; ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
        return RowSums<1>{sum};
    })[0];
}

}  // namespace sven::linalg
