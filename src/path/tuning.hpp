#pragma once
// The thresholds of the path engines: what each is, in which unit, and why it has its value.

#include <array>
#include <cstddef>

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

// A support is taken up for a path whose first setting is not below this share of h_max: further
// down supports hardly change any more.
inline constexpr double lowest_share = 1e-4;
// Where alpha is below this, the largest lambda of a grid is that of this alpha, as in glmnet.
inline constexpr double least_grid_alpha = 1e-3;

// ---- columns or Gram matrix ----

// Columns beyond which the Gram matrix is never formed: p^2 doubles are 128 MB there.
inline constexpr double most_gram_columns = 4000;
// Bytes of X that one core goes through in a second on a path, with what is done between two
// passes; a plain pass is twice as fast (bytes_a_second).
inline constexpr double path_bytes_a_second = 1.5e10;
// Passes over X that a path takes: these and one for each setting, up to as many as below.
inline constexpr double fixed_passes = 8;
inline constexpr double most_counted_passes = 40;
// The Gram matrix of the support, as a part of the whole, where most features are selected; on a
// path it is made anew as often as a path has supports of that size.
inline constexpr double support_part = 0.125;
inline constexpr double supports_of_a_path = 8;
// Multiplications a second of a Gram matrix over stored entries.
inline constexpr double sparse_operations_a_second = 4e8;
// Columns from which supports are iterated on, and seconds that an entry then takes, of sparse X
// and of the Gram matrix.
inline constexpr double iterated_columns = 1000;
inline constexpr double scattered_entry_seconds = 2.4e-9;
inline constexpr double gram_entry_seconds = 0.6e-9;
// Tolerances from which sweeps over sparse columns are less work than the Gram matrix. Processor
// seconds of hockey on one thread, columns and Gram matrix: 0.9 and 2.8 at 1e-3, 2.1 and 3.5 at
// 1e-4, 3.9 and 1.9 at 1e-5, 4.7 and 2.7 at 1e-8.
inline constexpr double swept_tolerance = 3e-5;

// ---- several responses ----

// Bytes of the responses that are solved side by side, of which each takes some a column and some a
// row: its products with every column, its residuals. At least 2 and at most 64 of them.
inline constexpr double group_bytes = 256e6;
inline constexpr double column_bytes = 100;
inline constexpr double row_bytes = 80;
// Of the paths of a batch, which have screening and certificates beside their products; and the
// part of what the process may take that is theirs. The rest is for what all members keep, for
// blocks of a file, and for the supports, whose size nobody knows beforehand: members that do not
// fit are solved again, half as many at once.
inline constexpr double member_column_bytes = 2 * column_bytes;
inline constexpr double member_memory = 3.0 / 4;
inline constexpr std::size_t fewest_side_by_side = 2;
inline constexpr std::size_t most_side_by_side = 64;

// ---- blocks ----

// Bytes that one core reads in a second, and operations that it does: a pass over X and a Newton
// step in the same unit. Only the ratio matters, and it must not depend on measured time.
inline constexpr double bytes_a_second = 3e10;
inline constexpr double operations_a_second = 2e10;
// Seconds that Newton steps are assumed to take at least: a model that says nothing is no divisor.
inline constexpr double least_seconds = 1e-30;
// Settings of the first block: before the first product the derivative is unknown.
inline constexpr Index first_block = 4;
// A block may spend this many times the cost of a pass on Newton steps: it wastes at most as much
// where its first setting has a violator.
inline constexpr double passes_a_block = 6;
// Without a derivative, a block ends at this share of the last multiplier: the strong rule keeps
// what is within twice the distance.
inline constexpr double blind_reach = 0.75;
// A setting that is solved again is solved to this share of the gap before.
inline constexpr double closer = 0.3;
// Slots that the support has left are dropped when there are more of them than one for each
// selected_per_spare of the support, and these.
inline constexpr Index selected_per_spare = 4;
inline constexpr Index spare_slots = 32;

// Settings of a member after which a path that is recorded is kept and made anew of what was kept:
// the columns of its support are gathered and multiplied once more, about what a setting costs that
// is solved from nothing. On 1000 x 20,000 simulated columns, 100 settings down to 1 % of the
// largest lambda, that and the check of the data are 8 to 22 % more processor time.
inline constexpr Index stretch_settings = 8;

