#pragma once
// Symmetric systems that a design solves itself, on a device: the Gram matrix of the appended
// columns and the factor are stored there. Members are numbered in the order in which they were
// appended.

#include <span>

#include "sven/matrix.hpp"

namespace sven::linalg {

// The transformation of ScaledDesign: one number per column or row, kept by reference.
struct ColumnScales {
    std::span<const double> offset;
    std::span<const double> inverse_scale;
    std::span<const double> root_weights;  // empty: all one
};

class Systems {
  public:
    virtual ~Systems() = default;

    virtual Index size() const = 0;
    // Appends columns, which become the next members. False if there is no room for them.
    virtual bool append(std::span<const Index> columns) = 0;
    // Keeps only these members (ascending).
    virtual void keep(std::span<const Index> members) = 0;
    // Factors K = G_AA + diag(ridge), A these members and `ridge` in their order. False if a pivot
    // is not above `coarsest` times its diagonal entry.
    virtual bool factor(std::span<const Index> members, std::span<const double> ridge,
                        double coarsest) = 0;
    // x = K^-1 b, in the order that was factored.
    virtual void solve(std::span<const double> b, double* x) = 0;
};

}  // namespace sven::linalg
