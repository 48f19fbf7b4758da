#pragma once
// Settings solved on the Gram matrix, certified and mended from the data where it is too coarse;
// and the certificate that a single fit has, for one setting of a path.

#include "path/workspace.hpp"

namespace sven::path {

std::vector<Solved> solve_on_gram(Workspace& workspace, const problem::ScaledGram& gram,
                                  std::span<const problem::Target> targets, const Report& report);

// Gap and certified support as a single fit has them: from the data, and with the coefficients
// proven whatever their number. A setting that the data do not confirm is solved again from the
// columns. The response holds its values, one a row.
void certify_alone(Workspace& workspace, const problem::Target& target, Solved& solved);

// Settings whose solution is one of many, for a reason outside of the path.
void mark_not_unique(std::span<Solved> solved);

}  // namespace sven::path
