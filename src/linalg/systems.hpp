#pragma once
// Symmetric systems on the side of a design that has machinery of its own, a device: the Gram
// matrix of columns that were taken up lives there, and so does the factor. Members are numbered in
// the order in which they came.

#include <span>

#include "sven/matrix.hpp"

namespace sven::linalg {

// What ScaledDesign makes of the columns; one number a column or a row, kept by reference.
struct ColumnScales {
    std::span<const double> offset;
    std::span<const double> inverse_scale;
    std::span<const double> root_weights;  // empty: all one
};

class Systems {
  public:
    virtual ~Systems() = default;

    virtual Index size() const = 0;
    // Takes up columns, which become the next members. False where there is no room for them.
    virtual bool append(std::span<const Index> columns) = 0;
    // Drops every member but these (ascending).
    virtual void keep(std::span<const Index> members) = 0;
    // Factors K = G_AA + diag(ridge), A these members and `ridge` in their order. False where a
    // pivot is not above `coarsest` times its diagonal entry.
    virtual bool factor(std::span<const Index> members, std::span<const double> ridge,
                        double coarsest) = 0;
    // x = K^-1 b, in the order that was factored.
    virtual void solve(std::span<const double> b, double* x) = 0;
};

}  // namespace sven::linalg
