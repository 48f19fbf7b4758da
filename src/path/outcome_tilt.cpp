// The tilt of a dual point by free features (maths.md, eq. 72).

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "linalg/cholesky.hpp"
#include "linalg/row_sums.hpp"
#include "path/outcome_fit.hpp"
#include "problem/rounding.hpp"

namespace sven::path {
namespace {

// The free columns about their means by curvature, and the Gram matrix of them in the curvatures.
struct FreeModel {
    Index rows = 0;
    Index count = 0;
    std::vector<double> columns;
    std::vector<double> mean, largest;
    std::vector<double> inverse;  // of the Gram matrix; empty: there is none

    std::span<const double> column(Index c) const {
        return {columns.data() + c * rows, static_cast<std::size_t>(rows)};
    }
};

FreeModel make_model(const reduction::CurvedKernel& kernel, std::span<const Index> free,
                     const LossState& state, const Workspace& work) {
    const bool intercept = work.problem->intercept;
    FreeModel model;
    model.rows = kernel.rows();
    model.count = static_cast<Index>(free.size());
    const Index n = model.rows;
    const Index m = model.count;
    model.columns.resize(static_cast<std::size_t>(n * m));
    std::vector<double> weighted(static_cast<std::size_t>(n));
    std::vector<double> factor(static_cast<std::size_t>(m * m));
    kernel.gather_plain(free, model.columns.data());
    for (Index c = 0; c < m; ++c) {
        const std::span<double> x(model.columns.data() + c * n, weighted.size());
        double mean = 0;
        if (intercept)
            mean =
                linalg::dot_of_rows(work.execution, state.curvatures, x) / state.sums.curvature_sum;
        double largest = 0;
        for (Index i = 0; i < n; ++i) {
            x[i] -= mean;
            largest = std::max(largest, std::abs(x[i]));
            weighted[i] = state.curvatures[i] * x[i];
        }
        model.mean.push_back(mean);
        model.largest.push_back(largest);
        for (Index a = 0; a <= c; ++a)
            factor[c * m + a] = linalg::dot_of_rows(work.execution, model.column(a), weighted);
    }
    if (!linalg::cholesky_upper(m, factor.data(), m, {})) return model;
    model.inverse.assign(static_cast<std::size_t>(m * m), 0.0);
    for (Index c = 0; c < m; ++c) {
        double* column = model.inverse.data() + c * m;
        column[c] = 1;
        linalg::solve_upper_transposed({m, factor.data(), m}, column);
        linalg::solve_upper({m, factor.data(), m}, column);
    }
    return model;
}

}  // namespace

void OutcomeFit::tilt_free(const LossState& state, DualLane& lane) const {
    const bool intercept = work_.problem->intercept;
    const FreeModel model = make_model(kernel_, free_, state, work_);
    const Index n = model.rows;
    const Index m = model.count;
    if (model.inverse.empty()) {
        lane.is_usable = false;
        return;
    }
    const double at_means = intercept ? state.sums.error_sum / state.sums.curvature_sum : 0;
    lane.tilt.assign(static_cast<std::size_t>(n), at_means);
    std::vector<double> products(static_cast<std::size_t>(m));
    for (Index c = 0; c < m; ++c)
        products[c] = linalg::dot_of_rows(work_.execution, model.column(c), state.u);
    for (Index c = 0; c < m; ++c) {
        const double move = linalg::dot(m, model.inverse.data() + c * m, products.data());
        linalg::axpy(n, move, model.column(c).data(), lane.tilt.data());
    }
    for (Index i = 0; i < n; ++i) {
        lane.is_usable &= std::abs(lane.tilt[i]) <= problem::largest_tilt;
        lane.u[i] -= state.curvatures[i] * lane.tilt[i];
    }
    const double sum = linalg::sum_of_rows(work_.execution, lane.u);
    const double rounding = problem::product_rounding(n);
    const double rest = intercept ? std::abs(sum) + rounding * state.sums.error_size : 0;
    lane.blur = intercept ? rest / state.sums.curvature_sum : 0;
    for (Index c = 0; c < m; ++c)
        products[c] = std::abs(linalg::dot_of_rows(work_.execution, model.column(c), lane.u)) +
                      rounding * model.largest[c] * state.sums.error_size;
    for (Index c = 0; c < m; ++c) {
        double move = 0;
        for (Index a = 0; a < m; ++a) move += std::abs(model.inverse[c * m + a]) * products[a];
        lane.blur += move * model.largest[c];
    }
}

}  // namespace sven::path
