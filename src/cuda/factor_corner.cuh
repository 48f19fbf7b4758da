#pragma once
// The inverse of the triangle of one tile on the diagonal, by one block.

#include "cuda/factor_tiles.cuh"

namespace sven::cuda {

// Columns that are eliminated at a time, by two warps: their upper triangle is in the registers of
// each thread. The other warps have a strip of rows each.
constexpr int strip = 8;  // the shape of the matrix units
constexpr int strips = side / strip;
constexpr int eliminating_warps = side / warp;
static_assert(strips * warp == factor_threads);
// A row of what is solved, and behind it the pivot and its inverse: no bank is asked twice.
constexpr int solved_doubles = side + 4;
constexpr int corner_doubles = shared_tile + side * solved_doubles;

// 1 / x for ordinary x, otherwise anything: y, and the share of y that is missing.
struct Reciprocal {
    double y, missing;
    __device__ explicit Reciprocal(double x) {
        asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
        const double e = fma(-x, y, 1.0);
        missing = fma(e, e, e);
    }
    __device__ double value() const { return fma(missing, y, y); }
};

// x^(-1/2), likewise.
__device__ __forceinline__ double reciprocal_root(double x) {
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const double e = fma(-x, y * y, 1.0);
    return fma(fma(e, 0.375, 0.5), y * e, y);
}

// The tile is L D L' with a unit triangle. In the rows of a strip stand, left of it, what is to
// become the inverse of L and, from it on, what is left of the matrix. Divided by the triangle of
// the strip, these are rows of the inverse, and of D L'. A thread has a column of them, and the
// triangle as all others have: nobody waits for anybody. The next pivot is what each column waits
// for, and is made before the rest.
__device__ inline void eliminate_strip(const double* rest, double* solved, int k) {
    const int t = static_cast<int>(threadIdx.x);
    const double* rows = rest + strip * k * row_doubles;
    double m[strip][strip];  // from the diagonal on
    double v[strip];
#pragma unroll
    for (int i = 0; i < strip; ++i) {
#pragma unroll
        for (int j = i / 2 * 2; j < strip; j += 2) {
            const double2 pair =
                *reinterpret_cast<const double2*>(rows + i * row_doubles + strip * k + j);
            m[i][j] = pair.x;
            m[i][j + 1] = pair.y;
        }
        v[i] = rows[i * row_doubles + t];
        if (t / strip == k) v[i] = t % strip == i ? 1 : 0;  // here the inverse begins
    }
    double* out = solved + strip * k * solved_doubles + t;
    double pivot = m[0][0];
#pragma unroll
    for (int i = 0; i < strip; ++i) {
        const Reciprocal reciprocal(pivot);
        const double inverse = reciprocal.value();
        if (t == 0) *reinterpret_cast<double2*>(out + i * solved_doubles + side) = {pivot, inverse};
        out[i * solved_doubles] = v[i];
        if (i + 1 < strip) {
            const double next = m[i][i + 1];
            const double share = next * reciprocal.y;
            pivot = fma(-(share * next), reciprocal.missing, fma(-share, next, m[i + 1][i + 1]));
        }
#pragma unroll
        for (int r = i + 1; r < strip; ++r) {
            const double factor = m[i][r] * inverse;
#pragma unroll
            for (int j = r; j < strip; ++j)
                if (j > i + 1) m[r][j] = fma(-factor, m[i][j], m[r][j]);
            v[r] = fma(-factor, v[i], v[r]);
        }
    }
}

// What a thread has of a strip of rows in the layout of the matrix units, and what strip k of
// columns takes from it.
class StripRows {
  public:
    __device__ StripRows(double* rest, int rows) : rows_(rows) {
        const int lane = static_cast<int>(threadIdx.x) % warp;
        lane_row_ = lane / 4;
        lane_k_ = lane % 4;
        rest_ = rest + (strip * rows + lane_row_) * row_doubles + 2 * lane_k_;
    }
    __device__ void load(int j, double (&c)[2]) const {
        const double2 pair = *reinterpret_cast<const double2*>(rest_ + strip * j);
        c[0] = pair.x;
        c[1] = pair.y;
    }
    __device__ void store(int j, const double (&c)[2]) const {
        *reinterpret_cast<double2*>(rest_ + strip * j) = {c[0], c[1]};
    }
    // The factors of strip k.
    __device__ void begin(const double* solved, int k) {
        solved_ = solved + (strip * k + lane_k_) * solved_doubles;
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const double* row = solved_ + 4 * half * solved_doubles;
            left_[half] = -row[strip * rows_ + lane_row_] * row[side + 1];
        }
    }
    // Four rows of what was solved in the columns of strip j.
    __device__ double right(int half, int j) const {
        return solved_[4 * half * solved_doubles + strip * j + lane_row_];
    }
    __device__ void update(int half, double right, double (&c)[2]) const {
        multiply_add(c, left_[half], right);
    }

