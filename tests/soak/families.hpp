#pragma once
// The kinds of problems, each a seeded generator: to add one is a function and a line of a table.

#include <span>
#include <string_view>
#include <vector>

#include "soak/case.hpp"
#include "soak/random.hpp"

namespace sven::soak {

struct Family {
    std::string_view name;
    Case (*make)(Random& random);
};

// The tables, each in the file of its generators.
[[nodiscard]] std::span<const Family> edge_families();       // l1 = 0, slack and free
[[nodiscard]] std::span<const Family> design_families();     // what the columns are like
[[nodiscard]] std::span<const Family> statement_families();  // weights, factors, budgets, flags
[[nodiscard]] std::span<const Family> scale_families();      // sizes, means
[[nodiscard]] std::span<const Family> call_families();       // storage, paths, folds, the machine
[[nodiscard]] std::span<const Family> outcome_families();    // binomial and poisson responses

// All of them.
[[nodiscard]] const std::vector<Family>& families();

}  // namespace sven::soak