// Stretches of a path that may end before its last setting. Where settings are verified in blocks,
// shorter ones would break them up: by eights a path of 100 settings takes a tenth more time.
inline constexpr std::size_t end_stretches = 4;

// ---- screening ----

// A feature is a candidate if its predicted product comes within this share of the step in h of its
// bound. A larger share costs candidates, a smaller one violators: cheap passes can afford those.
inline constexpr double least_margin = 0.1;
inline constexpr double largest_margin = 0.5;
// The same where the derivative is unknown.
inline constexpr double blind_margin = 0.3;
// The same after sweeps, which never have a derivative: the sequential strong rule. Candidates cost
// sweeps little.
inline constexpr double strong_margin = 1;
// Where there are no more columns than these for each slot, all of them are candidates: they cost
// less than settings that are solved again (we8there at 1e-10: 0.33 to 0.24 s).
inline constexpr Index columns_per_slot = 2;
inline constexpr double any_margin = 1e30;
// Of the bound: ties are candidates.
inline constexpr double tie = 1e-9;

// ---- verification ----

// A product above its bound by this share violates: the solver itself stops there.
inline constexpr double violation = 1e-11;
// Products and bounds carry a few roundings each; relative.
inline constexpr double bound_rounding = 1e-14;
// Columns of the narrowest tile of any design: as many sums are kept.
inline constexpr Index narrowest_tile = 32;
// Columns of a tile that are checked at a time: their marks fit on the stack.
inline constexpr Index checked_columns = 128;
// Operations of a feature in a count of bounds for eight settings: they decide when a team starts.
inline constexpr double counting_operations = 16;
// Columns that screening looks at together: few enough that one candidate spoils little.
inline constexpr Index screened_columns = 64;
// Operations of a column there: 140,000 of them are shared by the threads.
inline constexpr double screening_operations = 2;
// What is at its bound up to this share may belong to another solution.
inline constexpr double at_the_bound = 1e-8;
// Features at their bound of which other solutions are looked for, at most: each costs a solve.
inline constexpr std::size_t most_tied = 16;
// Without a ridge, coefficients are proven non-zero through K^-1, which costs as much as a factor:
// in a path only for supports up to this size.
inline constexpr Index largest_inverted_support = 256;

// ---- the last resort: twofold precision ----

// Multiplications in twofold precision: a second or so.
inline constexpr double twofold_operations = 5e7;
// Rounding of twofold numbers, with room for columns of some condition; relative.
inline constexpr double twofold_rounding = 1e-20;
// A product of twofold numbers below this share of the largest is rounding.
inline constexpr double twofold_zero = 1e-24;
// Rounds in which features that a dual point violates are added to its span, and in which
// coefficients whose sign does not hold are dropped.
inline constexpr int sharpening_rounds = 4;
// What a budget may be exceeded by, relative: the rounding of a sum of some thousand terms.
inline constexpr double budget_rounding = 1e-13;
// Roundings of the root of a weight and of what it multiplies, by which a residual moves.
inline constexpr double weight_roundings = 4;
// A budget that is used up to this share is said to be t itself.
inline constexpr double budget_is_met = 1e-12;

// ---- unpenalised features and the ridge ----

// Squared distances of unit columns above this are seen in the Gram matrix without doubt, to five
// digits.
inline constexpr double clear_pivot = 1e-10;
// What the factor of such columns may be off by, at its pivots.
inline constexpr double factor_excess = 1.01;
// Operations of their Gram matrix between two polls, and the fewest rows.
inline constexpr Index free_gram_operations = 4'000'000;
inline constexpr Index fewest_gram_rows = 64;
// The first lift of a diagonal that rounding left indefinite, over its largest entry, and the
// factor between two of them.
inline constexpr double first_lift = 1e-15;
inline constexpr double lift_growth = 10;
// The tolerance of the fit of unpenalised features with limits, from whose residual a grid begins:
// that of a fit.
inline constexpr double projection_tolerance = 1e-10;
// A pivot below this share of the first one is zero in the system of the unpenalised features,
// whose solution is then the one of least norm. The system carries the rounding of a factor of M.
inline constexpr double least_norm_rank = 1e-12;

