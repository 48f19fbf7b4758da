#pragma once
// Settings solved by an SVM solver on samples that are formed: the paper's claim that any solver
// will do, and the way to LIBLINEAR.

#include "path/workspace.hpp"

namespace sven::path {

// Each setting by itself, certified from the data. Throws InvalidArgument where the reduction
// does not reach (l2 = 0, penalty factors).
std::vector<Solved> solve_by_svm(Workspace& workspace, std::span<const problem::Target> targets,
                                 const Report& report);

}  // namespace sven::path
