#pragma once
// One problem from its seed to its verdicts.

#include "soak/families.hpp"
#include "soak/judge.hpp"

namespace sven::soak {

// Of one problem; of its settings, the worst.
struct Outcome {
    bool is_regular = false;
    bool is_silent = false;
    bool is_gross = false;  // silent, and by more than rounding
    bool is_contradicted = false;
    bool is_misstated = false;
    bool is_understated = false;
    bool is_refused = false;
    bool is_missed = false;
    bool is_false_alarm = false;  // among regular problems: refused, missed, or better than it says
    bool is_unjudged = false;
    double largest_ratio = 0;  // true over reported
    double largest_truth = 0;
    std::string reason;

    [[nodiscard]] bool is_fault() const {
        return is_silent || is_contradicted || is_misstated || is_understated || is_unjudged;
    }
};

// Silent errors above this are no rounding.
constexpr double gross_gap = 1e-12;
// Problems whose scaled columns have a smaller condition than this must be solved.
constexpr double regular_condition = 1e12;

[[nodiscard]] Outcome run(const Family& family, std::uint64_t seed);
// The same with all its numbers on standard output.
Outcome show(const Family& family, std::uint64_t seed);

}  // namespace sven::soak
