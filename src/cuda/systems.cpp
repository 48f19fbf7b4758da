// linalg::Systems on the device: the Gram matrix grows by products of the appended columns, which
// are kept there, scaled; cuSOLVER computes the factors.

#include "linalg/systems.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "cuda/blas.hpp"
#include "cuda/design.hpp"
#include "cuda/solver.hpp"
#include "cuda/system_kernels.hpp"
#include "cuda/tuning.hpp"

namespace sven::cuda {
namespace {

// Held from the look for room until it is taken: members of a cross-validation ask at once.
std::mutex& room() {
    static auto* mutex = new std::mutex;
    return *mutex;
}

bool has_room(Index doubles) {
    return static_cast<double>(doubles) * 8 <= usable_share * free_memory();
}

Index grown(Index size, Index capacity) {
    return std::max(size, capacity + capacity / 2);
}

// Factors and solves with parts of a Gram matrix that is on the device.
class GramSystems : public linalg::Systems {
  public:
    GramSystems(Index size, const double* gram) : size_(size), stride_(size) {
        const Settled settled{stream_};
        gram_.reserve(size * size);
        SVEN_CUDA(cudaMemcpyAsync(gram_.data(), gram, static_cast<std::size_t>(size * size) * 8,
                                  cudaMemcpyHostToDevice, stream_));
    }

    Index size() const override { return size_; }
    bool append(std::span<const Index>) override { return false; }
    void keep(std::span<const Index>) override {}

    bool factor(const linalg::SystemMatrix& K, double coarsest, std::span<const double> b,
                double* x) override {
        const Settled settled{stream_};
        const auto m = static_cast<Index>(K.members.size());
        if (m > capacity_) reserve(grown(m, capacity_));
        factored_ = m;
        // b, the members and their ridges there; back come x and the faults behind it
        double* pinned = pinned_.doubles();
        double* there = inputs_.data();
        std::fill_n(std::copy(b.begin(), b.end(), pinned), m - static_cast<Index>(b.size()), 0.0);
        std::memcpy(pinned + m + 1, K.members.data(), K.members.size_bytes());
        std::copy(K.ridge.begin(), K.ridge.end(), pinned + 2 * m + 1);
        std::memset(pinned + m, 0, sizeof(double));
        copy_there(there, 3 * m + 1);
        const SquarePart part{gram_.data(), stride_, reinterpret_cast<const Index*>(there + m + 1),
                              m};
        const double* ridge = there + 2 * m + 1;
        static_assert(2 * sizeof(int) <= sizeof(double));
        int* faults = reinterpret_cast<int*>(there + m);
        select_square(part, ridge, matrix_.data(), m, stream_);
        const Triangle matrix{matrix_.data(), m, m};
        const Index scratch = cholesky_scratch(stream_, matrix);
        cholesky(stream_, matrix, scratch_.reserve(scratch), scratch, faults);
        count_coarse_pivots(matrix_.data(), m, part, ridge, coarsest, faults + 1, stream_);
        if (!b.empty()) solve_cholesky(stream_, matrix, there, unread_.data());
        copy_back(there, m + 1);
        int found[2];
        std::memcpy(found, pinned + m, sizeof(found));
        if (found[0] != 0 || found[1] != 0) return false;
        std::copy_n(pinned, b.size(), x);
        return true;
    }

    void solve(std::span<const double> b, double* x) override {
        const Settled settled{stream_};
        std::copy(b.begin(), b.end(), pinned_.doubles());
        copy_there(inputs_.data(), factored_);
        solve_cholesky(stream_, {matrix_.data(), factored_, factored_}, inputs_.data(),
                       unread_.data());
        copy_back(inputs_.data(), factored_);
        std::copy_n(pinned_.doubles(), factored_, x);
    }

  protected:
    GramSystems() = default;

    // Waits for the stream when a call ends, also by an exception.
    struct Settled {
        const Stream& stream;
        ~Settled() { cudaStreamSynchronize(stream); }
    };

    // Between pinned_ and the device, the latter with a wait.
    void copy_there(double* to, Index size) {
        SVEN_CUDA(cudaMemcpyAsync(to, pinned_.get(), static_cast<std::size_t>(size) * 8,
                                  cudaMemcpyHostToDevice, stream_));
    }
    void copy_back(const double* from, Index size) {
        SVEN_CUDA(cudaMemcpyAsync(pinned_.get(), from, static_cast<std::size_t>(size) * 8,
                                  cudaMemcpyDeviceToHost, stream_));
        stream_.synchronize();
    }

    Stream stream_;
    DeviceBuffer<double> gram_;  // upper triangle, column-major
    Index size_ = 0;
    Index stride_ = 0;
    PinnedMemory pinned_;

  private:
    void reserve(Index size) {
        capacity_ = size;
        matrix_.reserve(size * size);
        inputs_.reserve(3 * size + 1);
        pinned_.reserve(static_cast<std::size_t>(3 * size + 1) * 8);
        unread_.reserve(1);
    }

    DeviceBuffer<double> matrix_;  // K, then its factor
    DeviceBuffer<double> inputs_, scratch_;
    DeviceBuffer<int> unread_;  // what solves say of their arguments
    Index capacity_ = 0;
    Index factored_ = 0;
};

class ColumnSystems final : public GramSystems {
  public:
    ColumnSystems(const CudaDesign& design, const linalg::ColumnScales& scales)
        : design_(design), scales_(scales) {
        if (scales.root_weights.empty()) return;
        const Settled settled{stream_};
        send(scales.root_weights, roots_.reserve(design.rows()));
    }

