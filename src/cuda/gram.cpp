// The Gram matrix on the device: blocks of rows, centred and weighted, times themselves. Only the
// lower triangle is computed, by square blocks of columns, and the rows of a block are cut so that
// all of these products fill the device at once: one batched call, while the next block is
// prepared. Where X is still on its way, the next block is being sent meanwhile.

#include "linalg/gram.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "cuda/blas.hpp"
#include "cuda/design.hpp"

namespace sven::cuda {

using linalg::Execution;
using linalg::GramRequest;
using linalg::GramSums;

namespace {

constexpr double block_bytes = 128e6;  // of rows that are prepared at a time
// Columns of a square block. cuBLAS is as fast on squares of 64 as on wider ones (bench/gpu), and
// nothing wastes less beyond the triangle.
constexpr Index square = 64;
constexpr Index wanted_squares = 528;  // four waves on 132 multiprocessors

Index round_up(Index value, Index unit) {
    return (value + unit - 1) / unit * unit;
}

}  // namespace

class GramPass {
  public:
    GramPass(const CudaDesign& design, const GramRequest& request, const Execution& execution)
        : design_(design), request_(request), execution_(execution) {
        const Index columns = design.cols() + 2;
        squares_ = (columns + square - 1) / square;
        width_ = squares_ * square;
        pairs_ = squares_ * (squares_ + 1) / 2;
        const auto most =
            static_cast<Index>(block_bytes / 8 / static_cast<double>(width_)) / 256 * 256;
        block_ = std::min(std::max<Index>(256, most), round_up(design.rows(), 256));
        cuts_ = std::clamp<Index>(wanted_squares / pairs_, 1, block_ / 256);
        block_ = round_up(block_, cuts_);
        parts_.reserve(cuts_ * width_ * width_);
        for (Half& half : halves_) {
            half.rows.reserve(block_ * width_);
            half.pointers.reserve(3 * pairs_ * cuts_);
            half.pinned.reserve(static_cast<std::size_t>(3 * pairs_ * cuts_) * sizeof(double*));
        }
    }

    // Nothing is left running when its memory goes back.
    ~GramPass() {
        cudaStreamSynchronize(design_.stream_);
        cudaStreamSynchronize(design_.copies_);
    }
    GramPass(const GramPass&) = delete;
    GramPass& operator=(const GramPass&) = delete;

    void run(std::span<GramSums> sums) {
        CudaDesign::Inputs inputs(design_, 4 * design_.rows() + design_.cols());
        send_rows(inputs, sums);
        inputs.send();
        const bool streams = request_.group_of_row.empty() && !design_.is_resident();
        if (streams) {
            start();
            design_.make_resident(execution_, block_,
                                  [&](Index begin, Index end) { add(begin, end); });
            finish(sums.front());
            return;
        }
        design_.ensure_resident(execution_);
        Index begin = 0;
        for (std::size_t g = 0; g < sums.size(); ++g) {
            start();
            for (; begin < ends_[g]; begin += block_) {
                execution_.check();
                add(begin, std::min(ends_[g], begin + block_));
            }
            begin = ends_[g];
            finish(sums[g]);
        }
    }

  private:
    // One block of rows is prepared while the other is multiplied.
    struct Half {
        DeviceBuffer<double> rows;
        DeviceBuffer<const double*> pointers;
        PinnedMemory pinned;
        Index pointed_depth = -1;
        Event filled;
        Event used;
    };

    // What the rows are multiplied with, and their order by group.
    void send_rows(CudaDesign::Inputs& inputs, std::span<const GramSums> sums) {
        const Index n = design_.rows();
        source_.y = inputs.put(request_.y, execution_.threads);
        source_.centre = inputs.put(sums.front().centre);
        if (!request_.weights.empty()) {
            std::vector<double> roots(request_.weights.begin(), request_.weights.end());
            for (double& w : roots) w = std::sqrt(w);
            source_.factors = inputs.put(roots, execution_.threads);
        }
        if (request_.group_of_row.empty()) {
            ends_.push_back(n);
            return;
        }
        std::vector<Index> list;
        std::vector<Index> position(static_cast<std::size_t>(n), -1);
        for (std::size_t g = 0; g < sums.size(); ++g) {
            for (Index i = 0; i < n; ++i) {
                if (request_.group_of_row[i] != static_cast<std::int32_t>(g)) continue;
                position[i] = static_cast<Index>(list.size());
                list.push_back(i);
            }
            ends_.push_back(static_cast<Index>(list.size()));
        }
        source_.list = inputs.put(list);
        source_.position = inputs.put(position);
    }

