#pragma once
// What enters the support and what leaves it (maths.md, eq. 21).

#include <span>
#include <vector>

#include "reduction/machine.hpp"

namespace sven::reduction {

// A feature outside the support above its bound, or one at a limit below it.
struct Violator {
    Index slot;  // -1: a candidate without slot
    Index feature;
    double sign;
    double excess;  // |x_j'r| / f_j, or |x_j'r| where f_j = 0; at a limit as far from the bound
};
// The largest first; equal ones by feature.
bool is_larger(const Violator& a, const Violator& b);

// A feature whose coefficient was against its sign, and that coefficient.
struct Leaver {
    Index slot;
    double beta;
};

class SupportChanges {
  public:
    // Takes coefficients against their sign out of the support, or turns the sign, and holds at
    // their limits those beyond; returns how many.
    Index correct(const Machine& machine, State& state);
    // What it took out.
    std::span<const Leaver> left() const { return left_; }
    // Whether features whose columns depend on the support's are listed too, or only noted.
    enum class Dependent { listed, noted };
    // Lists the violators, slots first. Those that were active before correct() are left out: their
    // products sit at the bound by construction. What is held is listed where it goes inwards.
    // The products of the candidates, where they are known already, are not made again.
    void find_violators(Machine& machine, const State& state, Dependent dependent,
                        std::span<const double> of_candidates = {});

    std::vector<Violator>& violators() { return violators_; }
    bool has_dependent_violator() const { return has_dependent_; }

    // Takes violators up, with coefficient zero, or with the limit where they were held.
    void enter(Machine& machine, std::span<const Violator> violators, State& state);

  private:
    std::vector<char> was_active_;
    std::vector<Leaver> left_;
    std::vector<Index> outside_;  // slots, then candidates
    std::vector<Violator> violators_;
    bool has_dependent_ = false;
    std::vector<double> products_;  // of the candidates
    std::vector<Index> fresh_;
};

// Whether a product x_j'r is above its bound by more than the tolerance and the rounding of the
// residual at hand.
class ViolationRule {
  public:
    ViolationRule(const Machine& machine, double h)
        : machine_(machine), h_(h), rounding_(machine.kernel.rounding()) {}

    bool violates(Index j, double product) const {
        return machine_.penalties.violates(j, product, h_, allowance(j));
    }
    // Whether a gradient along the sign of a coefficient at its limit is below the bound by more.
    bool is_below(Index j, double along) const {
        return along <
               machine_.penalties.bound(j, h_) - machine_.penalties.slack(j, h_, allowance(j));
    }

  private:
    problem::Allowance allowance(Index j) const {
        return {machine_.violation_tolerance, rounding_ * machine_.kernel.column_norm(j)};
    }

    const Machine& machine_;
    double h_;
    double rounding_;
};

}  // namespace sven::reduction
