#include "path/data_certificate.hpp"

#include <cmath>

#include "linalg/blas.hpp"
#include "problem/certified_support.hpp"
#include "reduction/column_kernel.hpp"

namespace sven::path {
namespace {

linalg::ScaledDesign scaled(Workspace& work) {
    return problem::scale_design(*work.design, *work.problem, work.response, work.columns,
                                 work.moments);
}

std::vector<double> correlate(Workspace& work, linalg::ScaledDesign& X, std::span<const double> r) {
    std::vector<double> products(static_cast<std::size_t>(work.cols()));
    linalg::Panel panel;
    panel.resize(work.rows(), 1, work.execution);
    const double sum = X.fill_lane(r, 0, panel);
    work.design->correlate(panel, work.execution, [&](Index begin, Index count, double* tile) {
        for (Index c = 0; c < count; ++c)
            products[begin + c] = X.correct(begin + c, tile[c * panel.stride()], sum);
    });
    return products;
}

}  // namespace

void certify_from_data(Workspace& work, const reduction::Target& target, Solved& solved) {
    linalg::ScaledDesign X = scaled(work);
    std::vector<double> residual(static_cast<std::size_t>(work.rows()));
    X.multiply(solved.support.features, solved.support.beta, work.execution, residual.data());
    for (Index i = 0; i < work.rows(); ++i) residual[i] = work.response.values[i] - residual[i];
    const std::vector<double> products = correlate(work, X, residual);
    problem::GapInput input;
    input.is_budget = target.is_budget && solved.status != Status::ridge;
    input.h = solved.h;
    input.t = target.t;
    input.l2 = solved.l2;
    input.response_squares = work.response.squares;
    input.residual_squares = linalg::dot(work.rows(), residual.data(), residual.data());
    problem::GapSums sums;
    std::vector<double> beta(static_cast<std::size_t>(work.cols()), 0.0);
    for (std::size_t k = 0; k < solved.support.features.size(); ++k)
        beta[solved.support.features[k]] = solved.support.beta[k];
    for (Index j = 0; j < work.cols(); ++j) {
        if (work.penalties.excluded[j]) continue;
        if (work.penalties.is_free(j)) sums.add_free(input, products[j], work.columns.norms[j]);
        if (beta[j] != 0)
            sums.add(input, products[j], beta[j], work.factor(j), work.penalties.nonnegative);
        else
            sums.add_zero(input, products[j], work.factor(j), work.penalties.nonnegative,
                          4e-15 * work.columns.norms[j] * std::sqrt(work.response.squares));
    }
    // Least squares has no dual bound of this kind: the support's own distance stands.
    const problem::Gap gap = problem::close(input, sums);
    if (is_least_squares(work, input, sums, gap)) return;
    solved.use = sums.use;
    solved.gap = gap;
    solved.gap_source = GapSource::data;
    problem::CertificationInput certification;
    certification.gap_input = input;
    certification.gap = solved.gap.absolute;
    certification.norms = work.columns.norms;
    certification.products = products.data();
    certification.inverse_diagonal = solved.inverse_diagonal;
    solved.certificate = problem::certify_support(certification, solved.support, work.penalties);
    if (solved.gap.relative > work.options->tolerance)
        solved.status = Status::iteration_limit;
    else if (solved.status == Status::iteration_limit)
        solved.status = Status::optimal;
}

std::span<const double> project_response(Workspace& work, std::vector<double>& products) {
    bool has_free = false;
    for (Index j = 0; j < work.cols(); ++j) has_free |= work.penalties.is_free(j);
    if (!has_free) return products;
    linalg::ScaledDesign X = scaled(work);
    reduction::ColumnKernel kernel(X, work.response.values, work.columns.products,
                                   work.columns.norms, work.execution);
    reduction::ActiveSet active(kernel, work.penalties, work.execution, 1e-10);
    active.run({false, 1, 0, 0}, 10);
    products = correlate(work, X, kernel.residual());
    return products;
}

}  // namespace sven::path
