#include "linalg/block_triangle.hpp"

#include "linalg/blas.hpp"
#include "linalg/tuning.hpp"

namespace sven::linalg {
namespace {

struct Rectangle {
    const float* values;
    Index stride;
    Index rows;
    Index cols;
};

// y = b y + a A x
void multiply(float a, const Rectangle& A, const float* x, float b, float* y) {
    cblas_sgemv(CblasColMajor, CblasNoTrans, narrow(A.rows), narrow(A.cols), a, A.values,
                narrow(A.stride), x, 1, b, y, 1);
}

// y = b y + a A'x
void multiply_transposed(float a, const Rectangle& A, const float* x, float b, float* y) {
    cblas_sgemv(CblasColMajor, CblasTrans, narrow(A.rows), narrow(A.cols), a, A.values,
                narrow(A.stride), x, 1, b, y, 1);
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
        inverses_.resize(inverses_.size() + static_cast<std::size_t>(size * size), 0.0F);
        for (Index j = 0; j < size; ++j)
            std::copy_n(U.values + (begin + j) * U.stride + begin, j + 1,
                        inverses_.data() + at + j * size);
        const int info = LAPACKE_strtri_work(LAPACK_COL_MAJOR, 'U', 'N', narrow(size),
                                             inverses_.data() + at, narrow(size));
        if (info != 0) return false;
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
                    multiply_transposed(-1,
                                        {U.values + (begin + c) * U.stride, U.stride, begin,
                                         std::min(triangle_column_share, width - c)},
                                        own, 1, x + begin + c);
#pragma omp barrier
            }
            multiply_transposed(1, {inverses_.data() + block.inverse, width, width, width},
                                x + begin, 0, own + begin);
        }
    });
}

void BlockTriangle::divide_transposed(const UpperTriangle& U, const RightSides& B,
                                      const Execution& execution) const {
    const int stride = narrow(B.stride);
    const auto solve_some = [&](Index first, Index last) {
        float* own = B.values + first * B.stride;
        const int count = narrow(last - first);
        for (const Block& block : blocks_) {
            const Index begin = block.begin;
            if (begin >= B.rows) break;
            if (block.end <= B.zeros) continue;
            const int width = narrow(block.end - begin);
            if (begin > B.zeros)
                cblas_sgemm(CblasColMajor, CblasTrans, CblasNoTrans, width, count,
                            narrow(begin - B.zeros), -1, U.values + begin * U.stride + B.zeros,
                            narrow(U.stride), own + B.zeros, stride, 1, own + begin, stride);
            cblas_strmm(CblasColMajor, CblasLeft, CblasUpper, CblasTrans, CblasNonUnit, width,
                        count, 1, inverses_.data() + block.inverse, width, own + begin, stride);
        }
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
            multiply(1, {inverses_.data() + block->inverse, width, width, width}, y + begin, 0,
                     own + begin);
            if (begin == 0) break;
            for (Index r = thread * triangle_row_share; r < begin; r += team * triangle_row_share)
                multiply(-1,
                         {U.values + begin * U.stride + r, U.stride,
                          std::min(triangle_row_share, begin - r), width},
                         own + begin, 1, y + r);
#pragma omp barrier
        }
    });
}

}  // namespace sven::linalg
