#include "svm/cholesky.hpp"

#include <algorithm>

#include "linalg/cholesky.hpp"
#include "linalg/dense.hpp"
#include "svm/tuning.hpp"

namespace sven::svm {
namespace {

static_assert(factor_panel <= linalg::lower_cholesky_columns);

// Rows [begin, end) of columns [column, column + width) -= L_rows L_columns', all columns before.
void update(const SquareMatrix& A, Index column, Index width, Index begin, Index end) {
    if (column == 0 || begin >= end) return;
    linalg::multiply<double>({end - begin, width, column, -1,
                              linalg::by_columns<double>(A.data + begin, A.stride),
                              linalg::by_rows<double>(A.data + column, A.stride),
                              A.data + begin + column * A.stride, A.stride});
}

// Rows [begin, end) of the panel: A <- A L^-T with the panel's diagonal block.
void divide(const SquareMatrix& A, Index column, Index width, Index begin, Index end) {
    if (begin >= end) return;
    linalg::divide_lower_right<double>({width, A.data + column + column * A.stride, A.stride},
                                       end - begin, A.data + begin + column * A.stride, A.stride);
}

// Below the diagonal block, in slices shared by the threads.
void finish_panel(const SquareMatrix& A, Index column, Index width, Index first,
                  const linalg::Execution& execution) {
    const Index height = A.order - first;
    const Index slices = (height + factor_slice - 1) / factor_slice;
    const double flops = 2.0 * static_cast<double>(height) * static_cast<double>(width) *
                         static_cast<double>(column + width);
    linalg::parallel_for(execution, execution.team_for(flops), slices, [&](Index slice) {
        const Index begin = first + slice * factor_slice;
        const Index end = std::min(A.order, begin + factor_slice);
        update(A, column, width, begin, end);
        divide(A, column, width, begin, end);
    });
}

}  // namespace

bool factorise(const SquareMatrix& A, Index kept, const linalg::Execution& execution) {
    for (Index column = 0; column < kept; column += factor_panel) {
        finish_panel(A, column, std::min(factor_panel, kept - column), kept, execution);
    }
    for (Index column = kept; column < A.order; column += factor_panel) {
        execution.check();
        const Index width = std::min(factor_panel, A.order - column);
        double* block = A.data + column + column * A.stride;
        update(A, column, width, column, column + width);
        if (!linalg::cholesky_lower(width, block, A.stride)) return false;
        finish_panel(A, column, width, column + width, execution);
    }
    return true;
}

void solve_factored(const SquareMatrix& L, double* x) {
    const linalg::Triangular<double> triangle{L.order, L.data, L.stride};
    linalg::solve_lower(triangle, x);
    linalg::solve_lower_transposed(triangle, x);
}

}  // namespace sven::svm
