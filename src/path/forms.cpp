#include "path/forms.hpp"

#include <algorithm>
#include <numeric>

#include "sven/error.hpp"

namespace sven::path {

namespace {

problem::Target target_of(const Mixing& mixing, const problem::Response& response) {
    const double W = response.total_weight;
    double l2 = W * mixing.lambda * (1 - mixing.alpha);
    if (mixing.convention == Convention::glmnet && l2 > 0) {
        const double deviation = response_deviation(response);
        // glmnet refuses a constant response; without signal every penalty gives zero
        if (deviation > 0) l2 /= deviation;
    }
    return problem::Target::penalty(W * mixing.lambda * mixing.alpha, l2);
}

}  // namespace

problem::Target make_target(const Setting& setting, const problem::Response& response) {
    if (const auto* budget = std::get_if<Budget>(&setting))
        // an infinite budget is none: the penalty form without l1
        return std::isinf(budget->t) ? problem::Target::penalty(0, budget->l2)
                                     : problem::Target::budget(budget->t, budget->l2);
    if (const auto* penalty = std::get_if<Penalty>(&setting))
        return problem::Target::penalty(penalty->l1 / 2, penalty->l2);
    const problem::Target target = target_of(std::get<Mixing>(setting), response);
    if (!std::isfinite(target.h()) || !std::isfinite(target.l2()))
        throw InvalidArgument("lambda times the sum of the weights is too large for a number");
    return target;
}

OrderedTargets order_targets(std::span<const Setting> settings, const problem::Response& response) {
    std::vector<problem::Target> targets;
    for (const Setting& setting : settings) targets.push_back(make_target(setting, response));
    OrderedTargets ordered;
    ordered.order.resize(targets.size());
    std::iota(ordered.order.begin(), ordered.order.end(), Index{0});
    std::stable_sort(ordered.order.begin(), ordered.order.end(), [&](Index a, Index b) {
        const auto& first = targets[a];
        const auto& second = targets[b];
        if (first.is_budget() != second.is_budget()) return second.is_budget();
        if (first.is_budget() && first.t() != second.t()) return first.t() < second.t();
        if (!first.is_budget() && first.h() != second.h()) return first.h() > second.h();
        return first.l2() > second.l2();
    });
    for (const Index k : ordered.order) ordered.targets.push_back(targets[k]);
    return ordered;
}

Convention convention_of(std::span<const Setting> settings) {
    for (const Setting& setting : settings)
        if (const auto* mixing = std::get_if<Mixing>(&setting)) return mixing->convention;
    return Convention::documented;
}

std::vector<double> effective_factors(const Problem& problem, Convention convention) {
    if (problem.penalty_factors.empty()) return {};
    std::vector<double> factors(problem.penalty_factors.begin(), problem.penalty_factors.end());
    double sum = 0;
    for (double& f : factors) {
        if (std::isinf(f)) f = 1;  // excluded
        sum += f;
    }
    if (convention == Convention::glmnet && sum > 0)
        for (double& f : factors) f *= static_cast<double>(factors.size()) / sum;
    const bool is_plain =
        std::all_of(factors.begin(), factors.end(), [](double f) { return f == 1; });
    return is_plain ? std::vector<double>{} : factors;
}

void describe_setting(const Setting& setting, const problem::Response& response, double objective,
                      Solution& solution) {
    const double W = response.total_weight;
    solution.objective = objective;
    const double first = solution.l1 / (2 * W);
    const double second = solution.l2 / W;
    solution.lambda = first + second;
    if (solution.lambda > 0) solution.alpha = first / solution.lambda;
    if (const auto* mixing = std::get_if<Mixing>(&setting)) {
        solution.objective = objective / (2 * W);
        solution.lambda = mixing->lambda;
        if (mixing->lambda > 0) solution.alpha = mixing->alpha;
    }
}

}  // namespace sven::path
