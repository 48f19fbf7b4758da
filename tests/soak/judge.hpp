#pragma once
// What the exact optimum says of an answer of the library.

#include <string>

#include "soak/optimum.hpp"

namespace sven::soak {

struct Verdict {
    double reported = 0;           // the gap that the solution claims
    double truth = 0;              // how far it is from the optimum, in the same units
    bool is_silent = false;        // worse than it says, with a status that claims a solution
    bool is_understated = false;   // worse than it says, but it says that it fell short
    bool is_contradicted = false;  // a proof or a status that the exact solution refutes
    bool is_misstated = false;     // `t` or `objective` are not those of the coefficients
    bool is_missed = false;        // status iteration_limit
    bool is_false_alarm = false;   // the gap is above the tolerance, the answer is not
    bool is_out_of_reach = false;  // no doubles near the exact coefficients meet the tolerance
    std::string reason;            // of the first four
};

[[nodiscard]] Verdict judge(const ExactProblem& problem, const Setting& setting,
                            const Options& options, const Solution& solution);

// Each proof by itself, and that the counts are theirs; the reason of a verdict says what is not.
void judge_proofs(const std::vector<Side>& sides, const Solution& solution, Verdict& verdict);

// Finite numbers within their limits and the budget, zeros for columns that are left out; the
// reason of a verdict says what is not.
[[nodiscard]] bool is_feasible(const ExactProblem& problem, const Target& target,
                               const Solution& solution, Verdict& verdict);

// The parts of it, for a look at a single problem.
[[nodiscard]] std::vector<double> dense_values(const Solution& solution, Index features);
[[nodiscard]] Optimum exact_optimum(const ExactProblem& problem, const Setting& setting,
                                    const Solution& solution);

}  // namespace sven::soak
