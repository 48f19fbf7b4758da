// linalg::Systems on the device: the Gram matrix grows by products of the appended columns, which
// are kept there, scaled; factor_kernels.cu makes the factors.

#include "linalg/systems.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>

#include "cuda/blas.hpp"
#include "cuda/design.hpp"
#include "cuda/factor_kernels.hpp"
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
        // no more than the room that was looked for
        if (m > capacity_) reserve(std::max(m, std::min(grown(m, capacity_), stride_)));
        factored_ = m;
        system_.coarsest = coarsest;
        double* behind = begin_inputs(b);
        std::memcpy(behind, K.members.data(), K.members.size_bytes());
        std::copy(K.ridge.begin(), K.ridge.end(), behind + m);
        run(b.empty() ? FactorWork::factor : FactorWork::factor_and_solve, 2 * m);
        const auto state = std::bit_cast<FactorState>(pinned_.doubles()[padded_doubles(m)]);
        if (state.coarse != 0) return false;
        std::copy_n(pinned_.doubles(), b.size(), x);
        return true;
    }

    void solve(std::span<const double> b, double* x) override {
        const Settled settled{stream_};
        begin_inputs(b);
        run(FactorWork::solve, 0);
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
    // What goes to the device: b, padded, the state of the blocks, all zero, and behind them, where
    // this points to, the members and their ridges.
    double* begin_inputs(std::span<const double> b) {
        // others use pinned_, too, and leave it empty where they found no memory
        pinned_.reserve(static_cast<std::size_t>(input_doubles(capacity_)) * 8);
        double* behind = pinned_.doubles() + padded_doubles(factored_) + counter_doubles(factored_);
        std::fill(std::copy(b.begin(), b.end(), pinned_.doubles()), behind, 0.0);
        return behind;
    }

    // There with these inputs and so many doubles behind them; back come x and the state.
    void run(FactorWork work, Index behind) {
        const Index padded = padded_doubles(factored_);
        const Index there = padded + counter_doubles(factored_);
        double* inputs = inputs_.data();
        copy_there(inputs, there + behind);
        system_.part = {gram_.data(), stride_, reinterpret_cast<const Index*>(inputs + there),
                        factored_};
        system_.ridge = inputs + there + factored_;
        system_.tiles = tiles_.data();
        system_.x = inputs;
        system_.y = between_.data();
        system_.state = reinterpret_cast<FactorState*>(inputs + padded);
        run_factor(system_, work, stream_);
        copy_back(inputs, padded + 1);
    }

    static Index input_doubles(Index size) {
        return padded_doubles(size) + counter_doubles(size) + 2 * size;
    }

    void reserve(Index size) {
        capacity_ = 0;  // until all of it is there
        tiles_.reserve(factor_doubles(size));
        between_.reserve(padded_doubles(size));
        inputs_.reserve(input_doubles(size));
        capacity_ = size;
    }

    FactorSystem system_;
    DeviceBuffer<double> tiles_;  // the factor
    DeviceBuffer<double> inputs_, between_;
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

    void look(std::span<const double> y, std::span<const double> x, double* residual,
              double* products) override {
        const Settled settled{stream_};
        const Index n = design_.rows();
        pinned_.reserve(static_cast<std::size_t>(n + size_) * 8);
        std::copy(y.begin(), y.end(), std::copy(x.begin(), x.end(), pinned_.doubles()));
        const double* there = vector_.reserve(n + size_);
        double* found = result_.reserve(n + size_);
        partial_.reserve(multiply_scratch(n, size_));
        copy_there(vector_.data(), n + size_);
        cuda::multiply(all(), {nullptr, 0, size_, nullptr}, there, found, partial_.data(), stream_);
        take_from(there + size_, n, found, stream_);
        dot(all(), {nullptr, 0, size_, nullptr}, found, found + n, stream_);
        copy_back(found, n + size_);
        std::copy_n(pinned_.doubles(), n, residual);
        std::copy_n(pinned_.doubles() + n, size_, products);
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
        // besides these the factor
        DeviceBuffer<double> columns;
        DeviceBuffer<double> gram;
        if (size > most_members || !take_room(stride, 2, columns, gram)) return false;
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
    if (!can_factor()) return nullptr;
    return std::make_unique<ColumnSystems>(*this, scales);
}

std::unique_ptr<linalg::Systems> CudaDesign::make_systems(Index size, const double* gram) const {
    if (!can_factor()) return nullptr;
    const std::lock_guard lock(room());
    if (size > most_members || !has_room(2 * size * size)) return nullptr;
    return std::make_unique<GramSystems>(size, gram);
}

}  // namespace sven::cuda
