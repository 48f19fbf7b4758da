#pragma once
// The cost of each way to compute a Newton point, in operations of a product with a vector, which
// is bound by memory. Operations of a matrix product are not, and count `matrix_speed` times less.

#include "sven/elastic_net.hpp"
#include "svm/rows.hpp"

namespace sven::svm {

// Forming I + 2 sum C z z' by adding `changed` samples, and factorising it.
double primal_cost(const Rows& samples, double changed);
// Kernel rows of `new_rows` samples against `support`, factorising from column `kept` on.
double dual_cost(const Rows& samples, double support, double new_rows, double kept);
// `steps` of conjugate gradients on `support` samples.
double iterative_cost(const Rows& samples, double support, double steps);

// The cheaper method for the support that a cold start soon has.
Method choose_method(const Rows& samples);

}  // namespace sven::svm