  private:
    int rows_;
    int lane_row_, lane_k_;
    double* rest_;
    const double* solved_ = nullptr;
    double left_[2];
};

// The rows of strip k + 1, which is next, a strip of columns by each warp.
__device__ inline void update_next(double* rest, const double* solved, int k, int j) {
    StripRows rows(rest, k + 1);
    double c[2];
    rows.load(j, c);
    rows.begin(solved, k);
    if (j == k) c[0] = c[1] = 0;  // here the inverse begins
    const double right[2] = {rows.right(0, j), rows.right(1, j)};
    rows.update(0, right[0], c);
    rows.update(1, right[1], c);
    rows.store(j, c);
}

// Rows i, i + 1, ... of tile g on the diagonal, by a warp. A pivot that is not positive makes
// numbers that mean nothing, and is counted.
template <int count>
__device__ inline void finish_rows(const FactorJob& job, int g, int i, const double* solved,
                                   const double* diagonal) {
    const int lane = static_cast<int>(threadIdx.x) % warp;
    const double pivot = solved[(i + lane % count) * solved_doubles + side];
    if (lane < count && !(pivot > job.system.coarsest * diagonal[i + lane]))
        atomicAdd(&job.system.state->coarse, 1);
    __syncwarp();
    const double root = reciprocal_root(pivot);
    auto* out = reinterpret_cast<double2*>(tile_at(job, g, g) + i * side) + lane;
    const int j = 2 * lane;
#pragma unroll
    for (int r = 0; r < count; ++r) {
        const double scale = __shfl_sync(all_lanes, root, r);
        const double2 pair =
            *reinterpret_cast<const double2*>(solved + (i + r) * solved_doubles + j);
        out[r * side / 2] = {j <= i + r ? scale * pair.x : 0, j < i + r ? scale * pair.y : 0};
    }
}

// Tile g on the diagonal of the factor, from what is left of K there, in shared memory, and the
// diagonal of K.
__device__ inline void invert_triangle(const FactorJob& job, int g, double* shared,
                                       const double* diagonal) {
    double* rest = shared;
    double* solved = shared + shared_tile;
    // Rows with little to do beside the warps that eliminate, in the same quarter of the
    // multiprocessor.
    int own = static_cast<int>(threadIdx.x) / warp;
    if (own >= 2 && own < 6) own ^= 6;
    StripRows mine(rest, own);
    double c[strips][2];
#pragma unroll
    for (int j = 0; j < strips; ++j) mine.load(j, c[j]);
    for (int k = 0; k + 1 < strips; ++k) {
        if (own < eliminating_warps) eliminate_strip(rest, solved, k);
        __syncthreads();
        update_next(rest, solved, k, own);
        __syncthreads();
        // The strip that is next is eliminated by others, while each warp goes on with its own
        // rows.
        if (own > k + 1) {
            mine.begin(solved, k);
            double right[2][strips];
#pragma unroll
            for (int j = 0; j < strips; ++j) {
                right[0][j] = mine.right(0, j);
                right[1][j] = mine.right(1, j);
                if (j == k) c[j][0] = c[j][1] = 0;
            }
#pragma unroll
            for (int half = 0; half < 2; ++half)
#pragma unroll
                for (int j = 0; j < strips; ++j)
                    if (j <= k || j >= own) mine.update(half, right[half][j], c[j]);
            if (own == k + 2) {
#pragma unroll
                for (int j = 0; j < strips; ++j) mine.store(j, c[j]);
            }
        } else if (own == k + 1 && own >= eliminating_warps) {
            finish_rows<strip>(job, g, strip * (k - 1), solved, diagonal);
        }
    }
    if (own < eliminating_warps) eliminate_strip(rest, solved, strips - 1);
    __syncthreads();
    // the rows of the last two strips
    finish_rows<2>(job, g, strip * (strips - 2) + 2 * own, solved, diagonal);
}

}  // namespace sven::cuda
