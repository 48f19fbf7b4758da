#pragma once
// Symmetric systems that a design solves itself, on a device: the appended columns, their Gram
// matrix and the factor are stored there. Members are numbered in the order in which they were
// appended. Each call costs a round trip to the device.

#include <span>

#include "sven/matrix.hpp"

namespace sven::linalg {

// The transformation of ScaledDesign: one number per column or row, kept by reference.
struct ColumnScales {
    std::span<const double> offset;
    std::span<const double> inverse_scale;
    std::span<const double> root_weights;  // empty: all one
};

// K = G_AA + diag(ridge), A these members and `ridge` in their order.
struct SystemMatrix {
    std::span<const Index> members;
    std::span<const double> ridge;
};

class Systems {
  public:
    virtual ~Systems() = default;

    virtual Index size() const = 0;
    // Appends columns, which become the next members. False if there is no room for them.
    virtual bool append(std::span<const Index> columns) = 0;
    // Keeps only these members (ascending).
    virtual void keep(std::span<const Index> members) = 0;
    // Factors K and solves x = K^-1 b, in the order of its members; without a b it only factors.
    // False if a pivot is not above `coarsest` times its diagonal entry; x then means nothing.
    virtual bool factor(const SystemMatrix& K, double coarsest, std::span<const double> b,
                        double* x) = 0;
    // x = K^-1 b with the K that was factored last.
    virtual void solve(std::span<const double> b, double* x) = 0;

    // Whether the columns of the members are there to be multiplied.
    virtual bool has_columns() const { return false; }
    // out = sum of x[k] times column k, over all members.
    virtual void multiply(std::span<const double> /*x*/, double* /*out*/) {}
    // out[k] = product of column k with v.
    virtual void correlate(std::span<const double> /*v*/, double* /*out*/) {}
    // Both, in one trip to the device: residual = y - sum of x[k] times column k, and the products
    // of all columns with it.
    virtual void look(std::span<const double> y, std::span<const double> x, double* residual,
                      double* products) {
        multiply(x, residual);
        for (std::size_t i = 0; i < y.size(); ++i) residual[i] = y[i] - residual[i];
        correlate({residual, y.size()}, products);
    }
};

}  // namespace sven::linalg
