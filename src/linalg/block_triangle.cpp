#include "linalg/block_triangle.hpp"

#include <array>

#include "linalg/dense.hpp"
#include "linalg/tuning.hpp"

namespace sven::linalg {
namespace {

// y = A x
void multiply(const Columns<float>& A, const float* x, float* y) {
    std::fill_n(y, A.rows, 0.0F);
    combine(A, 1.0F, x, y);
}

// y -= A'x, at most triangle_column_share columns
void subtract_projection(const Columns<float>& A, const float* x, float* y) {
    std::array<float, triangle_column_share> products;
    project(A, x, products.data());
    for (Index j = 0; j < A.cols; ++j) y[j] -= products[j];
}

}  // namespace

void BlockTriangle::clear() {
    blocks_.clear();
    inverses_.clear();
}

bool BlockTriangle::add(const UpperTriangle& U, Index begin, Index end) {
    for (; begin < end; begin += triangle_block) {
        const Index stop = std::min(end, begin + triangle_block);
        const Index size = stop - begin;
        const auto at = static_cast<Index>(inverses_.size());
        blocks_.push_back({begin, stop, at});
        inverses_.resize(inverses_.size() + static_cast<std::size_t>(size * size));
        if (!invert_upper<float>({size, U.values + begin * (U.stride + 1), U.stride},
                                 inverses_.data() + at, size))
            return false;
    }
    return true;
}

template <class Body>
void BlockTriangle::solve_as_team(const Execution& execution, float* out, const Body& body) {
    const Index m = size();
    const int threads = execution.threads_for(static_cast<double>(m) * static_cast<double>(m));
    own_.reserve(threads * m);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        const Index thread = omp_get_thread_num();
        float* own = own_.data() + thread * m;
        body(thread, Index{omp_get_num_threads()}, own);
        if (thread == 0) std::copy_n(own, m, out);
    }
}

// Block by block from the left. The team shares the product of a panel with the part already
// solved; every thread applies the small inverse itself, which saves a barrier.
void BlockTriangle::solve_transposed(const UpperTriangle& U, float* x, float* y,
                                     const Execution& execution) {
    solve_as_team(execution, y, [&](Index thread, Index team, float* own) {
        for (const Block& block : blocks_) {
            const Index begin = block.begin;
            const Index width = block.end - begin;
            if (begin > 0) {
                for (Index c = thread * triangle_column_share; c < width;
                     c += team * triangle_column_share)
                    subtract_projection({U.values + (begin + c) * U.stride, U.stride, begin,
                                         std::min(triangle_column_share, width - c)},
                                        own, x + begin + c);
#pragma omp barrier
            }
            project<float>({inverses_.data() + block.inverse, width, width, width}, x + begin,
                           own + begin);
        }
    });
}

void BlockTriangle::divide_transposed(const UpperTriangle& U, const RightSides& B,
                                      const Execution& execution) const {
    const auto solve_some = [&](Index first, Index end) {
        divide_upper_transposed<float>(
            {B.rows - B.zeros, U.values + B.zeros * (U.stride + 1), U.stride}, end - first,
            B.values + first * B.stride + B.zeros, B.stride);
    };
    const auto order = static_cast<double>(B.rows - B.zeros);
    const double work = order * order * static_cast<double>(B.count);
    parallel_pieces(execution, work / triangle_speed, B.count, triangle_sides, solve_some,
                    poll_product / triangle_speed);
}

// From the right: the contribution of a block is subtracted from the rows above it at once.
void BlockTriangle::solve(const UpperTriangle& U, float* y, float* x, const Execution& execution) {
    solve_as_team(execution, x, [&](Index thread, Index team, float* own) {
        for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) {
            const Index begin = block->begin;
            const Index width = block->end - begin;
            multiply({inverses_.data() + block->inverse, width, width, width}, y + begin,
                     own + begin);
            if (begin == 0) break;
            for (Index r = thread * triangle_row_share; r < begin; r += team * triangle_row_share)
                combine<float>({U.values + begin * U.stride + r, U.stride,
                                std::min(triangle_row_share, begin - r), width},
                               -1, own + begin, y + r);
#pragma omp barrier
        }
    });
}

}  // namespace sven::linalg
