#include "linalg/qr.hpp"

#include "linalg/blas.hpp"
#include "linalg/buffer.hpp"
#include "linalg/tuning.hpp"

namespace sven::linalg {
namespace {

constexpr Index block = qr_block;

struct Panel {
    Index rows;
    Index cols;
    double* data;  // with the stride of the matrix
    Index stride;
    double* tau;
};

void factor(const Panel& panel) {
    const Index size = block * panel.cols;
    Buffer<double> work(size);
    LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, narrow(panel.rows), narrow(panel.cols), panel.data,
                        narrow(panel.stride), panel.tau, work.data(), narrow(size));
}

// Q = I - V T V' of the panel's reflections; V is stored below the diagonal of the panel.
Buffer<double> triangle_of(const Panel& panel) {
    Buffer<double> T(block * block);
    LAPACKE_dlarft_work(LAPACK_COL_MAJOR, 'F', 'C', narrow(panel.rows), narrow(panel.cols),
                        panel.data, narrow(panel.stride), panel.tau, T.data(), narrow(block));
    return T;
}

// C := Q'C. LAPACK's dormqr writes to the panel, which other threads read.
void reflect(const Panel& panel, const Buffer<double>& T, Index cols, double* C) {
    Buffer<double> work(block * cols);
    LAPACKE_dlarfb_work(LAPACK_COL_MAJOR, 'L', 'T', 'F', 'C', narrow(panel.rows), narrow(cols),
                        narrow(panel.cols), panel.data, narrow(panel.stride), T.data(),
                        narrow(block), C, narrow(panel.stride), work.data(), narrow(cols));
}

}  // namespace

void qr(Index rows, Index cols, double* A, double* tau, const Execution& execution) {
    const Index reflections = std::min(rows, cols);
    // Too short to be worth polling the cancel token.
    const double work = 2.0 * static_cast<double>(rows) * static_cast<double>(cols * cols);
    if (cols <= block || work < poll_product) {
        if (reflections > 0) factor({rows, cols, A, rows, tau});
        return;
    }
    for (Index k = 0; k < reflections; k += block) {
        execution.check();
        const Index size = std::min(block, reflections - k);
        const Panel panel{rows - k, size, A + k * rows + k, rows, tau + k};
        factor(panel);
        const Index rest = cols - k - size;
        if (rest == 0) break;
        const Buffer<double> T = triangle_of(panel);
        double* trailing = panel.data + size * rows;
        const auto reflect_columns = [&](Index begin, Index end) {
            reflect(panel, T, end - begin, trailing + begin * rows);
        };
        const double each = 4.0 * static_cast<double>(panel.rows * size);
        parallel_pieces(execution, each * static_cast<double>(rest), rest, qr_share,
                        reflect_columns, poll_reflections);
    }
}

}  // namespace sven::linalg
