#pragma once
// Wrappers of the CUDA runtime: errors become DeviceError, memory and streams are owned by objects.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <utility>

#include "sven/matrix.hpp"

namespace sven::cuda {

// Throws DeviceError with the name of the call if it failed.
void check(cudaError_t code, const char* call);
#define SVEN_CUDA(call) ::sven::cuda::check((call), #call)

// Why no device can be used; empty if one can.
const std::string& device_problem();
// Throws DeviceError with the reason if no device can be used. Every class below calls it first.
void require_device();
// Whether that has been answered with a device.
bool has_started();

// Bytes.
double free_memory();

// A library's handle that somebody has alone. Streams that shared one would share its workspace,
// and results would depend on what else runs.
class Lease {
  public:
    Lease() = default;
    ~Lease() {
        if (handle_ != nullptr) give_back_(handle_);
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    void* get() const { return handle_; }
    // give_back(handle) is called at the end.
    void set(void* handle, void (*give_back)(void*)) {
        handle_ = handle;
        give_back_ = give_back;
    }

  private:
    void* handle_ = nullptr;
    void (*give_back_)(void*) = nullptr;
};

// In use by one thread at a time.
class Stream {
  public:
    Stream();
    ~Stream();
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    operator cudaStream_t() const { return stream_; }
    void synchronize() const { SVEN_CUDA(cudaStreamSynchronize(stream_)); }
    // Its handle of cuBLAS, which takes one at its first call (blas.cpp).
    Lease& blas() const { return blas_; }

  private:
    cudaStream_t stream_ = nullptr;
    mutable Lease blas_;
};

class Event {
  public:
    Event();
    ~Event();
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    void record(const Stream& stream) { SVEN_CUDA(cudaEventRecord(event_, stream)); }
    void wait_on_host() const { SVEN_CUDA(cudaEventSynchronize(event_)); }
    void hold(const Stream& stream) const { SVEN_CUDA(cudaStreamWaitEvent(stream, event_, 0)); }

  private:
    cudaEvent_t event_ = nullptr;
};

// Bytes on the device. Scratch comes from the runtime's pool, which keeps some for the next design;
// matrices are allocated separately, so that the pool stays small.
enum class MemoryKind { scratch, matrix };

class DeviceMemory {
  public:
    explicit DeviceMemory(MemoryKind kind = MemoryKind::scratch) : kind_(kind) {}
    ~DeviceMemory() { release(); }
    DeviceMemory(DeviceMemory&& other) noexcept { swap(other); }
    DeviceMemory& operator=(DeviceMemory&& other) noexcept {
        swap(other);
        return *this;
    }
    // Makes room; the contents are lost. Throws DeviceError with the sizes if memory is short.
    void reserve(std::size_t bytes);
    void* get() const { return pointer_; }
    void swap(DeviceMemory& other) noexcept {
        std::swap(pointer_, other.pointer_);
        std::swap(bytes_, other.bytes_);
        std::swap(kind_, other.kind_);
    }

  private:
    void release() noexcept;

    MemoryKind kind_ = MemoryKind::scratch;
    void* pointer_ = nullptr;
    std::size_t bytes_ = 0;
};

template <class T>
class DeviceBuffer {
  public:
    explicit DeviceBuffer(MemoryKind kind = MemoryKind::scratch) : memory_(kind) {}
    T* reserve(Index size) {
        memory_.reserve(static_cast<std::size_t>(size) * sizeof(T));
        return data();
    }
    T* data() const { return static_cast<T*>(memory_.get()); }

  private:
    DeviceMemory memory_;
};

// Pinned host memory, which the device can copy directly. Locking pages is slow, so blocks are kept
// in a list and reused.
class PinnedMemory {
  public:
    PinnedMemory() = default;
    ~PinnedMemory() { release(); }
    PinnedMemory(const PinnedMemory&) = delete;
    PinnedMemory& operator=(const PinnedMemory&) = delete;
    void reserve(std::size_t bytes);
    void* get() const { return pointer_; }
    double* doubles() const { return static_cast<double*>(pointer_); }

  private:
    void release() noexcept;

    void* pointer_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace sven::cuda
