#pragma once
// Coefficients that are solved for again in twofold precision, where those of double precision
// cannot be certified.

#include "path/workspace.hpp"

namespace sven::path {

// On the same support; false where no sign holds or the columns are too many.
bool polish(Workspace& workspace, const problem::Target& target, Solved& solved);

}  // namespace sven::path
