#pragma once
// Settings solved on the Gram matrix, certified and mended from the data where it is too coarse.

#include "path/workspace.hpp"

namespace sven::path {

std::vector<Solved> solve_on_gram(Workspace& workspace, const problem::ScaledGram& gram,
                                  std::span<const problem::Target> targets, const Report& report);

// Settings whose solution is one of many, for a reason outside of the path.
void mark_not_unique(std::vector<Solved>& solved);

}  // namespace sven::path
