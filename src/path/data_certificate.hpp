#pragma once
// Certificates recomputed from X for a solution that came from elsewhere.

#include "path/workspace.hpp"

namespace sven::path {

// Replaces gap, objective and certified support of a solution by those from the data.
void certify_from_data(Workspace& workspace, const reduction::Target& target, Solved& solved);

// X'(y - what the free features explain of it); `products` are X'y and returned where there are
// no free features.
std::span<const double> project_response(Workspace& workspace, std::vector<double>& products);

}  // namespace sven::path
