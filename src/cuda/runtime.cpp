#include "cuda/runtime.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "cuda/tuning.hpp"
#include "sven/device.hpp"
#include "sven/error.hpp"

namespace sven::cuda {
namespace {

std::string megabytes(std::size_t bytes) {
    return std::to_string((bytes + 999999) / 1000000) + " MB";
}

// The reason why no device can be used, or empty; the driver is asked once.
const std::string& reason() {
    static const std::string text = []() -> std::string {
        int count = 0;
        const cudaError_t code = cudaGetDeviceCount(&count);
        if (code == cudaSuccess && count > 0) {
            cudaMemPool_t pool = nullptr;
            std::uint64_t kept = kept_device_bytes;
            if (cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess)
                cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept);
            return {};
        }
        cudaGetLastError();
        if (code == cudaErrorInsufficientDriver)
            return "the NVIDIA driver is missing, or too old for CUDA 13";
        if (code == cudaErrorNoDevice || code == cudaSuccess) return "there is no NVIDIA GPU";
        return std::string("the NVIDIA driver does not work: ") + cudaGetErrorString(code);
    }();
    return text;
}

std::atomic<bool> started = false;

struct PinnedBlock {
    void* pointer;
    std::size_t bytes;
};

struct PinnedList {
    std::mutex mutex;
    std::vector<PinnedBlock> blocks;
    std::size_t bytes = 0;
};

// Never destroyed: the driver may be unloaded before static objects are.
PinnedList& pinned_list() {
    static auto* list = new PinnedList;
    return *list;
}

}  // namespace

void check(cudaError_t code, const char* call) {
    if (code == cudaSuccess) return;
    cudaGetLastError();  // clears the error for the next call
    const std::string name(call, std::find(call, call + std::char_traits<char>::length(call), '('));
    throw DeviceError("the GPU failed: " + std::string(cudaGetErrorString(code)) + " (" + name +
                      ")");
}

const std::string& device_problem() {
    return reason();
}

double free_memory() {
    std::size_t free = 0;
    std::size_t total = 0;
    SVEN_CUDA(cudaMemGetInfo(&free, &total));
    return static_cast<double>(free);
}

void require_device() {
    if (!reason().empty()) throw DeviceError("no GPU can be used: " + reason());
    started.store(true, std::memory_order_relaxed);
}

bool has_started() {
    return started.load(std::memory_order_relaxed);
}

Stream::Stream() {
    require_device();
    SVEN_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

Stream::~Stream() {
    cudaStreamDestroy(stream_);
}

Event::Event() {
    require_device();
    SVEN_CUDA(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
}

Event::~Event() {
    cudaEventDestroy(event_);
}

void DeviceMemory::reserve(std::size_t bytes) {
    if (bytes <= bytes_) return;
    require_device();
    release();
    cudaError_t code = cudaSuccess;
    if (kind_ == MemoryKind::matrix)
        code = cudaMalloc(&pointer_, bytes);
    else
        code = cudaMallocAsync(&pointer_, bytes, nullptr);
    if (code == cudaSuccess) code = cudaStreamSynchronize(nullptr);  // usable from every stream
    if (code == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        pointer_ = nullptr;
        std::size_t free = 0;
        std::size_t total = 0;
        cudaMemGetInfo(&free, &total);
        throw DeviceError("the GPU has too little memory: " + megabytes(bytes) + " are needed, " +
                          megabytes(free) + " of " + megabytes(total) + " are free");
    }
    check(code, "cudaMallocAsync()");
    bytes_ = bytes;
}

// The owner's streams are idle: every operation waits for its own.
void DeviceMemory::release() noexcept {
    if (pointer_ != nullptr && kind_ == MemoryKind::matrix) cudaFree(pointer_);
    if (pointer_ != nullptr && kind_ == MemoryKind::scratch) cudaFreeAsync(pointer_, nullptr);
    pointer_ = nullptr;
    bytes_ = 0;
}

void PinnedMemory::reserve(std::size_t bytes) {
    if (bytes <= bytes_) return;
    require_device();
    release();
    bytes = (bytes + pinned_unit - 1) / pinned_unit * pinned_unit;
    {
        PinnedList& list = pinned_list();
        const std::lock_guard lock(list.mutex);
        auto best = list.blocks.end();
        for (auto at = list.blocks.begin(); at != list.blocks.end(); ++at)
            if (at->bytes >= bytes && (best == list.blocks.end() || at->bytes < best->bytes))
                best = at;
        if (best != list.blocks.end()) {
            pointer_ = best->pointer;
            bytes_ = best->bytes;
            list.bytes -= bytes_;
            list.blocks.erase(best);
            return;
        }
    }
    SVEN_CUDA(cudaMallocHost(&pointer_, bytes));
    bytes_ = bytes;
}

void PinnedMemory::release() noexcept {
    if (pointer_ == nullptr) return;
    PinnedList& list = pinned_list();
    const std::lock_guard lock(list.mutex);
    if (list.bytes + bytes_ <= kept_pinned_bytes) {
        list.blocks.push_back({pointer_, bytes_});
        list.bytes += bytes_;
    } else {
        cudaFreeHost(pointer_);
    }
    pointer_ = nullptr;
    bytes_ = 0;
}

}  // namespace sven::cuda

namespace sven {

std::string why_no_device() {
    return cuda::device_problem();
}

std::vector<DeviceInfo> devices() {
    std::vector<DeviceInfo> found;
    if (!cuda::device_problem().empty()) return found;
    int count = 0;
    SVEN_CUDA(cudaGetDeviceCount(&count));
    for (int k = 0; k < count; ++k) {
        cudaDeviceProp properties{};
        SVEN_CUDA(cudaGetDeviceProperties(&properties, k));
        found.push_back({properties.name, static_cast<Index>(properties.totalGlobalMem), 0});
    }
    found.front().free_memory = static_cast<Index>(cuda::free_memory());
    return found;
}

}  // namespace sven
