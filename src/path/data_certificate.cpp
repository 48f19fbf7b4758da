#include "path/data_certificate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/dense.hpp"
#include "linalg/row_sums.hpp"
#include "path/column_span.hpp"
#include "path/polish.hpp"
#include "path/preparation.hpp"
#include "path/tuning.hpp"
#include "problem/rounding.hpp"
#include "reduction/active_set.hpp"
#include "reduction/column_kernel.hpp"

namespace sven::path {

using linalg::Twofold;
using linalg::TwofoldVector;

std::vector<double> correlate(Workspace& work, linalg::ScaledDesign& X, std::span<const double> r) {
    std::vector<double> products(static_cast<std::size_t>(work.cols()));
    linalg::Panel panel;
    panel.resize(work.rows(), 1, work.execution);
    const double sum = X.fill_lane(r, 0, work.execution, panel);
    work.design->correlate(panel, work.execution, [&](Index begin, Index count, double* tile) {
        for (Index c = 0; c < count; ++c)
            products[begin + c] = X.correct(begin + c, tile[c * panel.stride()], sum);
    });
    return products;
}

double budget_used(const Workspace& work, const problem::Support& support) {
    double weighted_l1 = 0;
    for (std::size_t k = 0; k < support.features.size(); ++k)
        weighted_l1 += work.factor(support.features[k]) * std::abs(support.beta[k]);
    return weighted_l1;
}

TwofoldVector errors_of(const Workspace& work, const problem::Support& support) {
    const Index n = work.rows();
    const UserModel model = to_user_scale(work, support);
    TwofoldVector r(static_cast<std::size_t>(n));
    Twofold constant{model.intercept};
    const std::span<const double> shift = work.design->shift();
    for (std::size_t k = 0; k < support.features.size() && !shift.empty(); ++k)
        constant =
            constant + linalg::two_product(shift[support.features[k]], model.coefficients[k]);
    for (Index i = 0; i < n; ++i) r[i] = Twofold{work.problem->y[i]} - constant;
    std::vector<double> column(static_cast<std::size_t>(n));
    for (std::size_t k = 0; k < support.features.size(); ++k) {
        if (model.coefficients[k] == 0) continue;
        work.execution.check();
        work.design->gather({&support.features[k], 1}, work.execution, column.data(), n);
        for (Index i = 0; i < n; ++i)
            r[i] = r[i] - linalg::two_product(column[i], model.coefficients[k]);
    }
    return r;
}

namespace {

linalg::ScaledDesign scaled(Workspace& work) {
    return problem::scale_design(*work.design, *work.problem, work.response, work.columns,
                                 work.moments);
}

// root_w (y - b_0 - X b) of the coefficients that are handed out.
TwofoldVector residual_of(const Workspace& work, const problem::Support& support) {
    TwofoldVector r = errors_of(work, support);
    for (Index i = 0; i < work.rows(); ++i) r[i] = r[i] * Twofold{work.root_weight(i)};
    return r;
}

problem::Question question_of(const problem::Target& target, const Solved& solved) {
    return problem::Question::of(target, solved.h, solved.status == Status::ridge);
}

// A dual point that meets the optimality conditions on a set of features: those of the support,
// the free ones, and what violated earlier points.
class SharpPoint {
  public:
    SharpPoint(Workspace& work, const problem::Question& question, const Solved& solved)
        : work_(work),
          question_(question),
          X_(scaled(work)),
          span_(work),
          beta_(expand(work, solved.support)),
          residual_(residual_of(work, solved.support)),
          is_exact_(beta_.size()),
          exact_(beta_.size()) {
        // free features first: one that is no member depends on those before it
        for (const Index j : work.free.features()) join(j, 1);
        for (const Index j : solved.support.features)
            if (beta_[j] != 0 && !work.penalties.is_free(j) &&
                !work.penalties.is_at_limit(j, beta_[j]))
                join(j, beta_[j] < 0 ? -1 : 1);
    }

    // The smallest gap over some rounds of features that join.
    problem::Gap gap() {
        problem::Gap best;
        best.absolute = best.relative = std::numeric_limits<double>::infinity();
        for (int round = 0; round < tuning::sharpening_rounds && span_.is_affordable(); ++round) {
            TwofoldVector u = residual_;
            const double distance = span_.move(products_, u);
            std::vector<double> rounded(u.size());
            for (std::size_t i = 0; i < u.size(); ++i) rounded[i] = u[i].value();
            const problem::Gap gap = close(rounded, distance);
            if (gap.absolute < best.absolute) best = gap;
            if (best.relative <= work_.options->tolerance || !add_violators()) break;
        }
        return best;
    }