    bool append(std::span<const Index> columns) override {
        const Settled settled{stream_};
        const auto count = static_cast<Index>(columns.size());
        const Index n = design_.rows();
        if (!make_room(size_ + count)) return false;
        double* fresh = columns_.data() + size_ * n;
        design_.gather_there(columns, {linalg::resolve_threads(0), nullptr}, fresh);
        pinned_.reserve(static_cast<std::size_t>(2 * count) * 8);
        for (Index c = 0; c < count; ++c) {
            pinned_.doubles()[c] = scales_.offset[columns[c]];
            pinned_.doubles()[count + c] = scales_.inverse_scale[columns[c]];
        }
        double* there = factors_.reserve(2 * count);
        copy_there(there, 2 * count);
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

    bool has_columns() const override { return true; }

    void multiply(std::span<const double> x, double* out) override {
        const Settled settled{stream_};
        const double* there = send_vector(x, design_.rows());
        partial_.reserve(multiply_scratch(design_.rows(), size_));
        cuda::multiply(all(), {nullptr, 0, size_, nullptr}, there, result_.data(), partial_.data(),
                       stream_);
        copy_back(result_.data(), design_.rows());
        std::copy_n(pinned_.doubles(), design_.rows(), out);
    }

    void correlate(std::span<const double> v, double* out) override {
        const Settled settled{stream_};
        const double* there = send_vector(v, size_);
        dot(all(), {nullptr, 0, size_, nullptr}, there, result_.data(), stream_);
        copy_back(result_.data(), size_);
        std::copy_n(pinned_.doubles(), size_, out);
    }

    void keep(std::span<const Index> members) override {
        const auto count = static_cast<Index>(members.size());
        if (count == size_) return;
        DeviceBuffer<double> columns;
        DeviceBuffer<double> gram;
        if (count == 0 || !take_room(stride_, 1, columns, gram)) {
            size_ = 0;  // they will be appended again
            return;
        }
        const Settled settled{stream_};
        DeviceBuffer<Index> list;
        list.reserve(count);
        SVEN_CUDA(cudaMemcpyAsync(list.data(), members.data(), members.size_bytes(),
                                  cudaMemcpyHostToDevice, stream_));
        gather(all(), {list.data(), 0, count, nullptr}, columns.data(), stream_);
        keep_square({gram_.data(), stride_, list.data(), count}, gram.data(), stride_, stream_);
        stream_.synchronize();
        std::swap(columns, columns_);
        std::swap(gram, gram_);
        size_ = count;
    }

  private:
    DenseData<double> all() const {
        return {columns_.data(), 1, design_.rows(), design_.rows(), size_};
    }
    // To the device, with room for a result of that size.
    const double* send_vector(std::span<const double> v, Index result) {
        pinned_.reserve(std::max(v.size(), static_cast<std::size_t>(result)) * 8);
        vector_.reserve(static_cast<Index>(v.size()));
        result_.reserve(result);
        std::copy(v.begin(), v.end(), pinned_.doubles());
        copy_there(vector_.data(), static_cast<Index>(v.size()));
        return vector_.data();
    }
    void send(std::span<const double> values, double* to) {
        SVEN_CUDA(cudaMemcpyAsync(to, values.data(), values.size_bytes(), cudaMemcpyHostToDevice,
                                  stream_));
        stream_.synchronize();
    }

    // Columns and Gram matrix of that many members, where there is room for them and further
    // matrices of that order.
    bool take_room(Index members, Index matrices, DeviceBuffer<double>& columns,
                   DeviceBuffer<double>& gram) const {
        const std::lock_guard lock(room());
        if (!has_room(members * design_.rows() + matrices * members * members)) return false;
        columns.reserve(members * design_.rows());
        gram.reserve(members * members);
        return true;
    }

    // Room for that many members; the present ones are kept.
    bool make_room(Index size) {
        if (size <= stride_) return true;
        const Index stride = (grown(size, stride_) + member_unit - 1) / member_unit * member_unit;
        const Index n = design_.rows();
        // besides these a matrix to be factored, and scratch for cuSOLVER
        DeviceBuffer<double> columns;
        DeviceBuffer<double> gram;
        if (size > most_members || !take_room(stride, 3, columns, gram)) return false;
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

    const CudaDesign& design_;
    linalg::ColumnScales scales_;
    DeviceBuffer<double> columns_;  // rows x members, scaled
    DeviceBuffer<double> roots_;
    DeviceBuffer<double> factors_;
    DeviceBuffer<double> vector_, result_, partial_;  // of products
};

}  // namespace

std::unique_ptr<linalg::Systems> CudaDesign::make_systems(
    const linalg::ColumnScales& scales) const {
    return std::make_unique<ColumnSystems>(*this, scales);
}

std::unique_ptr<linalg::Systems> CudaDesign::make_systems(Index size, const double* gram) const {
    const std::lock_guard lock(room());
    if (size > most_members || !has_room(3 * size * size)) return nullptr;
    return std::make_unique<GramSystems>(size, gram);
}

}  // namespace sven::cuda
