#pragma once
// The columns of X, dense or compressed, as the paper's rivals ask for them.

#include <cstdint>
#include <span>
#include <vector>

#include "path.hpp"

namespace rivals {

using Index = std::int64_t;

// min ||y - Xb||^2 + l2 ||b||^2 + l1 ||b||_1. For l2 > 0 this is the Lasso on the rows of X and
// those of sqrt(l2) I; row j of the latter meets column j alone, so that nobody has to store it.
struct Lasso {
    const MatrixBuffers* X;
    std::span<const double> y;
    double l1;
    double l2;
    double tolerance;
    int threads;
};

class Columns {
  public:
    Columns(const MatrixBuffers& X, int threads);  // dense columns or CSC; throws for dense rows

    Index rows() const { return X_.rows; }
    Index cols() const { return X_.cols; }

    double dot(Index j, const double* r) const;               // x_j'r
    void add(Index j, double scale, double* r) const;         // r += scale x_j
    void add_shared(Index j, double scale, double* r) const;  // while others do the same to r
    std::vector<double> squares() const;                      // ||x_j||^2
    void multiply(const double* b, double* out) const;        // Xb, by all threads
    void correlate(const double* r, double* out) const;       // X'r, by all threads

  private:
    struct Column {
        const double* values;
        const std::int32_t* indices;  // null: dense
        Index count;
    };
    Column column(Index j) const;
    void multiply_sparse(const double* b, double* out) const;

    MatrixBuffers X_;
    int threads_;
};

}  // namespace rivals
