#pragma once
// Certificates from the data: of the numbers that are handed out, in twofold precision where
// double precision cannot tell.

#include "linalg/scaled_design.hpp"
#include "linalg/twofold.hpp"
#include "path/workspace.hpp"

namespace sven::path {

// Replaces gap, objective, status and certified support of a solution by those from the data. A
// `sharp` certificate looks for a better dual point where the gap is above the tolerance, and where
// that does not do, for better coefficients on the same support: the last resort.
enum class Effort { plain, sharp };
void certify_from_data(Workspace& workspace, const problem::Target& target, Effort effort,
                       Solved& solved);

// sum f |b|, which a budget limits.
double budget_used(const Workspace& workspace, const problem::Support& support);

// X'r of every column.
std::vector<double> correlate(Workspace& workspace, linalg::ScaledDesign& X,
                              std::span<const double> r);

// y - b_0 - X b of the coefficients that are handed out, every row, in twofold precision.
linalg::TwofoldVector errors_of(const Workspace& workspace, const problem::Support& support);

// X'(y - what the free features explain of it); `products` are X'y and returned where there are
// no free features.
std::span<const double> project_response(Workspace& workspace, std::vector<double>& products);

}  // namespace sven::path
