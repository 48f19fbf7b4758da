#pragma once
// The kinds of problems, each a seeded generator: to add one is a function and a line of a table.

#include <span>
#include <string_view>

#include "soak/case.hpp"
#include "soak/random.hpp"

namespace sven::soak {

struct Family {
    std::string_view name;
    Case (*make)(Random& random);
};

[[nodiscard]] std::span<const Family> families();

}  // namespace sven::soak
