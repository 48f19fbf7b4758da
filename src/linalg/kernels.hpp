#pragma once
// The inner loops: products of many columns with eight vectors at once, the Gram matrix of packed
// rows, and dense algebra (dense_kernels.hpp). One body, compiled for plain x86-64, AVX2,
// AVX-512 and NEON; the best one that the processor supports is chosen at first use.

#include <cstdint>

#include "linalg/dense_kernels.hpp"
#include "linalg/genotype_kernels.hpp"
#include "linalg/loss_kernels.hpp"
#include "linalg/tuning.hpp"
#include "sven/matrix.hpp"

namespace sven::linalg {

// Columns of a Gram panel, packed side by side.
inline constexpr Index gram_width = 8;

// Memory that will be needed next: runs of cache lines, `step` bytes apart. A kernel that computes
// from the cache prefetches a line now and then, so that memory access and arithmetic overlap.
struct Ahead {
    static constexpr Index line = 64;

    const char* at = nullptr;
    Index run = 0;   // lines of a run
    Index step = 0;  // from the end of a run to the start of the next
    Index left = 0;  // lines
    Index in_run = 0;
};

// Products of columns with eight lanes, converted to those of scaled columns and checked.
struct LaneCheck {
    const double* tile;  // of column c at c * stride
    Index stride;
    const double* offset;  // by column, as the next two
    const double* scale;
    const double* reach;
    const double* sums;   // by lane, as the next
    const double* limit;  // may be infinite
    double* values;       // of column c at 8 c: (tile - offset sums) scale
    double* peak;         // by lane: at least the largest |value| reach
    Index* above;         // columns with a |value| reach above the limit of its lane
};

// Entries of scratch that DenseKernels::cholesky needs; its vectors may run past the end of a row.
inline constexpr Index cholesky_padding = 16;
inline constexpr Index cholesky_scratch(Index n) {
    return cholesky_panel_rows * (n + cholesky_padding);
}

// Sums over rows, a column beside the other: w d, w d^2 and v d with d = x - centre, and the least
// and the largest entry.
struct ColumnSums {
    const double* centre;
    double *first, *second, *mixed;
    double *low, *high;  // null: not asked for
};

struct Kernels {
    const char* name;

    // out[c][k] += sum_i (x_c[i] - shift_c) Q[i][k] for `count` columns and eight lanes k.
    // Q's rows and out's rows are `stride` apart. shift may be null: no shift. While some columns
    // are multiplied the next ones are fetched, as long as they are among the first `fetched` of x,
    // which may be none, or more than `count`.
    void (*correlate_f64)(const double* const* x, Index count, Index fetched, const double* shift,
                          Index n, const double* Q, Index stride, double* out);
    void (*correlate_f32)(const float* const* x, Index count, Index fetched, const double* shift,
                          Index n, const double* Q, Index stride, double* out);
    void (*correlate_i8)(const std::int8_t* const* x, Index count, Index fetched,
                         const double* shift, Index n, const double* Q, Index stride, double* out);

    // The same for row-major X: columns [0, count) of `n` rows that are x_stride apart.
    void (*correlate_rows_f64)(const double* x, Index x_stride, Index count, const double* shift,
                               Index n, const double* Q, Index stride, double* out);
    void (*correlate_rows_f32)(const float* x, Index x_stride, Index count, const double* shift,
                               Index n, const double* Q, Index stride, double* out);
    void (*correlate_rows_i8)(const std::int8_t* x, Index x_stride, Index count,
                              const double* shift, Index n, const double* Q, Index stride,
                              double* out);

    // The same for one sparse column: out[k] = sum over e of values[e] Q[rows[e]][k], every lane of
    // the stride.
    void (*correlate_sparse_f64_i32)(const double* values, const std::int32_t* rows, Index count,
                                     const double* Q, Index stride, double* out);
    void (*correlate_sparse_f64_i64)(const double* values, const std::int64_t* rows, Index count,
                                     const double* Q, Index stride, double* out);
    void (*correlate_sparse_f32_i32)(const float* values, const std::int32_t* rows, Index count,
                                     const double* Q, Index stride, double* out);
    void (*correlate_sparse_f32_i64)(const float* values, const std::int64_t* rows, Index count,
                                     const double* Q, Index stride, double* out);

