#pragma once
// The gap on the working set, slots and candidates: the certificate (problem/certificate.hpp) of
// the state as if there were no other features. It tells an inexact step when a setting is done;
// what is reported is the gap over all columns, which the path makes.

#include <optional>
#include <vector>

#include "problem/certificate.hpp"
#include "reduction/support_changes.hpp"

namespace sven::reduction {

// Whether the gap of a point that is not exact can be told from its products alone.
bool can_be_judged(const Machine& machine, const State& state);

class WorkingGap {
  public:
    // Relative to ||y||^2, over the slots alone. The kernel's residual must be that of the state.
    double of_slots(Machine& machine, const State& state);
    // The same with the candidates, after it.
    double of_candidates(Machine& machine);
    // x_j'r of the slots, as they were then.
    std::span<const double> slot_products() const { return products_; }
    // x_j'r of the candidates; empty where they were not looked at since the slots were.
    std::span<const double> candidate_products() const { return candidate_; }
    // Of another point nothing is known.
    void forget() { candidate_.clear(); }
    // Lists the slots of coefficient zero, and the candidates if they were looked at, that were
    // above their bounds then.
    std::span<const Violator> violators(const Machine& machine, const State& state);
    // Looks at the candidates, and lists those above their bounds.
    std::span<const Violator> entering(Machine& machine, const State& state);

  private:
    void look_at_candidates(Machine& machine);

    std::optional<problem::GapSum> sum_;
    double squares_ = 0;             // of the residual
    std::vector<double> products_;   // of the slots
    std::vector<double> candidate_;  // of the candidates
    std::vector<Violator> violators_;
};

}  // namespace sven::reduction
