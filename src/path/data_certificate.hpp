#pragma once
// Certificates from the data: of the numbers that are handed out, in twofold precision where
// double precision cannot tell.

#include "path/workspace.hpp"

namespace sven::path {

// Replaces gap, objective, status and certified support of a solution by those from the data. Where
// the gap is above the tolerance a better dual point is looked for, and where that does not do,
// better coefficients on the same support.
void certify_from_data(Workspace& workspace, const problem::Target& target, Solved& solved);

// X'(y - what the free features explain of it); `products` are X'y and returned where there are
// no free features.
std::span<const double> project_response(Workspace& workspace, std::vector<double>& products);

}  // namespace sven::path
