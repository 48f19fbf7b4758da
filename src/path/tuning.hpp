#pragma once
// The thresholds of the path engines: what each is, in which unit, and why it has its value.

#include "sven/matrix.hpp"

namespace sven::path::tuning {

// ---- steps on the way ----

// A setting whose multiplier is below this share of the last one's is reached over steps on the
// way: from farther, most of what enters leaves again; more steps cost a verification each.
inline constexpr double largest_stride = 0.5;
// Below this share of h_max the support hardly grows any more: h = 0 can be tried.
inline constexpr double nearly_zero = 1e-4;
// A budget is compared with the ridge solution's once the multiplier is below this share of h_max:
// the ridge costs a factor of the order of the rows.
inline constexpr double ridge_share = 1e-2;
// The ridge of a step on the way to a budget, whose multiplier is a guess and may be zero, over the
// ridge of the setting.
inline constexpr double unknown_ridge_growth = 10;

// ---- blocks ----

// Bytes that one core reads in a second, and operations that it does: a pass over X and a Newton
// step in the same unit. Only the ratio matters, and it must not depend on measured time.
inline constexpr double bytes_a_second = 3e10;
inline constexpr double operations_a_second = 2e10;
// Settings of the first block: before the first product the derivative is unknown.
inline constexpr Index first_block = 4;
// A block may spend this many times the cost of a pass on Newton steps: it wastes at most as much
// where its first setting has a violator.
inline constexpr double passes_a_block = 6;
// Slots that the support has left are dropped when they outnumber it by a quarter and these.
inline constexpr Index spare_slots = 32;

// ---- screening ----

// A feature is a candidate if its predicted product comes within this share of the step in h of its
// bound. A larger share costs candidates, a smaller one violators: cheap passes can afford those.
inline constexpr double least_margin = 0.1;
inline constexpr double largest_margin = 0.5;
// The same where the derivative is unknown.
inline constexpr double blind_margin = 0.3;
// Of the bound: ties are candidates.
inline constexpr double tie = 1e-9;

// ---- verification ----

// A product above its bound by this share violates: the solver itself stops there.
inline constexpr double violation = 1e-11;
// What is at its bound up to this share may belong to another solution.
inline constexpr double at_the_bound = 1e-8;
// Features at their bound of which other solutions are looked for, at most: each costs a solve.
inline constexpr std::size_t most_tied = 16;
// Without a ridge, coefficients are proven non-zero through K^-1, which costs as much as a factor:
// in a path only for supports up to this size.
inline constexpr Index largest_inverted_support = 256;

}  // namespace sven::path::tuning