  private:
    // A feature's product with u becomes what optimality asks of it; that of one which depends on
    // the members follows from theirs.
    void join(Index j, double sign) {
        if (!span_.is_affordable()) return;
        is_exact_[j] = 1;
        if (span_.add(j)) {
            const double f = work_.factor(j);
            products_.push_back(question_.h * f * sign + question_.l2 * f * beta_[j]);
            exact_[j] = products_.back();
            return;
        }
        const TwofoldVector combination = span_.combination_of(j);
        Twofold product;
        double largest = 0;
        for (std::size_t k = 0; k < combination.size(); ++k) {
            product = product + combination[k] * Twofold{products_[k]};
            largest = std::max(largest, std::abs(products_[k]));
        }
        // of members that it does not depend on, rounding of twofold numbers is left
        exact_[j] =
            std::abs(product.value()) <= tuning::twofold_zero * largest ? 0 : product.value();
        // the sum is rounded
        is_exact_[j] = work_.penalties.is_free(j) || question_.h == 0 || beta_[j] == 0;
    }

    problem::Gap close(std::span<const double> u, double distance) {
        product_of_ = correlate(work_, X_, u);
        const double squares = linalg::dot(residual_, residual_).value();
        point_ = {};
        point_.length = std::sqrt(linalg::squares_of_rows(work_.execution, u));
        // the weights, whose roots are rounded, move the residual by as much
        point_.distance =
            distance + tuning::weight_roundings * problem::unit_roundoff * std::sqrt(squares);
        point_.noise = (problem::product_rounding(work_.rows()) + problem::unit_roundoff) *
                       work_.columns.spread * point_.length;
        point_.scale_error = work_.columns.scale_error;
        problem::GapSum sum(question_, work_.penalties, point_);
        for (Index j = 0; j < work_.cols(); ++j) {
            if (work_.penalties.excluded[j] || work_.penalties.is_free(j)) continue;
            if (is_exact_[j])
                sum.add(j, exact_[j], 0, beta_[j]);
            else
                sum.add(j, product_of_[j], work_.columns.norms[j], beta_[j]);
        }
        return sum.close(squares, work_.response.squares);
    }

    // Features at zero whose products exceed their bounds: with the product at the bound they are
    // as feasible as any.
    bool add_violators() {
        bool has_joined = false;
        for (Index j = 0; j < work_.cols(); ++j) {
            if (work_.penalties.excluded[j] || is_exact_[j] || beta_[j] != 0) continue;
            const double error = point_.noise * work_.columns.norms[j];
            if (!work_.penalties.violates(j, product_of_[j], question_.h, {0, -error})) continue;
            join(j, product_of_[j] < 0 ? -1 : 1);
            has_joined |= is_exact_[j] != 0;
        }
        return has_joined;
    }

