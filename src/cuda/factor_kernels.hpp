#pragma once
// Cholesky factors of parts of a symmetric matrix, and solves with them, in one launch each. A
// factor is a lower triangle of tiles, row after row, the tiles by rows; on the diagonal stand the
// inverses of its triangles. All pointers are to device memory; all calls are asynchronous.

#include "cuda/system_kernels.hpp"

namespace sven::cuda {

inline constexpr int factor_tile = 64;

inline Index factor_tiles(Index size) {
    return (size + factor_tile - 1) / factor_tile;
}
// Sizes that a system of that order needs.
inline Index factor_doubles(Index size) {
    const Index tiles = factor_tiles(size);
    return tiles * (tiles + 1) / 2 * factor_tile * factor_tile;
}
inline Index padded_doubles(Index size) {
    return factor_tiles(size) * factor_tile;
}
inline Index counter_doubles(Index size) {
    return 1 + (3 * factor_tiles(size) + 1) / 2;
}

// What blocks tell each other. All zero before a launch; the counters of the rows and of the parts
// of y and x are behind it.
struct FactorState {
    int coarse = 0;  // pivots that are not above `coarsest` times their diagonal entry
    int next = 0;    // the number of the next task
};

struct FactorSystem {
    SquarePart part;  // K without its ridge
    const double* ridge = nullptr;
    double coarsest = 0;
    double* tiles = nullptr;
    double* x = nullptr;  // b, then K^-1 b; padded, as y
    double* y = nullptr;  // between the two triangles
    FactorState* state = nullptr;
};

enum class FactorWork { factor, factor_and_solve, solve };

// Whether the device has the shared memory for it.
bool can_factor();
void run_factor(const FactorSystem& system, FactorWork work, cudaStream_t stream);

}  // namespace sven::cuda
