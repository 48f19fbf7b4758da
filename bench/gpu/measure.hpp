#pragma once
// What the measurements of rates share.

#include <algorithm>
#include <functional>
#include <vector>

#include "cuda/runtime.hpp"
#include "sven/random.hpp"

namespace sven::bench {

using cuda::Stream;

// Median seconds of five runs, by events around each.
inline double seconds(const Stream& stream, const std::function<void()>& work) {
    cudaEvent_t start = nullptr;
    cudaEvent_t stop = nullptr;
    SVEN_CUDA(cudaEventCreate(&start));
    SVEN_CUDA(cudaEventCreate(&stop));
    work();
    work();
    std::vector<double> times;
    for (int k = 0; k < 7; ++k) {
        SVEN_CUDA(cudaEventRecord(start, stream));
        work();
        SVEN_CUDA(cudaEventRecord(stop, stream));
        SVEN_CUDA(cudaEventSynchronize(stop));
        float milliseconds = 0;
        SVEN_CUDA(cudaEventElapsedTime(&milliseconds, start, stop));
        times.push_back(1e-3 * static_cast<double>(milliseconds));
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

inline std::vector<double> random_numbers(Index size) {
    std::vector<double> values(static_cast<std::size_t>(size));
    SplitMix64 random(1);
    for (double& value : values) value = static_cast<double>(random.bits() >> 11U) * 0x1p-53 - 0.5;
    return values;
}

// Random numbers, uploaded block by block.
inline void fill(double* there, Index size) {
    const std::vector<double> block = random_numbers(std::min<Index>(size, 1 << 22));
    for (Index at = 0; at < size; at += 1 << 22)
        SVEN_CUDA(cudaMemcpy(there + at, block.data(),
                             static_cast<std::size_t>(std::min<Index>(1 << 22, size - at)) * 8,
                             cudaMemcpyHostToDevice));
}

}  // namespace sven::bench
