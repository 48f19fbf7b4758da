#pragma once
// Seeded data for the kernels.

#include <cmath>
#include <random>
#include <vector>

#include "linalg/buffer.hpp"
#include "sven/matrix.hpp"

namespace sven::micro {

// Numbers of mean 0 and variance 1. What they are does not matter to a kernel, as long as none
// is subnormal; a linear generator fills hundreds of megabytes quickly.
inline void fill(double* values, Index count, std::uint64_t seed) {
    std::uint64_t state = seed * 0x9e3779b97f4a7c15ULL + 1;
    for (Index i = 0; i < count; ++i) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        values[i] = (static_cast<double>(state >> 11) * 0x1p-53 - 0.5) * std::sqrt(12.0);
    }
}

inline std::vector<double> vector(Index count, std::uint64_t seed) {
    std::vector<double> values(static_cast<std::size_t>(count));
    fill(values.data(), count, seed);
    return values;
}

struct Dense {
    Dense(Index n, Index p, Layout layout) : values(n * p) {
        fill(values.data(), n * p, 1);
        view = layout == Layout::column_major ? column_major(values.data(), n, p)
                                              : row_major(values.data(), n, p);
    }
    linalg::Buffer<double> values;
    DenseView view;
};

// `per_line` entries in each column (CSC) or row (CSR), evenly spaced from a random start.
struct Sparse {
    Sparse(Index n, Index p, Index per_line, Compression compression) {
        const Index lines = compression == Compression::columns ? p : n;
        const Index length = compression == Compression::columns ? n : p;
        const Index step = length / per_line;
        std::mt19937_64 random(1);
        values = vector(lines * per_line, 2);
        offsets.push_back(0);
        for (Index line = 0; line < lines; ++line) {
            const auto start = static_cast<Index>(random() % static_cast<std::uint64_t>(step));
            for (Index k = 0; k < per_line; ++k)
                indices.push_back(static_cast<std::int32_t>(start + k * step));
            offsets.push_back(static_cast<std::int32_t>(indices.size()));
        }
        view.values = values.data();
        view.indices = indices.data();
        view.offsets = offsets.data();
        view.compression = compression;
        view.rows = n;
        view.cols = p;
    }
    std::vector<double> values;
    std::vector<std::int32_t> indices, offsets;
    SparseView view;
};

}  // namespace sven::micro
