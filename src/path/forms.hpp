#pragma once
// The forms of a setting and how they map onto each other (maths.md, eq. 1-5):
//
//     h = l1/2 = W lambda alpha,   l2 = W lambda (1 - alpha)  [/ sd(y) in glmnet's convention]

#include <cmath>
#include <vector>

#include "problem/scaled_gram.hpp"
#include "problem/standardization.hpp"
#include "problem/target.hpp"
#include "sven/elastic_net.hpp"

namespace sven::path {

inline double response_deviation(const problem::Response& response) {
    return std::sqrt(response.squares / response.total_weight);
}

problem::Target make_target(const Setting& setting, const problem::Response& response);

// Targets from strong to weak, penalties before budgets; order[k] is the setting of targets[k].
struct OrderedTargets {
    std::vector<problem::Target> targets;
    std::vector<Index> order;
};
OrderedTargets order_targets(std::span<const Setting> settings, const problem::Response& response);

// Penalty factors as the convention has them; empty where all are one. glmnet rescales them to
// sum to p, with excluded features counted as one.
std::vector<double> effective_factors(const Problem& problem, Convention convention);
Convention convention_of(std::span<const Setting> settings);

// Fills l1, l2, lambda, alpha and the objective of the form that was asked for.
void describe_setting(const Setting& setting, const problem::Response& response, double objective,
                      Solution& solution);

}  // namespace sven::path