// ---- the explicit reduction ----

// Shares of the tolerance that an SVM solver, whose own is not the gap, is asked for one after the
// other, until the gap is reached.
inline constexpr std::array svm_shares{1.0, 1e-2, 1e-4};

// ---- cross-validation ----

// Predictions are summed in twofold precision where coefficients are so large that terms exceed the
// response by this factor: ten digits would be left.
inline constexpr double cancelling_terms = 1e6;
// A fold's error from Gram sums below this share of the squared size of its terms has lost its
// digits: rounding leaves seven of them at the bound.
inline constexpr double least_error_share = 1e-8;
// Columns of one share when the sums of the folds are added.
inline constexpr Index added_columns = 8;

// ---- relaxed fits ----

// Terms x_j b_j of an unpenalised refit that are this many times as long as the response: they
// cancel, since columns differ by less than 1e-7 of their length, which R's lm takes for dependent.
inline constexpr double largest_refit_terms = 1e7;
// Changes of the limits that are held in a refit, for each of its features: over 3,300 seeded
// refits of up to 43 features at most 2 were taken, and 0.5 in the mean.
inline constexpr std::size_t limit_moves_a_feature = 10;
// The ridge, as a share of the weight of the rows, at which features that separate are looked at
// for the limits that they run into: slight enough for coefficients to run far.
inline constexpr double separated_ridge = 1e-10;

// ---- other outcomes ----

// Newton steps of one setting, at most: from the setting before it takes three.
inline constexpr Index most_outer_steps = 100;
// Steps in a row that do not halve the gap on the support: the rest is rounding.
inline constexpr int most_idle_steps = 4;
// The share of the tolerance that the gap on the features looked at may take: on leukemia, colon,
// chowdary, singh and spam 2.85 steps a setting instead of 2.75 for a third of the tolerance. With
// a ridge the gap is the square of the error: a gap of 1e-14 is one of about 1e-7 in the
// coefficients.
inline constexpr double looked_at_share = 0.01;
inline constexpr double looked_at_share_with_ridge = 1e-4;
// The same for a step on the way to a setting, relative to the null deviance.
inline constexpr double way_gap = 1e-4;
// Solves of a setting whose products found violators, or whose gap was above the tolerance with
// none: more would be going round in circles.
inline constexpr int most_solves = 25;
inline constexpr int most_sharper_solves = 4;
// By which the goal is divided each time.
inline constexpr double sharper = 30;
// The objective is at rest where it changes by less than this share: the rounding of a sum over
// thousands of rows is 1e-14 of it, and steps that were cut short for it made no progress (spam,
// the Lasso).
inline constexpr double objective_rounding = 1e-13;
// Means nearer to 0 or 1 than this are taken as this far in the deviance of a fold, as in glmnet.
inline constexpr double certainty = 1e-5;
// Of the slope: by how much the objective falls, at least, on a step that was cut short.
inline constexpr double armijo = 0.01;
inline constexpr int most_halvings = 50;
// The fit without any feature: steps, and the largest of the linear predictor by one of them.
inline constexpr int most_null_steps = 100;
inline constexpr double largest_null_move = 5;
// Its gap, relative to the null deviance; and the deviance below which unpenalised columns are said
// to explain everything.
inline constexpr double null_gap = 1e-13;
inline constexpr double separated_share = 1e-7;
// Passes over the columns of the slots that a Newton step takes beside its Gram matrix: two
// predictions and two products.
inline constexpr double passes_a_step = 4;
// Curvatures of an earlier point serve while the sum of their changes is at most this share of
// them: at 1 and above a step may lead away, and the next one has to be cut short.
inline constexpr double most_curvature_change = 0.5;
// And while a step leaves at most this share of the gap: where few rows of large leverage change,
// the sum does not tell (w8a: 0.08 of the sum, half of the gap).
inline constexpr double slow_reduction = 0.2;
// Operations of a row's loss and of what else a step does with a row, in those of a matrix product:
// an exponential and a logarithm are 40 ns.
inline constexpr double row_operations = 400;

}  // namespace sven::path::tuning
