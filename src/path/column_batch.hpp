#pragma once
// The members of a batch over the columns of X: their blocks side by side, verified by one product.

#include "path/batch.hpp"

namespace sven::path {

// Throws Cancelled; what was solved until then is kept. Throws bad_alloc; then nothing is.
void solve_over_columns(const Members& members, const Batch& batch, Meter& meter);

// The largest relative gap of what is done.
double largest_gap(std::span<const Solved> solved);

}  // namespace sven::path
