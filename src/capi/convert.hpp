#pragma once
// From plain structs and numbers to the types of the C++ interface.

#include <span>
#include <string>
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

// An enumerator by its number, up to the last one.
template <class Choice>
Choice choice(const char* what, int value, Choice last) {
    if (value < 0 || value > static_cast<int>(last))
        throw InvalidArgument("the " + std::string(what) + " is " + std::to_string(value) +
                              "; it must lie between 0 and " +
                              std::to_string(static_cast<int>(last)));
    return static_cast<Choice>(value);
}

// The numbers at a pointer; none where it is NULL.
inline std::span<const double> numbers(const double* data, Index count) {
    if (data == nullptr) return {};
    return {data, static_cast<std::size_t>(count)};
}

}  // namespace sven::capi
