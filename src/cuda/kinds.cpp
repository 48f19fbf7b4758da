// The kinds of storage on the device, and how a matrix gets there.

#include <limits>
#include <numeric>

#include "cuda/genotypes.hpp"
#include "cuda/kind_design.hpp"
#include "cuda/streamed.hpp"
#include "cuda/tuning.hpp"
#include "cuda/upload.hpp"
#include "linalg/buffer.hpp"
#include "linalg/devices.hpp"
#include "linalg/sparse_design.hpp"
#include "sven/device.hpp"
#include "sven/error.hpp"

namespace sven::cuda {

using linalg::Execution;

namespace {

// Compressed columns on the device; offsets and values may be owned by the caller.
template <class T>
struct SparseStorage {
    DeviceBuffer<T> values{MemoryKind::matrix};
    DeviceBuffer<std::int32_t> indices{MemoryKind::matrix};
    DeviceBuffer<Index> offsets{MemoryKind::matrix};
    SparseData<T> data;
    double entries = 0;
};

// An array of the device on the host. In pinned memory, which is kept for the next design, where it
// is not too large for that: to touch new pages takes several times as long as the copy itself.
class HostCopy {
  public:
    template <class T>
    const T* fill(const T* from, Index size) {
        const std::size_t bytes = static_cast<std::size_t>(size) * sizeof(T);
        const bool is_pinned = bytes <= largest_pinned_copy;
        if (is_pinned)
            pinned_.reserve(std::max<std::size_t>(1, bytes));
        else
            plain_.reserve(static_cast<Index>(bytes));
        void* const to = is_pinned ? pinned_.get() : plain_.data();
        SVEN_CUDA(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
        return static_cast<const T*>(to);
    }

  private:
    PinnedMemory pinned_;
    linalg::Buffer<char> plain_;
};

template <class T>
class DenseOnDevice final : public KindDesign<DenseData<T>> {
  public:
    explicit DenseOnDevice(const DenseView& X)
        : KindDesign<DenseData<T>>(dense_data<T>(static_cast<const T*>(X.data), X, X.stride),
                                   nullptr),
          view_(X) {}

  protected:
    bool fills_columns() const override { return this->data_.row_step == 1; }
    std::unique_ptr<linalg::Design> copy_to_host() const override {
        const Index lines = view_.layout == Layout::column_major ? view_.cols : view_.rows;
        const Index length = view_.layout == Layout::column_major ? view_.rows : view_.cols;
        const Index size = lines == 0 ? 0 : (lines - 1) * view_.stride + length;
        if (static_cast<double>(size) * sizeof(T) > largest_dense_copy) return nullptr;
        DenseView here = view_;
        here.data = copy_.fill(static_cast<const T*>(view_.data), size);
        here.on_device = false;
        return linalg::make_dense_design(here);
    }

  private:
    DenseView view_;
    mutable HostCopy copy_;
};

// X on the host; it is sent at the first operation.
template <class T>
class DenseFromHost final : public KindDesign<DenseData<T>> {
  public:
    explicit DenseFromHost(const DenseView& X) : DenseFromHost(X, DenseUpload<T>(X)) {}

  protected:
    bool is_resident() const override { return is_resident_; }
    bool fills_columns() const override { return this->data_.row_step == 1; }
    void make_resident(const Execution& execution, Index block_rows,
                       const CudaDesign::OnRows& on_rows) const override {
        upload_.run(this->stream(), execution, block_rows, on_rows);
        is_resident_ = true;
    }

  private:
    DenseFromHost(const DenseView& X, DenseUpload<T> upload)
        : KindDesign<DenseData<T>>(upload.data(), linalg::make_dense_design(X)),
          upload_(std::move(upload)) {}

    mutable DenseUpload<T> upload_;
    mutable bool is_resident_ = false;
};

template <class T>
class SparseOnDevice final : public KindDesign<SparseData<T>> {
  public:
    SparseOnDevice(SparseStorage<T> storage, std::unique_ptr<linalg::Design> host)
        : KindDesign<SparseData<T>>(storage.data, std::move(host)), storage_(std::move(storage)) {}

    bool is_sparse() const override { return true; }
    double entries() const override { return storage_.entries; }
    // The device fills rows with zeros; the cost on the host, if known, is used only to choose the
    // route.
    double sparse_gram_cost() const override {
        if (this->host() != nullptr) return this->host()->sparse_gram_cost();
        return storage_.entries * storage_.entries / static_cast<double>(2 * this->rows());
    }

