#pragma once
// The body of the matrix product (kernel_bodies.hpp).

#include "linalg/dense_kernels.hpp"
#include "linalg/kernel_simd.hpp"

namespace {

// Vectors of rows x columns of a tile whose sums stay in registers, and the bytes of a packed
// block.
template <int Lanes, int Vectors, int Cols>
struct Tile {
    static constexpr int vectors = Vectors;
    static constexpr int cols = Cols;
    static constexpr int lanes = Lanes;
    // lanes that are transposed at a time
    static constexpr int group = Lanes < 8 ? Lanes : 8;  // NOLINT(bugprone-branch-clone): 8 of 8
    static constexpr int col_group = Cols < group ? Cols : group;
    static constexpr Index rows = Lanes * Vectors;
};

// to[Width k + c] = from[c step + k] for c < Group and k < depth, by squares.
template <int Group, Index Width, class T>
void pack_group(const T* from, Index step, Index depth, T* to) {
    using V = Lane<T, Group>;
    Index k = 0;
    for (; k + Group <= depth; k += Group) {
        typename V::Vector square[Group];
#pragma GCC unroll 8
        for (int c = 0; c < Group; ++c) square[c] = V::load(from + c * step + k);
        transpose<Group>(square);
#pragma GCC unroll 8
        for (int c = 0; c < Group; ++c) V::store(to + (k + c) * Width, square[c]);
    }
    for (; k < depth; ++k)
        for (int c = 0; c < Group; ++c) to[k * Width + c] = from[c * step + k];
}

// Lines of a matrix, `count` of them: entry k of line c at data[c across + k along].
template <class T>
struct Lines {
    const T* data;
    Index across;
    Index along;
    Index count;
};

// A panel of at most Width lines: to[Width k + c] = entry k of line c; zero for the other c.
template <int Group, Index Width, class T>
void pack_panel(const Lines<T>& lines, Index depth, T* to) {
    const auto [from, across, along, count] = lines;
    if (across == 1 && count == Width) {
        for (Index k = 0; k < depth; ++k)
#pragma GCC unroll 8
            for (Index c = 0; c < Width; c += Group)
                Lane<T, Group>::store(to + k * Width + c,
                                      Lane<T, Group>::load(from + k * along + c));
        return;
    }
    Index c = 0;
    if (along == 1)
        for (; c + Group <= count; c += Group)
            pack_group<Group, Width>(from + c * across, across, depth, to + c);
    for (; c < count; ++c)
        for (Index k = 0; k < depth; ++k) to[k * Width + c] = from[c * across + k * along];
    for (; c < Width; ++c)
        for (Index k = 0; k < depth; ++k) to[k * Width + c] = 0;
}

// Where a tile is added to C: `rows` x Cols entries from (row, col) on.
template <class T>
struct TileTarget {
    const sven::linalg::Product<T>* product;
    Index row;
    Index col;
    Index rows;
};

// Whether (i, j) belongs to the part that is computed.
template <class T>
bool is_wanted(const sven::linalg::Product<T>& product, Index i, Index j) {
    using sven::linalg::Part;
    return product.part == Part::whole || (product.part == Part::upper ? i <= j : i >= j);
}

// C += scale sum, V vectors x N columns.
template <class A, class T, int V, int N>
void add_sums(const typename Lane<T, A::lanes>::Vector (&sum)[N][V], T scale, T* C, Index stride) {
    using S = Lane<T, A::lanes>;
#pragma GCC unroll 8
    for (int c = 0; c < N; ++c)
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) {
            T* at = C + c * stride + v * A::lanes;
            S::store(at, S::load(at) + scale * sum[c][v]);
        }
}

// V vectors x N columns; a and b are packed, of A::rows and A::cols entries a step.
template <class A, class T, int V, int N>
void add_tile(const T* a, const T* b, Index depth, const TileTarget<T>& target) {
    using S = Lane<T, A::lanes>;
    constexpr int lanes = A::lanes;
    const sven::linalg::Product<T>& product = *target.product;
    T* C = product.C + target.col * product.stride + target.row;
#pragma GCC unroll 8
    for (int c = 0; c < N; ++c) __builtin_prefetch(C + c * product.stride, 1, 3);
    typename S::Vector sum[N][V] = {};
#pragma GCC unroll 2
    for (Index k = 0; k < depth; ++k) {
        typename S::Vector rows[V];
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) rows[v] = S::load(a + k * A::rows + v * lanes);
#pragma GCC unroll 8
        for (int c = 0; c < N; ++c)
#pragma GCC unroll 4
            for (int v = 0; v < V; ++v) sum[c][v] += rows[v] * b[k * A::cols + c];
    }
    const Index last_row = target.row + target.rows - 1;
    const bool is_whole = target.rows == V * lanes && is_wanted(product, last_row, target.col) &&
                          is_wanted(product, target.row, target.col + N - 1);
    if (is_whole) {
        add_sums<A, T, V, N>(sum, product.scale, C, product.stride);
        return;
    }
    // By way of a whole tile: the same operations, and so the same bits.
    T values[N][V * lanes] = {};
    for (int c = 0; c < N; ++c)
        for (Index i = 0; i < target.rows; ++i)
            if (is_wanted(product, target.row + i, target.col + c))
                values[c][i] = C[c * product.stride + i];
    add_sums<A, T, V, N>(sum, product.scale, values[0], V * lanes);
    for (int c = 0; c < N; ++c)
        for (Index i = 0; i < target.rows; ++i)
            if (is_wanted(product, target.row + i, target.col + c))
                C[c * product.stride + i] = values[c][i];
}

