#pragma once
// Certificates from the data: of the numbers that are handed out, in twofold precision where
// double precision cannot tell.

#include "linalg/twofold.hpp"
#include "path/workspace.hpp"

namespace sven::path {

// The span of some columns, weighted, and of the intercept where there is one, in twofold
// precision and from the entries of X themselves.
class ColumnSpan {
  public:
    explicit ColumnSpan(const Workspace& workspace);

    // False where the column lies in the span already.
    bool add(Index feature);
    Index size() const { return basis_.size(); }
    // Moves v, which must be orthogonal to nothing, to the nearest vector whose products with the
    // scaled columns that were added are `products`, and which is orthogonal to the intercept.
    // Returns how far it moved.
    double move(std::span<const double> products, linalg::TwofoldVector& v) const;

  private:
    const Workspace& workspace_;
    linalg::TwofoldBasis basis_;
    std::vector<double> scales_;  // of the columns of the basis; 0 for the intercept
};

// Replaces gap, objective, status and certified support of a solution by those from the data.
void certify_from_data(Workspace& workspace, const problem::Target& target, Solved& solved);

// Replaces a gap above the tolerance by that of a better dual point, where there is one: the
// nearest to the residual that meets the conditions of optimality exactly on the support.
void sharpen_gap(Workspace& workspace, const problem::Target& target, Solved& solved);

// X'(y - what the free features explain of it); `products` are X'y and returned where there are
// no free features.
std::span<const double> project_response(Workspace& workspace, std::vector<double>& products);

}  // namespace sven::path
