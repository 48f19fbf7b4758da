#pragma once
// Host memory to the device through two pinned buffers: the threads fill one while the device
// copies the other.

#include <array>
#include <functional>

#include "cuda/kernels.hpp"
#include "cuda/runtime.hpp"
#include "linalg/execution.hpp"
#include "sven/error.hpp"
#include "sven/matrix.hpp"

namespace sven::cuda {

// Calls body(view) for a dense or sparse X.
template <class Body>
auto with_entries(const MatrixView& X, const Body& body) {
    // NOLINTBEGIN(clang-analyzer-cplusplus.NewDeleteLeaks): what it makes is returned
    if (const auto* dense = std::get_if<DenseView>(&X)) return body(*dense);
    if (const auto* sparse = std::get_if<SparseView>(&X)) return body(*sparse);
    // NOLINTEND(clang-analyzer-cplusplus.NewDeleteLeaks)
    throw DeviceError(
        "genotypes are sent by every call, and matrices of the caller's own kind stay on the host");
}

class Upload {
  public:
    explicit Upload(const linalg::Execution& execution) : execution_(execution) {}
    ~Upload() { cudaStreamSynchronize(stream_); }
    Upload(const Upload&) = delete;
    Upload& operator=(const Upload&) = delete;

    // Lines of `width` bytes, `from_pitch` apart, to places `to_pitch` apart.
    struct Lines {
        const char* from = nullptr;
        std::size_t from_pitch = 0;
        char* to = nullptr;
        std::size_t to_pitch = 0;
        std::size_t width = 0;
        Index count = 0;
    };
    void copy(const Lines& lines);
    void copy(const void* from, void* to, std::size_t bytes);
    // Later work in `stream` waits for all copies so far.
    void hold(const Stream& stream);
    // Later copies wait for the event.
    void follow(const Event& event) const { event.hold(stream_); }

  private:
    void send(const Lines& lines);

    linalg::Execution execution_;
    Stream stream_;
    std::array<PinnedMemory, 2> staging_;
    std::array<Event, 2> sent_;
    std::array<bool, 2> is_used_{};
    int next_ = 0;
    Event done_;
};

// The upload of a dense host matrix.
template <class T>
class DenseUpload {
  public:
    // Only allocates the memory.
    explicit DenseUpload(const DenseView& X);
    const DenseData<T>& data() const { return data_; }
    // Copies everything, by blocks of rows in order if `on_rows` is given: it is called after each
    // block was sent, and `stream` waits for that block.
    using OnRows = std::function<void(Index begin, Index end)>;
    void run(const Stream& stream, const linalg::Execution& execution, Index block_rows = 0,
             const OnRows& on_rows = {});

  private:
    DenseView view_;
    DeviceBuffer<T> memory_{MemoryKind::matrix};
    DenseData<T> data_;
};

}  // namespace sven::cuda
