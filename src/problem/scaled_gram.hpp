#pragma once
// The problem in the form of its Gram matrix.

#include <memory>
#include <vector>

#include "linalg/buffer.hpp"

namespace sven::problem {

// Of the scaled problem: G = X'X (full, symmetric), X'y and y'y. Several responses share one G.
struct ScaledGram {
    Index features = 0;
    std::shared_ptr<linalg::Buffer<double>> values = std::make_shared<linalg::Buffer<double>>();
    std::vector<double> products;  // X'y
    std::vector<double> norms;     // ||x_j||
    double response_squares = 0;   // y'y
    double spread = 1;             // as Columns::spread, for the underlying sums
};

}  // namespace sven::problem
