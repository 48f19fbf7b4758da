#pragma once
// What a solved support can be asked: its derivative along the path, the multiplier of another
// budget, and how well it is determined.

#include "reduction/machine.hpp"

namespace sven::reduction {

// beta' along (dh, dl2), by slot (maths.md, eq. 32); zero off the support.
void derivative(Machine& machine, State& state, double dh, double dl2, std::vector<double>& out);
// The same where the systems are those of the state.
void solve_derivative(Machine& machine, const State& state, double dh, double dl2,
                      std::vector<double>& out);
// The multiplier of a target: that of a penalty, or for a budget the one that it would have with
// this support (maths.md, eq. 24); 0 where there is none.
double predict_multiplier(Machine& machine, State& state, const Target& target);
// Features of the support whose columns carry that of a feature outside it, as far as double
// precision can tell; none where it does not lie in their span.
std::vector<Index> carriers_of(Machine& machine, State& state, Index feature);
// (K^-1)_jj of features of the support; false where K is too ill-conditioned to tell.
bool inverse_diagonal(Machine& machine, State& state, std::span<const Index> features,
                      std::vector<double>& out);

}  // namespace sven::reduction
