// linalg::Systems on the device: the Gram matrix grows by products of the appended columns, which
// are kept there, scaled; cuSOLVER computes the factors.

#include "linalg/systems.hpp"

#include <algorithm>
#include <cstring>

#include "cuda/blas.hpp"
#include "cuda/design.hpp"
#include "cuda/solver.hpp"
#include "cuda/system_kernels.hpp"
#include "cuda/tuning.hpp"

namespace sven::cuda {
namespace {

bool has_room(Index doubles) {
    return static_cast<double>(doubles) * 8 <= usable_share * free_memory();
}

Index grown(Index size, Index capacity) {
    return std::max(size, capacity + capacity / 2);
}

// Factors and solves with parts of a Gram matrix that is on the device.
class GramSystems : public linalg::Systems {
  public:
    GramSystems(const CudaDesign& design, Index size, const double* gram)
        : design_(design), size_(size), stride_(size) {
        const Settled settled{stream_};
        gram_.reserve(size * size);
        SVEN_CUDA(cudaMemcpyAsync(gram_.data(), gram, static_cast<std::size_t>(size * size) * 8,
                                  cudaMemcpyHostToDevice, stream_));
    }

    Index size() const override { return size_; }
    bool append(std::span<const Index>) override { return false; }
    void keep(std::span<const Index>) override {}

    bool factor(std::span<const Index> members, std::span<const double> ridge,
                double coarsest) override {
        const auto held = design_.hold();
        const Settled settled{stream_};
        const auto m = static_cast<Index>(members.size());
        if (m > capacity_) reserve(grown(m, capacity_));
        factored_ = m;
        double* pinned = pinned_.doubles();
        std::memcpy(pinned, members.data(), members.size_bytes());
        std::copy(ridge.begin(), ridge.end(), pinned + m);
        SVEN_CUDA(cudaMemcpyAsync(inputs_.data(), pinned, static_cast<std::size_t>(2 * m) * 8,
                                  cudaMemcpyHostToDevice, stream_));
        const SquarePart part{gram_.data(), stride_, reinterpret_cast<const Index*>(inputs_.data()),
                              m};
        const double* ridge_there = inputs_.data() + m;
        select_square(part, ridge_there, matrix_.data(), m, stream_);
        SVEN_CUDA(cudaMemsetAsync(faults_.data(), 0, 2 * sizeof(int), stream_));
        const Triangle K{matrix_.data(), m, m};
        const Index scratch = cholesky_scratch(stream_, K);
        cholesky(stream_, K, scratch_.reserve(scratch), scratch, faults_.data());
        count_coarse_pivots(matrix_.data(), m, part, ridge_there, coarsest, faults_.data() + 1,
                            stream_);
        SVEN_CUDA(cudaMemcpyAsync(pinned, faults_.data(), 2 * sizeof(int), cudaMemcpyDeviceToHost,
                                  stream_));
        stream_.synchronize();
        int faults[2];
        std::memcpy(faults, pinned, sizeof(faults));
        return faults[0] == 0 && faults[1] == 0;
    }

    void solve(std::span<const double> b, double* x) override {
        const auto held = design_.hold();
        const Settled settled{stream_};
        double* pinned = pinned_.doubles();
        std::copy(b.begin(), b.end(), pinned);
        SVEN_CUDA(cudaMemcpyAsync(inputs_.data(), pinned, b.size_bytes(), cudaMemcpyHostToDevice,
                                  stream_));
        solve_cholesky(stream_, {matrix_.data(), factored_, factored_}, inputs_.data(),
                       faults_.data());
        SVEN_CUDA(cudaMemcpyAsync(pinned, inputs_.data(), b.size_bytes(), cudaMemcpyDeviceToHost,
                                  stream_));
        stream_.synchronize();
        std::copy_n(pinned, b.size(), x);
    }

  protected:
    explicit GramSystems(const CudaDesign& design) : design_(design) {}

    // Waits for the stream when a call ends, also by an exception.
    struct Settled {
        const Stream& stream;
        ~Settled() { cudaStreamSynchronize(stream); }
    };

    const CudaDesign& design_;
    Stream stream_;
    DeviceBuffer<double> gram_;  // upper triangle, column-major
    Index size_ = 0;
    Index stride_ = 0;

  private:
    void reserve(Index size) {
        capacity_ = size;
        matrix_.reserve(size * size);
        inputs_.reserve(2 * size);
        pinned_.reserve(static_cast<std::size_t>(2 * size) * 8);
        faults_.reserve(2);
    }

