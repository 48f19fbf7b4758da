#pragma once
// Which features the gap leaves open.

#include <vector>

#include "sven/sven.hpp"

namespace sven::cli {

// With a coefficient or without; none where proofs were not asked for.
std::vector<Index> undecided(const Solution& solution);

// Those without a coefficient; of many the first 1000.
std::vector<Index> undecided_zeros(const Solution& solution);

}  // namespace sven::cli