    // out[c] = sum_i (x_c[i] - shift_c) q[i].
    void (*dot_f64)(const double* const* x, Index count, const double* shift, Index n,
                    const double* q, double* out);
    void (*dot_f32)(const float* const* x, Index count, const double* shift, Index n,
                    const double* q, double* out);
    void (*dot_i8)(const std::int8_t* const* x, Index count, const double* shift, Index n,
                   const double* q, double* out);

    // sum w x of one column, and out = {sum w d, sum w d^2, sum v d} with d = x - centre; w may be
    // null: all one.
    double (*sum_f64)(const double* x, const double* w, Index n);
    double (*sum_f32)(const float* x, const double* w, Index n);
    double (*sum_i8)(const std::int8_t* x, const double* w, Index n);
    void (*centred_sums_f64)(const double* x, const double* w, const double* v, double centre,
                             Index n, double* out);
    void (*centred_sums_f32)(const float* x, const double* w, const double* v, double centre,
                             Index n, double* out);
    void (*centred_sums_i8)(const std::int8_t* x, const double* w, const double* v, double centre,
                            Index n, double* out);
    // What `count` entries of a row add; a row of weight zero has no least and largest entries.
    void (*add_moments_f64)(const double* x, Index count, double w, double v,
                            const ColumnSums& sums);
    void (*add_moments_f32)(const float* x, Index count, double w, double v,
                            const ColumnSums& sums);
    void (*add_moments_i8)(const std::int8_t* x, Index count, double w, double v,
                           const ColumnSums& sums);

    // panel[8 i + c] = (x_c[i] - centre_c) factor_i for `count` <= 8 columns and n rows: columns to
    // packed rows; those beyond `count` are left alone or zero. factors may be null: all one.
    void (*pack_f64)(const double* const* x, Index count, const double* centre, Index n,
                     const double* factors, double* panel);
    void (*pack_f32)(const float* const* x, Index count, const double* centre, Index n,
                     const double* factors, double* panel);
    void (*pack_i8)(const std::int8_t* const* x, Index count, const double* centre, Index n,
                    const double* factors, double* panel);

    // C[8a + u][v] += sum_i A_a[i][u] B[i][v] for `panels` consecutive panels A_a of n rows and
    // gram_width columns, one panel B; C is column-major: entry (row, v) at C[row + v * ldc].
    void (*gram)(const double* A, Index panels, const double* B, Index n, double* C, Index ldc,
                 Ahead& ahead);
    // The same for the first four columns of one panel A.
    void (*gram_half)(const double* A, const double* B, Index n, double* C, Index ldc,
                      Ahead& ahead);
    // The same for a panel and itself; the upper right 4 x 4 square is not written.
    void (*gram_diagonal)(const double* A, Index n, double* C, Index ldc, Ahead& ahead);

    // Checks `count` columns; returns how many are listed in `above`, in order.
    Index (*check_lanes)(const LaneCheck& check, Index count);

    // counts[k] += how many of n rows have |values[8 i + k]| + slope[k] norms[i] < limit[k].
    void (*count_below)(const double* values, const double* norms, Index n, const double* slope,
                        const double* limit, Index* counts);

    // y += columns [begin, end) of the symmetric n x n matrix G, times x: G's lower triangle is
    // stored by columns `stride` apart, and each entry read is used twice.
    void (*symmetric)(const double* G, Index stride, Index begin, Index end, Index n,
                      const double* x, double* y);

    DenseKernels<double> f64;
    DenseKernels<float> f32;
    GenotypeKernels genotypes;
    LossKernels losses;
};

// The member of the precision T.
template <class T>
const DenseKernels<T>& dense_kernels(const Kernels& kernels);
template <>
inline const DenseKernels<double>& dense_kernels(const Kernels& kernels) {
    return kernels.f64;
}
template <>
inline const DenseKernels<float>& dense_kernels(const Kernels& kernels) {
    return kernels.f32;
}

// The best set for this processor; SVEN_KERNELS=generic|avx2|avx512 selects another.
const Kernels& kernels();

const Kernels& generic_kernels();
const Kernels& avx2_kernels();
const Kernels& avx512_kernels();

}  // namespace sven::linalg