// The tile of as few vectors and columns as needed.
template <class A, class T, int V, int N>
void choose_tile(Index cols, const T* a, const T* b, Index depth, const TileTarget<T>& target) {
    if constexpr (V > 1)
        if (target.rows <= (V - 1) * A::lanes)
            return choose_tile<A, T, V - 1, N>(cols, a, b, depth, target);
    if constexpr (N > 1)
        if (cols < N) return choose_tile<A, T, V, N - 1>(cols, a, b, depth, target);
    add_tile<A, T, V, N>(a, b, depth, target);
}

// Whether some entry of rows [top, bottom) and columns [left, right) is wanted.
template <class T>
bool is_any_wanted(const sven::linalg::Product<T>& product, Index top, Index bottom, Index left,
                   Index right) {
    return is_wanted(product, top, right - 1) || is_wanted(product, bottom - 1, left);
}

inline Index smaller(Index a, Index b) {
    return a < b ? a : b;
}

// Rows [first, first + count) from column `from` on.
template <class T>
Lines<T> rows_of(const sven::linalg::Operand<T>& A, Index first, Index count, Index from) {
    return {A.data + first * A.row_step + from * A.col_step, A.row_step, A.col_step, count};
}

// Columns [j, end) of B in packed panels; `depth` rows from `first` on.
template <class A, class T>
void pack_columns(const sven::linalg::Operand<T>& B, Index j, Index end, Index first, Index depth,
                  T* to) {
    for (; j < end; j += A::cols, to += A::cols * depth)
        pack_panel<A::col_group, A::cols>(
            rows_of(B.transposed(), j, smaller(A::cols, end - j), first), depth, to);
}

// Rows [first, end) of A, or columns of B, packed.
template <class T>
struct Packed {
    const T* values;
    Index first;
    Index end;
};

template <class A, class T>
void multiply_packed(const sven::linalg::Product<T>& product, const Packed<T>& rows,
                     const Packed<T>& columns, Index depth) {
    for (Index j = columns.first; j < columns.end; j += A::cols) {
        const Index cols = smaller(A::cols, columns.end - j);
        const T* b = columns.values + (j - columns.first) * depth;
        for (Index i = rows.first; i < rows.end; i += A::rows) {
            const Index count = smaller(A::rows, rows.end - i);
            if (!is_any_wanted(product, i, i + count, j, j + cols)) continue;
            choose_tile<A, T, A::vectors, A::cols>(cols, rows.values + (i - rows.first) * depth, b,
                                                   depth, {&product, i, j, count});
        }
    }
}

// A block of A stays in the L2 cache, a panel of B in L1; both are on the stack, so that a product
// needs no memory.
template <class A, class T>
void multiply(const sven::linalg::Product<T>& product) {
    constexpr Index depth_block = sven::linalg::depth_block;
    constexpr Index block =
        sven::linalg::packed_bytes / (depth_block * Index{sizeof(T)}) / A::rows * A::rows;
    constexpr Index chunk = sven::linalg::packed_columns;
    alignas(64) T a[block * depth_block];
    alignas(64) T b[chunk * depth_block];
    for (Index first = 0; first < product.depth; first += depth_block) {
        const Index depth = smaller(depth_block, product.depth - first);
        for (Index top = 0; top < product.rows; top += block) {
            const Index bottom = smaller(product.rows, top + block);
            for (Index i = top; i < bottom; i += A::rows)
                pack_panel<A::group, A::rows>(
                    rows_of(product.A, i, smaller(A::rows, bottom - i), first), depth,
                    a + (i - top) * depth);
            for (Index j = 0; j < product.cols; j += chunk) {
                const Index end = smaller(product.cols, j + chunk);
                if (!is_any_wanted(product, top, bottom, j, end)) continue;
                pack_columns<A>(product.B, j, end, first, depth, b);
                multiply_packed<A, T>(product, {a, top, bottom}, {b, j, end}, depth);
            }
        }
    }
}

}  // namespace
