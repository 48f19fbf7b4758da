#pragma once
// Solves with an upper triangle in single precision whose diagonal blocks are inverted, so that a
// solve is a chain of products: several times faster than substitution, and a team can share it.
// Sums are split by the blocks only, so that any number of threads gives the same bits.

#include <vector>

#include "linalg/execution.hpp"

namespace sven::linalg {

// Column-major, its upper triangle.
struct UpperTriangle {
    const float* values;
    Index stride;
};

// Right-hand sides, column-major; the first `zeros` rows are zero.
struct RightSides {
    float* values;
    Index stride;
    Index rows;
    Index count;
    Index zeros;
};

class BlockTriangle {
  public:
    // Removes all blocks.
    void clear();
    // Adds columns [begin, end) of U; the earlier ones have been added. False if a diagonal entry
    // is zero.
    bool add(const UpperTriangle& U, Index begin, Index end);

    // y = U^-T x; x is overwritten.
    void solve_transposed(const UpperTriangle& U, float* x, float* y,
                          const Execution& execution) const;
    // B := U^-T B with the leading triangle of B's order, which must end with a block. Polls the
    // cancel token.
    void divide_transposed(const UpperTriangle& U, const RightSides& B,
                           const Execution& execution) const;
    // x = U^-1 y; y is overwritten.
    void solve(const UpperTriangle& U, float* y, float* x, const Execution& execution) const;

  private:
    struct Block {
        Index begin;
        Index end;
        Index inverse;  // where its inverse begins in inverses_
    };

    // Threads for a solve with one right-hand side.
    Team team(const Execution& execution) const;

    std::vector<Block> blocks_;
    std::vector<float> inverses_;
};

}  // namespace sven::linalg
