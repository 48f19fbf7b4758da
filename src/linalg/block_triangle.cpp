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

Team BlockTriangle::team(const Execution& execution) const {
    const auto m = static_cast<double>(blocks_.empty() ? 0 : blocks_.back().end);
    return execution.team_for(m * m);
}

// Block by block from the left, two phases each: the product of the panel with the part already
// solved, in shares, and the small inverse.
void BlockTriangle::solve_transposed(const UpperTriangle& U, float* x, float* y,
                                     const Execution& execution) const {
    const auto width_of = [&](Index phase) {
        return blocks_[phase / 2].end - blocks_[phase / 2].begin;
    };
    const auto items = [&](Index phase) {
        const Index shares = (width_of(phase) + triangle_column_share - 1) / triangle_column_share;
        return phase % 2 == 1 ? 1 : (phase == 0 ? 0 : shares);
    };
    const auto step = [&](Index phase, Index share) {
        const Index begin = blocks_[phase / 2].begin;
        const Index width = width_of(phase);
        if (phase % 2 == 1) {
            const float* inverse = inverses_.data() + blocks_[phase / 2].inverse;
            project<float>({inverse, width, width, width}, x + begin, y + begin);
            return;
        }
        const Index c = share * triangle_column_share;
        subtract_projection({U.values + (begin + c) * U.stride, U.stride, begin,
                             std::min(triangle_column_share, width - c)},
                            y, x + begin + c);
    };
    parallel_phases(execution, team(execution), 2 * static_cast<Index>(blocks_.size()), items,
                    step);
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
    parallel_pieces(execution, work / triangle_speed, B.count, triangle_sides, solve_some);
}

// From the right, two phases for each block: the small inverse, and its contribution, which is
// subtracted from the rows above at once, in shares.
void BlockTriangle::solve(const UpperTriangle& U, float* y, float* x,
                          const Execution& execution) const {
    const auto count = static_cast<Index>(blocks_.size());
    const auto items = [&](Index phase) {
        const Index above = blocks_[count - 1 - phase / 2].begin;
        return phase % 2 == 0 ? 1 : (above + triangle_row_share - 1) / triangle_row_share;
    };
    const auto step = [&](Index phase, Index share) {
        const Block& block = blocks_[count - 1 - phase / 2];
        const Index begin = block.begin;
        const Index width = block.end - begin;
        if (phase % 2 == 0) {
            multiply({inverses_.data() + block.inverse, width, width, width}, y + begin, x + begin);
            return;
        }
        const Index r = share * triangle_row_share;
        combine<float>({U.values + begin * U.stride + r, U.stride,
                        std::min(triangle_row_share, begin - r), width},
                       -1, x + begin, y + r);
    };
    parallel_phases(execution, team(execution), 2 * count, items, step);
}

}  // namespace sven::linalg
