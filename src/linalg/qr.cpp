#include "linalg/qr.hpp"

#include <array>
#include <cmath>

#include "linalg/buffer.hpp"
#include "linalg/dense.hpp"
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

// The reflection of x (n entries) onto a multiple of e_1, which becomes its first entry: the others
// are those of v with v_1 = 1.
double make_reflection(Index n, double* x) {
    const double squares = dot(n - 1, x + 1, x + 1);
    if (squares == 0) return 0;
    const double length = std::copysign(std::hypot(x[0], std::sqrt(squares)), -x[0]);
    const double tau = (length - x[0]) / length;
    scale(n - 1, 1 / (x[0] - length), x + 1);
    x[0] = length;
    return tau;
}

void factor(const Panel& panel) {
    std::array<double, block> products;
    for (Index j = 0; j < panel.cols; ++j) {
        const Index rows = panel.rows - j;
        double* v = panel.data + j * panel.stride + j;
        panel.tau[j] = make_reflection(rows, v);
        const double diagonal = v[0];
        v[0] = 1;
        const Columns<double> rest{v + panel.stride, panel.stride, rows, panel.cols - j - 1};
        project(rest, v, products.data());
        for (Index c = 0; c < rest.cols; ++c)
            combine<double>({v, rows, rows, 1}, -panel.tau[j], &products[c],
                            v + (c + 1) * panel.stride);
        v[0] = diagonal;
    }
}

// Q = I - V T V' of a panel's reflections, T upper triangular.
struct Reflections {
    Index rows;
    Index count;
    Buffer<double> V;
    Buffer<double> T;
};

Reflections collect(const Panel& panel) {
    const Index count = panel.cols;
    Reflections Q{panel.rows, count, Buffer<double>(panel.rows * count),
                  Buffer<double>(count * count)};
    for (Index j = 0; j < count; ++j) {
        double* v = Q.V.data() + j * panel.rows;
        std::fill_n(v, j, 0.0);
        v[j] = 1;
        std::copy_n(panel.data + j * panel.stride + j + 1, panel.rows - j - 1, v + j + 1);
    }
    // t_j = -tau_j T (V'v_j) above the diagonal
    std::fill_n(Q.T.data(), count * count, 0.0);
    for (Index j = 0; j < count; ++j) {
        double* t = Q.T.data() + j * count;
        project<double>({Q.V.data(), panel.rows, panel.rows, j}, Q.V.data() + j * panel.rows, t);
        multiply_upper({j, Q.T.data(), count}, t);
        scale(j, -panel.tau[j], t);
        t[j] = panel.tau[j];
    }
    return Q;
}

// C := Q'C
void reflect(const Reflections& Q, Index cols, double* C, Index stride) {
    const Index size = Q.count * cols;
    Buffer<double> products(2 * size);
    double* turned = products.data() + size;
    std::fill_n(products.data(), 2 * size, 0.0);
    multiply<double>({Q.count, cols, Q.rows, 1, by_rows(Q.V.data(), Q.rows),
                      by_columns<double>(C, stride), products.data(), Q.count});
    multiply<double>({Q.count, cols, Q.count, 1, by_rows(Q.T.data(), Q.count),
                      by_columns<double>(products.data(), Q.count), turned, Q.count});
    multiply<double>({Q.rows, cols, Q.count, -1, by_columns(Q.V.data(), Q.rows),
                      by_columns<double>(turned, Q.count), C, stride});
}

}  // namespace

void qr(Index rows, Index cols, double* A, double* tau, const Execution& execution) {
    const Index reflections = std::min(rows, cols);
    for (Index k = 0; k < reflections; k += block) {
        execution.check();
        const Index size = std::min(block, reflections - k);
        const Panel panel{rows - k, size, A + k * rows + k, rows, tau + k};
        factor(panel);
        const Index rest = cols - k - size;
        if (rest == 0) break;
        const Reflections Q = collect(panel);
        double* trailing = panel.data + size * rows;
        const auto reflect_columns = [&](Index begin, Index end) {
            reflect(Q, end - begin, trailing + begin * rows, rows);
        };
        const double each = 4.0 * static_cast<double>(panel.rows * size);
        parallel_pieces(execution, each * static_cast<double>(rest), rest, qr_share,
                        reflect_columns);
    }
}

}  // namespace sven::linalg