  protected:
    bool fills_columns() const override { return true; }
    std::unique_ptr<linalg::Design> copy_to_host() const override {
        const auto entries = static_cast<Index>(storage_.entries);
        if (storage_.entries * (sizeof(T) + sizeof(std::int32_t)) > largest_sparse_copy)
            return nullptr;
        SparseView here;
        here.values = values_.fill(storage_.data.values, entries);
        here.scalar = sizeof(T) == sizeof(double) ? Scalar::float64 : Scalar::float32;
        here.indices = indices_.fill(storage_.data.indices, entries);
        here.index_width = IndexWidth::int32;
        here.offsets = offsets_.fill(storage_.data.offsets, this->cols() + 1);
        here.offset_width = IndexWidth::int64;
        here.compression = Compression::columns;
        here.rows = this->rows();
        here.cols = this->cols();
        return linalg::make_design(here);
    }

  private:
    SparseStorage<T> storage_;
    mutable HostCopy values_, indices_, offsets_;
};

Index integer_at(const void* array, IndexWidth width, Index at) {
    return width == IndexWidth::int32 ? Index{static_cast<const std::int32_t*>(array)[at]}
                                      : static_cast<const Index*>(array)[at];
}

void require_rows(const SparseView& X) {
    if (X.rows > std::numeric_limits<std::int32_t>::max())
        throw DeviceError("a sparse X on the GPU may have 2^31 - 1 rows at most");
}

// Compressed columns in host memory, from a view of any compression and index widths.
template <class T>
struct HostColumns {
    std::vector<T> values;
    std::vector<std::int32_t> indices;
    std::vector<Index> offsets;
};

template <class T>
HostColumns<T> by_columns(const SparseView& X) {
    HostColumns<T> c;
    const bool is_csc = X.compression == Compression::columns;
    const Index lines = is_csc ? X.cols : X.rows;
    const Index entries = lines == 0 ? 0 : integer_at(X.offsets, X.offset_width, lines);
    const auto* values = static_cast<const T*>(X.values);
    c.offsets.assign(static_cast<std::size_t>(X.cols + 1), 0);
    c.indices.resize(static_cast<std::size_t>(entries));
    if (is_csc) {
        for (Index j = 0; j <= X.cols; ++j) c.offsets[j] = integer_at(X.offsets, X.offset_width, j);
        for (Index e = 0; e < entries; ++e)
            c.indices[e] = static_cast<std::int32_t>(integer_at(X.indices, X.index_width, e));
        c.values.assign(values, values + entries);
        return c;
    }
    c.values.resize(static_cast<std::size_t>(entries));
    for (Index e = 0; e < entries; ++e) ++c.offsets[integer_at(X.indices, X.index_width, e) + 1];
    std::partial_sum(c.offsets.begin(), c.offsets.end(), c.offsets.begin());
    std::vector<Index> next(c.offsets.begin(), c.offsets.end() - 1);
    for (Index i = 0; i < X.rows; ++i)
        for (Index e = integer_at(X.offsets, X.offset_width, i);
             e < integer_at(X.offsets, X.offset_width, i + 1); ++e) {
            const Index at = next[integer_at(X.indices, X.index_width, e)]++;
            c.indices[at] = static_cast<std::int32_t>(i);
            c.values[at] = values[e];
        }
    return c;
}

template <class T>
SparseStorage<T> send_sparse(const SparseView& X) {
    require_rows(X);
    const HostColumns<T> c = by_columns<T>(X);
    SparseStorage<T> s;
    const auto entries = static_cast<Index>(c.values.size());
    s.entries = static_cast<double>(entries);
    s.data = {s.values.reserve(std::max<Index>(1, entries)),
              s.indices.reserve(std::max<Index>(1, entries)), s.offsets.reserve(X.cols + 1), X.rows,
              X.cols};
    Upload upload({linalg::resolve_threads(0), nullptr});
    upload.copy(c.values.data(), s.values.data(), c.values.size() * sizeof(T));
    upload.copy(c.indices.data(), s.indices.data(), c.indices.size() * sizeof(std::int32_t));
    upload.copy(c.offsets.data(), s.offsets.data(), c.offsets.size() * sizeof(Index));
    return s;  // the destructor of Upload waits
}

// Values in place; indices and offsets of other widths are copied.
template <class T>
SparseStorage<T> take_sparse(const SparseView& X) {
    require_rows(X);
    if (X.compression != Compression::columns)
        throw InvalidArgument("a sparse X on the device must be compressed by columns");
    const auto width = [](IndexWidth w) { return w == IndexWidth::int32 ? 4U : 8U; };
    const auto fetch = [&](const void* from, IndexWidth w, Index count) {
        std::vector<char> bytes(static_cast<std::size_t>(count) * width(w));
        SVEN_CUDA(cudaMemcpy(bytes.data(), from, bytes.size(), cudaMemcpyDeviceToHost));
        std::vector<Index> wide(static_cast<std::size_t>(count));
        for (Index k = 0; k < count; ++k) wide[k] = integer_at(bytes.data(), w, k);
        return wide;
    };
    SparseStorage<T> s;
    const std::vector<Index> offsets = fetch(X.offsets, X.offset_width, X.cols + 1);
    s.entries = static_cast<double>(offsets.back());
    s.data = {static_cast<const T*>(X.values), static_cast<const std::int32_t*>(X.indices),
              static_cast<const Index*>(X.offsets), X.rows, X.cols};
    if (X.offset_width == IndexWidth::int32) {
        s.data.offsets = s.offsets.reserve(X.cols + 1);
        SVEN_CUDA(cudaMemcpy(s.offsets.data(), offsets.data(), offsets.size() * sizeof(Index),
                             cudaMemcpyHostToDevice));
    }
    if (X.index_width == IndexWidth::int64) {
        const std::vector<Index> wide = fetch(X.indices, X.index_width, offsets.back());
        const std::vector<std::int32_t> narrow(wide.begin(), wide.end());
        s.data.indices = s.indices.reserve(std::max<Index>(1, offsets.back()));
        SVEN_CUDA(
            cudaMemcpy(s.indices.data(), narrow.data(), narrow.size() * 4, cudaMemcpyHostToDevice));
    }
    return s;
}

template <class T>
std::unique_ptr<linalg::Design> make(const DenseView& X) {
    if (X.on_device) return std::make_unique<DenseOnDevice<T>>(X);
    if (!linalg::fits_device(X)) return make_streamed_design(X);
    return std::make_unique<DenseFromHost<T>>(X);
}

template <class T>
std::unique_ptr<linalg::Design> make(const SparseView& X) {
    if (X.on_device) return std::make_unique<SparseOnDevice<T>>(take_sparse<T>(X), nullptr);
    return std::make_unique<SparseOnDevice<T>>(send_sparse<T>(X), linalg::make_design(X));
}

}  // namespace
}  // namespace sven::cuda

namespace sven {

std::unique_ptr<linalg::Design> linalg::make_device_design(const MatrixView& X) {
    cuda::require_device();
    // A resident X may have been written in streams that ours do not wait for.
    if (is_on_device(X)) SVEN_CUDA(cudaDeviceSynchronize());
    if (const auto* genotypes = std::get_if<GenotypeView>(&X))
        return cuda::make_genotype_design(*genotypes);
    return cuda::with_entries(X, [](const auto& view) {
        return view.scalar == Scalar::float64 ? cuda::make<double>(view) : cuda::make<float>(view);
    });
}

bool linalg::device_has_started() {
    return cuda::has_started();
}

bool linalg::fits_device(const MatrixView& X) {
    const auto* const dense = std::get_if<DenseView>(&X);
    if (dense == nullptr || dense->on_device) return true;
    const double width = dense->scalar == Scalar::float64 ? sizeof(double) : sizeof(float);
    return cuda::has_room_for(static_cast<double>(dense->rows) * static_cast<double>(dense->cols) *
                              width);
}

class DeviceMatrix::Storage {
  public:
    explicit Storage(const MatrixView& X) {
        const auto* const dense = std::get_if<DenseView>(&X);
        if (dense != nullptr && dense->scalar == Scalar::int8)
            throw InvalidArgument("X of int8 is for the CPU");
        cuda::with_entries(X, [this](const auto& given) {
            given.scalar == Scalar::float64 ? take<double>(given) : take<float>(given);
        });
    }
    MatrixView view;