    DeviceBuffer<double> matrix_;  // K, then its factor
    DeviceBuffer<double> inputs_, scratch_;
    DeviceBuffer<int> faults_;
    PinnedMemory pinned_;
    Index capacity_ = 0;
    Index factored_ = 0;
};

class ColumnSystems final : public GramSystems {
  public:
    ColumnSystems(const CudaDesign& design, const linalg::ColumnScales& scales)
        : GramSystems(design), scales_(scales) {
        if (scales.root_weights.empty()) return;
        const Settled settled{stream_};
        send(scales.root_weights, roots_.reserve(design.rows()));
    }

    bool append(std::span<const Index> columns) override {
        const auto held = design_.hold();
        const Settled settled{stream_};
        const auto count = static_cast<Index>(columns.size());
        const Index n = design_.rows();
        if (!make_room(size_ + count)) return false;
        double* fresh = columns_.data() + size_ * n;
        design_.gather_there(columns, fresh);
        std::vector<double> offset, factor;
        for (const Index j : columns) {
            offset.push_back(scales_.offset[j]);
            factor.push_back(scales_.inverse_scale[j]);
        }
        double* there = factors_.reserve(2 * count);
        send(offset, there);
        send(factor, there + count);
        scale_columns(fresh, n, count, there, there + count,
                      scales_.root_weights.empty() ? nullptr : roots_.data(), stream_);
        Gemm product;
        product.transpose_a = true;
        product.m = size_ + count;
        product.n = count;
        product.k = n;
        product.A = columns_.data();
        product.B = fresh;
        product.lda = product.ldb = n;
        product.C = gram_.data() + size_ * stride_;
        product.ldc = stride_;
        gemm(stream_, product);
        size_ += count;
        return true;
    }

    void keep(std::span<const Index> members) override {
        const auto count = static_cast<Index>(members.size());
        if (count == size_) return;
        const Index n = design_.rows();
        if (count == 0 || !has_room(stride_ * n + stride_ * stride_)) {
            size_ = 0;  // they will be appended again
            return;
        }
        const auto held = design_.hold();
        const Settled settled{stream_};
        DeviceBuffer<Index> list;
        list.reserve(count);
        SVEN_CUDA(cudaMemcpyAsync(list.data(), members.data(), members.size_bytes(),
                                  cudaMemcpyHostToDevice, stream_));
        DeviceBuffer<double> columns;
        DeviceBuffer<double> gram;
        columns.reserve(stride_ * n);
        gram.reserve(stride_ * stride_);
        gather(DenseData<double>{columns_.data(), 1, n, n, size_}, {list.data(), 0, count, nullptr},
               columns.data(), stream_);
        keep_square({gram_.data(), stride_, list.data(), count}, gram.data(), stride_, stream_);
        stream_.synchronize();
        std::swap(columns, columns_);
        std::swap(gram, gram_);
        size_ = count;
    }

  private:
    void send(std::span<const double> values, double* to) {
        SVEN_CUDA(cudaMemcpyAsync(to, values.data(), values.size_bytes(), cudaMemcpyHostToDevice,
                                  stream_));
        stream_.synchronize();
    }

    // Room for that many members; the present ones are kept.
    bool make_room(Index size) {
        if (size <= stride_) return true;
        const Index stride = (grown(size, stride_) + member_unit - 1) / member_unit * member_unit;
        const Index n = design_.rows();
        // besides these a matrix to be factored, and scratch for cuSOLVER
        if (size > most_members || !has_room(stride * n + 3 * stride * stride)) return false;
        DeviceBuffer<double> columns;
        DeviceBuffer<double> gram;
        columns.reserve(stride * n);
        gram.reserve(stride * stride);
        if (size_ > 0) {
            SVEN_CUDA(cudaMemcpyAsync(columns.data(), columns_.data(),
                                      static_cast<std::size_t>(size_ * n) * 8,
                                      cudaMemcpyDeviceToDevice, stream_));
            SVEN_CUDA(cudaMemcpy2DAsync(
                gram.data(), static_cast<std::size_t>(stride) * 8, gram_.data(),
                static_cast<std::size_t>(stride_) * 8, static_cast<std::size_t>(size_) * 8,
                static_cast<std::size_t>(size_), cudaMemcpyDeviceToDevice, stream_));
            stream_.synchronize();
        }
        std::swap(columns, columns_);
        std::swap(gram, gram_);
        stride_ = stride;
        return true;
    }

    linalg::ColumnScales scales_;
    DeviceBuffer<double> columns_;  // rows x members, scaled
    DeviceBuffer<double> roots_;
    DeviceBuffer<double> factors_;
};

}  // namespace

std::unique_ptr<linalg::Systems> CudaDesign::make_systems(
    const linalg::ColumnScales& scales) const {
    return std::make_unique<ColumnSystems>(*this, scales);
}

std::unique_ptr<linalg::Systems> CudaDesign::make_systems(Index size, const double* gram) const {
    if (size > most_members || !has_room(3 * size * size)) return nullptr;
    return std::make_unique<GramSystems>(*this, size, gram);
}

}  // namespace sven::cuda
