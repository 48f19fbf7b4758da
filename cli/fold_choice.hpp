#pragma once
// The folds that the options of `sven cv` ask for.

#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/load.hpp"

namespace sven::cli {

// The numbers of a column of folds. Throws InvalidArgument if they are not whole.
std::vector<Index> fold_numbers(const LoadedData& data, const std::string& column);

// The same for statistics, which add up only where the folds are not texts.
std::vector<Index> summable_folds(const LoadedData& data, const std::string& column);

// Throws InvalidArgument if the data cannot be divided that way.
std::vector<Fold> choose_folds(const LoadedData& data, const CvArguments& arguments);

// "10 folds from seed 1", "4 folds of whole groups of site, from seed 1"
std::string folds_text(const CvArguments& arguments, Index folds);

}  // namespace sven::cli
