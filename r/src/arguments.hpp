#pragma once
// R's objects as the library's arguments: views of R's memory, nothing copied. What the objects
// mean, and that they have the types that are read here, is the business of the R code.

#define R_NO_REMAP
#include <Rinternals.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sven/cross_validation.hpp"
#include "sven/elastic_net.hpp"
#include "sven/path_end.hpp"

namespace svenet {

// The element of a list by its name; R's NULL if there is none.
SEXP element(SEXP list, const char* name);
double number(SEXP list, const char* name);
bool flag(SEXP list, const char* name);
std::string text(SEXP list, const char* name);
// Of a numeric vector, or empty for NULL.
std::span<const double> numbers(SEXP vector);
std::span<const double> numbers(SEXP list, const char* name);

// X is a numeric, integer or logical matrix, a dgCMatrix or a dgRMatrix.
sven::Problem problem_of(SEXP list);
sven::Options options_of(SEXP list);
// `first` and `second` of the form: t and lambda2 of a budget; lambda and alpha in glmnet's
// scaling.
std::vector<sven::Setting> settings_of(SEXP list);
// `end` of the settings: glmnet's fdev, devmax, mnlam and dfmax. None for NULL.
std::optional<sven::PathEnd> end_of(SEXP list);
sven::CrossValidation plan_of(SEXP list);

}  // namespace svenet
