#pragma once
// Rows packed for the Gram kernels, and their products.

#include <algorithm>

#include "linalg/execution.hpp"
#include "linalg/kernels.hpp"
#include "linalg/tuning.hpp"

namespace sven::linalg {

// Packed rows, panel by panel: the columns of X, the response and the ones. The last panel may be
// partly empty.
struct Panels {
    const double* packed;
    Index columns;
    Index rows;

    Index count() const { return (columns + gram_width - 1) / gram_width; }
    const double* at(Index panel) const { return packed + panel * rows * gram_width; }
    // Whether the last panel has at most four columns.
    bool ends_in_half() const { return (columns - 1) % gram_width < gram_width / 2; }
};

// target (lower) += the products of the rows, for the chunk of panels of rows from `first` on.
inline void multiply_chunk(const Panels& panels, Index first, Index stride, double* target,
                           Ahead& ahead) {
    const Index last = std::min(panels.count(), first + gram_panel_chunk);
    const Index half = last == panels.count() && panels.ends_in_half() ? last - 1 : last;
    for (Index J = 0; J < last; ++J) {
        double* column = target + J * gram_width * stride;
        Index from = std::max(first, J);
        if (from == J && J < half) {
            kernels().gram_diagonal(panels.at(J), panels.rows, column + J * gram_width, stride,
                                    ahead);
            ++from;
        }
        if (from < half)
            kernels().gram(panels.at(from), half - from, panels.at(J), panels.rows,
                           column + from * gram_width, stride, ahead);
        if (half < last)
            kernels().gram_half(panels.at(half), panels.at(J), panels.rows,
                                column + half * gram_width, stride, ahead);
    }
}

// The same for all panels. A team begins with the longest chunk.
inline void multiply_panels(const Panels& panels, const Execution& execution, Index stride,
                            double* target, Ahead ahead) {
    const Index chunks = (panels.count() + gram_panel_chunk - 1) / gram_panel_chunk;
    const auto columns = static_cast<double>(panels.columns);
    const Team team =
        execution.team_for(static_cast<double>(panels.rows) * columns * columns / gram_speed);
    if (team.threads > 1 && chunks > 1) {
        parallel_for(execution, team, chunks, [&](Index chunk) {
            Ahead nothing;
            multiply_chunk(panels, (chunks - 1 - chunk) * gram_panel_chunk, stride, target,
                           nothing);
        });
        return;
    }
    for (Index chunk = 0; chunk < chunks && !execution.is_cancelled(); ++chunk)
        multiply_chunk(panels, chunk * gram_panel_chunk, stride, target, ahead);
}

}  // namespace sven::linalg
