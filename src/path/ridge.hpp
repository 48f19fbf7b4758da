#pragma once
// The ridge solution, l1 = 0, where every feature is in the support: in the space of the rows,
// beta = F^-1 X'a with (X F^-1 X' + l2 I) a = y, never a system of p unknowns (maths.md, eq. 31).

#include "linalg/scaled_design.hpp"
#include "path/workspace.hpp"

namespace sven::path {

// l2 > 0, signs free. Unpenalised features enter as equations X_0'a = 0.
Solved solve_ridge(Workspace& workspace, linalg::ScaledDesign& X, double l2);

}  // namespace sven::path
