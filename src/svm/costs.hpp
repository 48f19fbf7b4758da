#pragma once
// What each way of computing a Newton point costs, in operations of a product with a vector, which
// waits for memory; operations of a product of matrices do not and count `matrix_speed` times less.

#include "sven/elastic_net.hpp"
#include "svm/rows.hpp"

namespace sven::svm {

inline constexpr double matrix_speed = 16;
// A direct system of this order takes half a gigabyte; beyond it, conjugate gradients.
inline constexpr Index max_order = 8192;

// Of `support` samples: forming I + 2 sum C z z' by adding `changed` of them, and factorising it.
double primal_cost(const Rows& samples, double changed);
// Kernel rows of `new_rows` samples against `support`, factorising from column `kept` on.
double dual_cost(const Rows& samples, double support, double new_rows, double kept);
// `steps` of conjugate gradients on `support` samples.
double iterative_cost(const Rows& samples, double support, double steps);

// The cheaper for a support of half the samples, which is what a cold start soon comes to.
Method choose_method(const Rows& samples);

}  // namespace sven::svm
