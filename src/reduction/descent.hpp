#pragma once
// The guarantee behind the Newton steps: a monotone active-set method on the penalty form. Each
// step goes from the current point towards the minimum on its support, exactly as far as the
// piecewise quadratic falls; coefficients that reach zero leave, those that reach a limit are held
// there, violators enter when the support is done. The objective falls strictly, so no support
// returns (maths.md, section "Descent").

#include <vector>

#include "reduction/support_changes.hpp"

namespace sven::reduction {

class Descent {
  public:
    // From `start`: whatever its setting, its coefficients agree with their signs.
    void begin(Machine& machine, const Support& start, State& state);
    Step take(Machine& machine, State& state);

  private:
    // A coefficient that reaches zero or a limit on the way, and where.
    struct Breakpoint {
        double at = 0;
        Index slot = -1;
        double value = 0;  // of the coefficient there

        bool operator<(const Breakpoint& other) const {
            return at != other.at ? at < other.at : slot < other.slot;
        }
    };

    void note_breakpoints(const Machine& machine, const State& state, Index slot, double step);
    static bool is_wall(const Machine& machine, const State& state, const Breakpoint& at);
    Step drop_newcomers(Machine& machine, Index dropped, Index fresh);
    bool search_line(Machine& machine, std::span<const double> goal, State& state);
    Step finish(Machine& machine, State& state);
    Step exchange(Machine& machine, Index slot, State& state);
    bool try_exchange(Machine& machine, Index slot, State& state);

    Index room_ = 0;  // violators that may enter at once
    std::vector<double> goal_;
    std::vector<Breakpoint> breakpoints_;
    SupportChanges changes_;
};

}  // namespace sven::reduction
