#pragma once
// Outcomes counted by family.

#include <string>
#include <vector>

#include "soak/run.hpp"

namespace sven::soak {

struct Tally {
    std::string_view family;
    Index problems = 0;
    Index regular = 0;
    Index silent = 0;
    Index gross = 0;  // of the silent ones
    Index contradicted = 0;
    Index misstated = 0;
    Index understated = 0;
    Index refused = 0;
    Index missed = 0;
    Index false_alarms = 0;
    Index unjudged = 0;
    double largest_ratio = 0;
    double largest_truth = 0;

    void add(const Outcome& outcome);
    [[nodiscard]] bool is_above_limit() const;
    [[nodiscard]] bool has_failed() const;
};

// False alarms among regular problems, of each family.
constexpr double false_alarm_limit = 0.005;

// Markdown, one row a family and the sum.
[[nodiscard]] std::string table_of(const std::vector<Tally>& tallies);

}  // namespace sven::soak
