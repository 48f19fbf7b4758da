#include "cuda/square_products.hpp"

#include <algorithm>

#include "cuda/kernels.hpp"
#include "cuda/tuning.hpp"

namespace sven::cuda {
namespace {

bool is_same_shape(const RowsOfColumns& a, const RowsOfColumns& b) {
    return a.lead == b.lead && a.by_columns == b.by_columns && a.rows == b.rows;
}

// cublasDsyrk is slow where the number of columns is odd.
bool is_for_syrk(Index columns) {
    return columns >= least_whole_columns && columns % 2 == 0;
}

}  // namespace

SquareProducts::SquareProducts(Index columns)
    : columns_(columns),
      is_whole_(is_for_syrk(columns)),
      square_(is_whole_ ? columns : std::min(columns, square_columns)),
      squares_((columns + square_ - 1) / square_),
      width_((squares_ * square_ + sums_unit - 1) / sums_unit * sums_unit),
      pairs_(squares_ * (squares_ + 1) / 2),
      cuts_(is_whole_ ? 1 : std::max<Index>(1, wanted_products / pairs_)) {
    parts_.reserve(cuts_ * width_ * width_);
}

void SquareProducts::clear(const Stream& stream) {
    SVEN_CUDA(cudaMemsetAsync(parts_.data(), 0,
                              static_cast<std::size_t>(cuts_ * width_ * width_) * 8, stream));
}

void SquareProducts::add(const RowsOfColumns& block, SquarePointers& pointers,
                         const Stream& stream) {
    if (is_whole_) {
        syrk(stream, {block.by_columns, false, 0, columns_, block.rows, block.data, block.lead,
                      nullptr, 0, 1, parts_.data(), width_});
        return;
    }
    const Index depth = block.rows / cuts_;
    point(block, depth, pointers, stream);
    if (depth > 0) multiply(block, depth, cuts_, pointers, stream);
    // the remaining rows, after the last cut, are added to the sums of the first
    const Index rest = block.rows - depth * cuts_;
    if (rest == 0) return;
    const Index behind = depth * cuts_ * (block.by_columns ? 1 : block.lead);
    shift_pointers(pointers.there.data(), 2 * pairs_ * cuts_, behind, stream);
    multiply(block, rest, 1, pointers, stream);
    shift_pointers(pointers.there.data(), 2 * pairs_ * cuts_, -behind, stream);
}

void SquareProducts::multiply(const RowsOfColumns& block, Index depth, Index cuts,
                              const SquarePointers& pointers, const Stream& stream) const {
    const double* const* there = pointers.there.data();
    GemmBatch batch;
    batch.shape.transpose_a = block.by_columns;
    batch.shape.transpose_b = !block.by_columns;
    batch.shape.m = batch.shape.n = square_;
    batch.shape.k = depth;
    batch.shape.lda = batch.shape.ldb = block.lead;
    batch.shape.ldc = width_;
    batch.shape.beta = 1;
    batch.count = pairs_ * cuts;
    batch.A = there;
    batch.B = there + pairs_ * cuts_;
    batch.C = const_cast<double* const*>(there + 2 * pairs_ * cuts_);
    gemm_batch(stream, batch);
}

// Blocks of the same shape differ by an offset, which the device adds.
void SquareProducts::point(const RowsOfColumns& block, Index depth, SquarePointers& pointers,
                           const Stream& stream) {
    const Index total = pairs_ * cuts_;
    if (pointers.of.data != nullptr && is_same_shape(block, pointers.of)) {
        if (block.data != pointers.of.data)
            shift_pointers(pointers.there.data(), 2 * total, block.data - pointers.of.data, stream);
        pointers.of = block;
        return;
    }
    stream.synchronize();  // the pinned pointers may still be in use
    pointers.of = block;
    pointers.there.reserve(3 * total);
    pointers.pinned.reserve(static_cast<std::size_t>(3 * total) * sizeof(double*));
    auto** at = static_cast<const double**>(pointers.pinned.get());
    for (Index cut = 0; cut < cuts_; ++cut) {
        const auto place_of = [&](Index which) {
            const Index column = first_column(which);
            return block.data + (block.by_columns ? column * block.lead + cut * depth
                                                  : cut * depth * block.lead + column);
        };
        for (Index J = 0; J < squares_; ++J)
            for (Index I = J; I < squares_; ++I, ++at) {
                at[0] = place_of(I);
                at[total] = place_of(J);
                at[2 * total] =
                    parts_.data() + cut * width_ * width_ + J * square_ * width_ + I * square_;
            }
    }
    SVEN_CUDA(cudaMemcpyAsync(pointers.there.data(), pointers.pinned.get(),
                              static_cast<std::size_t>(3 * total) * sizeof(double*),
                              cudaMemcpyHostToDevice, stream));
}

const double* SquareProducts::total(const Stream& stream) {
    if (cuts_ == 1) return parts_.data();
    add_parts(parts_.data(), cuts_, width_ * width_, sum_.reserve(width_ * width_), stream);
    return sum_.data();
}

}  // namespace sven::cuda