    Workspace& work_;
    problem::Question question_;
    linalg::ScaledDesign X_;
    ColumnSpan span_;
    std::vector<double> beta_;
    TwofoldVector residual_;
    std::vector<char> is_exact_;      // features whose product with u is known exactly
    std::vector<double> exact_;       // that product
    std::vector<double> products_;    // of the members
    std::vector<double> product_of_;  // of every feature with the last point
    problem::DualPoint point_;
};

// What a certificate of coefficients is made of.
struct Evidence {
    std::vector<double> products;
    problem::DualPoint residual;  // as a dual point
    problem::DualPoint point;     // orthogonal to the free features
    double residual_squares = 0;
};

Evidence look(Workspace& work, const problem::Support& support) {
    linalg::ScaledDesign X = scaled(work);
    Evidence evidence;
    std::vector<double> residual(static_cast<std::size_t>(work.rows()));
    X.multiply(support.features, support.beta, work.execution, residual.data());
    const std::span<const double> y = work.response.values();
    for (Index i = 0; i < work.rows(); ++i) residual[i] = y[i] - residual[i];
    evidence.products = correlate(work, X, residual);
    evidence.residual_squares = linalg::squares_of_rows(work.execution, residual);
    const double length = std::sqrt(evidence.residual_squares);
    evidence.residual = residual_point(work, support, length, X.lane_sum(residual, work.execution));
    evidence.point = evidence.residual;
    const auto product = [&](Index j) { return evidence.products[j]; };
    allow_for_free_features(work, product, evidence.point);
    return evidence;
}

problem::Gap gap_of(const Workspace& work, const problem::Question& question,
                    const problem::Support& support, const Evidence& evidence) {
    problem::GapSum sum(question, work.penalties, evidence.point);
    const std::vector<double> beta = expand(work, support);
    for (Index j = 0; j < work.cols(); ++j)
        if (!work.penalties.excluded[j] && !work.penalties.is_free(j))
            sum.add(j, evidence.products[j], work.columns.norms[j], beta[j]);
    return sum.close(evidence.residual_squares, work.response.squares);
}

// Without penalties nothing bounds a product: the dual point is orthogonal to every column, as it
// is to free ones otherwise.
bool is_least_squares(const Workspace& work, const problem::Question& question) {
    return question.h == 0 && question.l2 == 0 && !question.is_budget &&
           !work.penalties.has_limits() && work.cols() < work.rows();
}

problem::Gap least_squares_gap(const Workspace& work, const problem::Question& question,
                               const Evidence& evidence) {
    std::vector<Index> features;
    for (Index j = 0; j < work.cols(); ++j)
        if (!work.penalties.excluded[j]) features.push_back(j);
    problem::DualPoint point = evidence.residual;
    const auto product = [&](Index j) { return evidence.products[j]; };
    allow_for_free_features(span_of(work, std::move(features)), product, point);
    const problem::GapSum sum(question, work.penalties, point);
    return sum.close(evidence.residual_squares, work.response.squares);
}

// Where the gap is above the tolerance: a better dual point, the nearest to the residual that meets
// the conditions of optimality exactly on the support; and where that does not do, coefficients
// that are solved for again on the same support, in twofold precision. True where they were.
bool sharpen(Workspace& work, const problem::Target& target, Solved& solved) {
    const auto is_open = [&] { return solved.gap.relative > work.options->tolerance; };
    const auto sharp_gap = [&](const Solved& answer) {
        return SharpPoint(work, question_of(target, answer), answer).gap();
    };
    if (!is_open()) return false;
    const problem::Gap gap = sharp_gap(solved);
    if (gap.absolute < solved.gap.absolute) solved.gap = gap;
    Solved polished = solved;
    if (!is_open() || !polish(work, target, polished)) return false;
    polished.status = target.is_budget() && polished.h == 0 ? Status::ridge : Status::optimal;
    polished.gap = sharp_gap(polished);
    if (!(polished.gap.absolute < solved.gap.absolute)) return false;
    polished.inverse_diagonal.clear();
    solved = std::move(polished);
    return true;
}

}  // namespace

void certify_from_data(Workspace& work, const problem::Target& target, Effort effort,
                       Solved& solved) {
    Evidence evidence = look(work, solved.support);
    solved.gap = gap_of(work, question_of(target, solved), solved.support, evidence);
    solved.gap_source = GapSource::data;
    if (solved.gap.relative > work.options->tolerance &&
        is_least_squares(work, question_of(target, solved))) {
        const problem::Gap gap = least_squares_gap(work, question_of(target, solved), evidence);
        if (gap.absolute < solved.gap.absolute) solved.gap = gap;
    }
    if (effort == Effort::sharp && sharpen(work, target, solved))
        evidence = look(work, solved.support);
    solved.weighted_l1 = budget_used(work, solved.support);
    // huge coefficients that cancel each other leave a residual with few digits; column by column
    // is for supports that the rows can carry, not for a ridge on all columns whose gap is closed
    // and whose objective is known
    const bool is_small = static_cast<Index>(solved.support.features.size()) <= work.rows();
    const bool is_open = solved.gap.relative > work.options->tolerance;
    const bool is_known = evidence.point.is_accurate_beside(work.response.squares);
    if (!evidence.point.is_accurate() && (is_small || is_open || !is_known)) {
        const TwofoldVector residual = residual_of(work, solved.support);
        evidence.residual_squares = linalg::dot(residual, residual).value();
    }
    solved.gap.objective =
        gap_of(work, question_of(target, solved), solved.support, evidence).objective;
    solved.gap.deviance = evidence.residual_squares;
    problem::CertificationInput certification;
    certification.question = question_of(target, solved);
    certification.point = evidence.point;
    certification.gap = solved.gap.absolute;
    certification.norms = work.columns.norms;
    certification.products = evidence.products.data();
    certification.inverse_diagonal = solved.inverse_diagonal;
    certify_support(work, certification, solved);
    if (solved.gap.relative > work.options->tolerance)
        solved.status = Status::iteration_limit;
    else if (solved.status == Status::iteration_limit)
        solved.status = target.is_budget() && solved.h == 0 ? Status::ridge : Status::optimal;
    solved.is_done = true;
}

std::span<const double> project_response(Workspace& work, std::vector<double>& products) {
    const std::vector<Index> limited = list_limited_unpenalised(work);
    if (work.free.features().empty() && limited.empty()) return products;
    linalg::ScaledDesign X = scaled(work);
    reduction::ColumnKernel kernel(X, work.response.values(), work.columns.products,
                                   work.columns.norms, work.execution);
    reduction::ActiveSet active(kernel, work.penalties, work.execution,
                                tuning::projection_tolerance);
    active.set_candidates(limited);
    active.run(problem::Target::penalty(1, 0), work.limits());
    products = correlate(work, X, kernel.residual());
    return products;
}

}  // namespace sven::path