  private:
    template <class T>
    void take(const DenseView& X) {
        cuda::DenseUpload<T> upload(X);
        const cuda::Stream stream;
        upload.run(stream, {linalg::resolve_threads(0), nullptr});
        stream.synchronize();
        DenseView there = X;
        there.data = upload.data().data;
        there.stride = X.layout == Layout::column_major ? X.rows : X.cols;
        there.on_device = true;
        view = there;
        owner_ = std::make_shared<cuda::DenseUpload<T>>(std::move(upload));
    }
    template <class T>
    void take(const SparseView& X) {
        auto storage = std::make_shared<cuda::SparseStorage<T>>(cuda::send_sparse<T>(X));
        SparseView there = X;
        there.values = storage->data.values;
        there.indices = storage->data.indices;
        there.offsets = storage->data.offsets;
        there.index_width = IndexWidth::int32;
        there.offset_width = IndexWidth::int64;
        there.compression = Compression::columns;
        there.on_device = true;
        view = there;
        owner_ = std::move(storage);
    }
    std::shared_ptr<void> owner_;
};

DeviceMatrix::DeviceMatrix(const MatrixView& X) {
    cuda::require_device();
    if (is_on_device(X)) throw InvalidArgument("X is on the device already");
    storage_ = std::make_unique<Storage>(X);
}
DeviceMatrix::~DeviceMatrix() = default;
DeviceMatrix::DeviceMatrix(DeviceMatrix&&) noexcept = default;
DeviceMatrix& DeviceMatrix::operator=(DeviceMatrix&&) noexcept = default;

MatrixView DeviceMatrix::view() const {
    return storage_->view;
}

}  // namespace sven
