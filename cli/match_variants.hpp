#pragma once
// A model of genotypes, applied to those of other people.

#include "cli/match_model.hpp"

namespace sven::cli {

// By the names and alleles of the variants. Throws like match.
Matched match_variants(const PredictArguments& arguments, const Model& model);

}  // namespace sven::cli