    void start() {
        SVEN_CUDA(cudaMemsetAsync(parts_.data(), 0,
                                  static_cast<std::size_t>(cuts_ * width_ * width_) * 8,
                                  design_.stream_));
    }

    void add(Index begin, Index end) {
        const Index depth = (end - begin + cuts_ - 1) / cuts_;  // rows of a cut
        RowBlock block = source_;
        block.begin = begin;
        block.count = depth * cuts_;
        block.valid = end - begin;
        block.width = width_;
        Half& half = halves_[next_];
        next_ = 1 - next_;
        half.used.hold(design_.stream_);
        point(depth, half);
        design_.launch_fill(block, half.rows.data());
        half.filled.record(design_.stream_);
        half.filled.hold(design_.copies_);
        const bool by_columns = design_.fills_columns();
        GemmBatch batch;
        batch.shape.transpose_a = by_columns;
        batch.shape.transpose_b = !by_columns;
        batch.shape.m = batch.shape.n = square;
        batch.shape.k = depth;
        batch.shape.lda = batch.shape.ldb = by_columns ? block.count : width_;
        batch.shape.ldc = width_;
        batch.shape.beta = 1;
        batch.count = pairs_ * cuts_;
        batch.A = half.pointers.data();
        batch.B = half.pointers.data() + batch.count;
        batch.C = const_cast<double* const*>(half.pointers.data() + 2 * batch.count);
        gemm_batch(design_.copies_, batch);
        half.used.record(design_.copies_);
    }

    // Where each product of the batch finds its blocks: the same for every block of as many rows.
    void point(Index depth, Half& half) {
        if (depth == half.pointed_depth) return;
        design_.stream_.synchronize();  // the pinned pointers may still be on their way
        half.pointed_depth = depth;
        const bool by_columns = design_.fills_columns();
        const Index count = depth * cuts_;
        auto** pointers = static_cast<const double**>(half.pinned.get());
        const Index total = pairs_ * cuts_;
        Index at = 0;
        for (Index cut = 0; cut < cuts_; ++cut) {
            const auto place = [&](Index which) {
                const Index column = which * square;
                return half.rows.data() +
                       (by_columns ? column * count + cut * depth : cut * depth * width_ + column);
            };
            for (Index J = 0; J < squares_; ++J)
                for (Index I = J; I < squares_; ++I, ++at) {
                    pointers[at] = place(I);
                    pointers[total + at] = place(J);
                    pointers[2 * total + at] =
                        parts_.data() + cut * width_ * width_ + J * square * width_ + I * square;
                }
        }
        SVEN_CUDA(cudaMemcpyAsync(half.pointers.data(), pointers,
                                  static_cast<std::size_t>(3 * total) * sizeof(double*),
                                  cudaMemcpyHostToDevice, design_.stream_));
    }

    void finish(GramSums& sums) {
        for (Half& half : halves_) half.used.hold(design_.stream_);
        const Index size = width_ * width_;
        const double* total = parts_.data();
        if (cuts_ > 1) {
            add_parts(parts_.data(), cuts_, size, sum_.reserve(size), design_.stream_);
            total = sum_.data();
        }
        design_.download(total, size);
        const double* result = design_.results_.doubles();
        const Index columns = design_.cols() + 2;
        const int threads = execution_.threads_for(static_cast<double>(size));
        linalg::parallel_ranges(threads, sums.stride, 1, [&](Index begin, Index end) {
            for (Index j = begin; j < end; ++j) {
                double* column = sums.values.data() + j * sums.stride;
                std::fill_n(column, sums.stride, 0.0);
                if (j < columns)
                    std::copy(result + j * width_ + j, result + j * width_ + columns, column + j);
            }
        });
    }

    const CudaDesign& design_;
    const GramRequest& request_;
    const Execution& execution_;
    Index squares_ = 0;  // of them along the matrix
    Index width_ = 0;    // columns, padded
    Index pairs_ = 0;    // square blocks in the lower triangle
    Index block_ = 0;    // rows prepared at a time
    Index cuts_ = 1;     // of these rows
    RowBlock source_;
    std::vector<Index> ends_;  // of the groups, in source_.list
    std::array<Half, 2> halves_;
    int next_ = 0;
    DeviceBuffer<double> parts_;
    DeviceBuffer<double> sum_;
};

bool CudaDesign::sum_gram(const GramRequest& request, const Execution& execution,
                          std::span<GramSums> sums) const {
    const std::lock_guard lock(mutex_);
    GramPass pass(*this, request, execution);
    const Settled settled{*this};
    pass.run(sums);
    return true;
}

}  // namespace sven::cuda
