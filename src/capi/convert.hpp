#pragma once
// From plain structs and numbers to the types of the C++ interface.

#include <span>
#include <vector>

#include "capi/structs.hpp"
#include "sven/cross_validation.hpp"
#include "sven/elastic_net.hpp"

namespace sven::capi {

// All throw InvalidArgument on what has no meaning.
MatrixView view_of(const SvenMatrix* matrix);
Problem problem_of(const SvenProblem& problem, const MatrixView& X);
Options options_of(const SvenOptions& options);  // without progress
Setting setting_of(int form, double first, double second);
CrossValidation plan_of(const SvenCvPlan& plan, Index rows);
Grid grid_of(int form, double alpha, double min_ratio, Index count);

// The numbers at a pointer; none where it is NULL.
inline std::span<const double> numbers(const double* data, Index count) {
    if (data == nullptr) return {};
    return {data, static_cast<std::size_t>(count)};
}

}  // namespace sven::capi
