#pragma once
// The thresholds of this module. Each has a unit, a reason, and the measurement behind it where one
// was made; the others say what they balance.

#include <cstddef>

#include "sven/matrix.hpp"

namespace sven::reduction::tuning {

// Steps

// A product above its bound by this share of the tolerance is at it: it changes the relative gap by
// as much. The limits: rounding below, and above what the certificate of a loose tolerance needs.
inline constexpr double violation_share = 0.1;
inline constexpr double least_violation = 1e-14;
inline constexpr double largest_violation = 1e-11;
// Whole steps in a row without a new record. A warm start rarely needs more than four; measured,
// that costs least, also where systems are solved roughly (8 took 10 % longer on hockey).
inline constexpr Index patience = 4;
// Whole steps of one setting; more, and they go round in circles.
inline constexpr Index most_whole_steps = 40;
inline constexpr Index most_whole_steps_without_ridge = 12;
// Without a ridge, whole steps from a support of this size to one an eighth larger overshoot by
// thousands and cost more than to go there downhill (measured on news20).
inline constexpr Index far_support = 512;
inline constexpr Index far_growth = 8;
// From far away much violates that would leave again at once: no more enter than are in the
// support, but at least these.
inline constexpr Index least_room = 64;
// Changes of the support up to which the next system is solved to full accuracy: it hardly changes
// any more.
inline constexpr Index few_changes = 2;
// Damped steps of one setting; beyond them descent takes over.
inline constexpr Index most_damped_steps = 40;
// Supports beyond which there are none: towards the end they change one feature after the other at
// the cost of a whole step each, which descent does by a factor (hockey, 2700 selected: 41 damped
// steps in 0.7 s, and then 57 of descent in 0.5 s).
inline constexpr std::size_t largest_damped_support = 256;
// A ridge below this share of ||x||^2 is negligible: a product above its bound tells no
// coefficient.
inline constexpr double least_ridge = 1e-9;
// Of the line search of a damped step: one a millionth too short or too long descends as well.
inline constexpr double line_accuracy = 1e-6;
inline constexpr int most_line_evaluations = 30;
// A slope at the end that is this small beside the one at the start is rounding: the step is whole.
inline constexpr double flat_slope = 1e-10;
// Changes of a support that are weighed against each other (Lasso of mice_bmi: 695 steps become
// 233; hockey, whose steps went round in circles, 1.29 to 0.74 s): fewer are soon settled by
// themselves, and a matrix of more of them than one for so many features of the support is no
// longer small beside the factor.
inline constexpr Index fewest_weighed = 4;
inline constexpr Index support_per_weighed = 2;
// Sweeps over them, which end where no gradient changes by more than this share of h, after eight
// of them on mice_bmi: the next Newton point is the judge.
inline constexpr int most_weighing_sweeps = 100;
inline constexpr double weighing_accuracy = 1e-3;
// What is left of ||x||^2, beyond the span of the support, below which a feature is not weighed.
inline constexpr double weighed_pivot = 1e-9;
// Violators that enter at once in descent, at most.
inline constexpr Index descent_room = 64;

// Accuracy that is asked for

// Up to this gap exact steps go on until the support repeats: that gives 1e-15, and stopping short
// of it would save a step at most.
inline constexpr double exact_gap = 1e-10;
// Below this there are no sweeps: what is left of the gap is rounding of its sums.
inline constexpr double least_gap = 1e-12;
// Of the gap asked for, what the working set may use: the rest is for columns outside.
inline constexpr double gap_share = 0.7;
// Sweeps between two looks at the gap, which cost about as much as one of them.
inline constexpr int sweeps_a_look = 3;
// Candidates are looked at again when the gap of the slots has fallen to this share: what enters
// late begins late (we8there to 1e-10: 0.194 s, at 1e-2 0.212, and half as much again where they
// wait until the slots are done), and each look costs a product with all of them (at 0.3 news20
// takes 1.1 of its time).
inline constexpr double closer_slots = 0.1;
// Sweeps that a setting may still need; with more to come, iterations go between them.
inline constexpr double most_sweeps = 9;
// Iterations are kept while they gain this share of what sweeps did: they grow longer, and do not
// slow down where sweeps do (we8there to a gap of 1e-6: 0.64 s, at 0.5 0.71; hockey is the same).
inline constexpr double slower_iteration = 0.2;
// How fast iterations were at the settings before, as an expectation for the next, grows by this:
// one look at which features entered says little (we8there to 1e-6: 0.122 s, at 1.1 0.154).
inline constexpr double forgotten_speed = 3;
// Conjugate gradients between two looks: iterations at first, and at most where what is selected
// has settled, which it has while no more than one in so many is stopped by its sign (news20 to
// 1e-10: 1.87 s, 2.31 where a single one keeps them short); the share of the gradient that they may
// leave; and how often a step is halved whose signs changed.
inline constexpr Index shortest_iteration = 8;
inline constexpr Index longest_iteration = 128;
inline constexpr Index support_per_stop = 1000;
inline constexpr double iterated_share = 0.1;
inline constexpr int most_halvings = 4;
// Operations of a sweep, at the rate of a matrix product: for a stored entry, which is multiplied
// and subtracted at scattered places; for a coordinate; and for an entry of a row of the Gram
// matrix.
inline constexpr double swept_entry = 60;
inline constexpr double swept_coordinate = 200;
inline constexpr double swept_dense_entry = 12;
// What a setting costs by exact steps, over the modelled cost of one: most take two or three, and
// the model is that of the first (measured on we8there, hockey and news20).
inline constexpr double exact_steps = 1;
// Looks before the fall of the gap says how many more are to come; one at which its logarithm fell
// by less than this says little about the next, which is expected to gain at least as much.
inline constexpr double least_looks = 3;
inline constexpr double slowest_fall = 0.02;
// For a multiplication of the sparse Gram matrix of the slots, sixteen of which share an entry; and
// the share of its cost that one setting is charged with.
inline constexpr double gram_entry = 10;
inline constexpr double gram_share = 0.25;
// The sweeps that the last settings took, as an expectation for the next, fade by this where they
// kept them from beginning (at 0.9 they are tried too often: 3000 x 10000, dense, at 1e-2 0.39 s
// instead of 0.26, mice_bmi 0.69 instead of 0.61; caco_fp at 1e-3 0.067 instead of 0.074).
inline constexpr double forgotten_sweeps = 0.95;

// Accuracy of solves

// Of an entry of the gradient that should vanish, relative to h: below the violation tolerance.
inline constexpr double step_accuracy = 1e-11;
// While the support still changes, three digits show what comes and goes.
inline constexpr double rough_accuracy = 1e-3;
// Refinement: a correction is not made where the gradient is below this share of its rounding, and
// its own system is solved roughly, since it gains as many digits again. Over a Gram matrix the
// products are differences of sums that are rounded as much as the gradient itself: solves leave
// 0.01 to 1.4 of their rounding, corrections 0.03 to 0.4 (spam, mitfaces, blogfeedback, 20000 x
// 1000), and each costs a product with the matrix and a solve.
inline constexpr double settled_share = 0.05;
inline constexpr double settled_over_gram = 2;
inline constexpr double correction_accuracy = 0.03;
inline constexpr int refinements = 1;
inline constexpr int refinements_after_qr = 3;
// The derivative only screens.
inline constexpr double derivative_accuracy = 1e-3;
inline constexpr double default_accuracy = 1e-12;

// Budgets: shares of the budget, or of the largest multiplier

// Beyond the budget by less is rounding; a slack one may be exceeded by some more, since the
// coefficients are large where it is tested.
inline constexpr double budget_rounding = 1e-13;
inline constexpr double slack_rounding = 1e-12;
inline constexpr double budget_accuracy = 1e-14;
// The search begins between these, gives up at the third, and ends where rounding leaves nothing.
inline constexpr double least_multiplier = 1e-12;
inline constexpr double largest_multiplier = 0.9;
inline constexpr double no_multiplier = 1e-13;
inline constexpr double bracket_rounding = 1e-15;
// Where nothing is known below, the next multiplier is this share of the smallest that was tried.
inline constexpr double next_multiplier = 0.1;
// Points between two solutions that are tried for the one that uses the budget up: a bisection of
// doubles takes 60.
inline constexpr int most_interpolations = 100;
// Secants in a row that may leave more than half of a bracket before it is bisected.
inline constexpr int most_slow_secants = 3;

// Dependent columns

// Of squared distances relative to ||x||^2: columns that differ by less are the same.
inline constexpr double same_column = 1e-22;
// Norms and products with y that differ by less may be those of a copy.
inline constexpr double same_number = 1e-12;
// Of a combination of columns, a share below this beside the largest is rounding: a factor of
// condition 1e10 leaves six digits.
inline constexpr double carried_share = 1e-6;
// A squared distance from the Gram matrix that is below this share of ||x||^2 tells nothing: the
// vector is formed.
inline constexpr double blind_distance = 1e-10;
// (K^-1)_jj K_jj beyond this: the column is so close to the span of the others that the factor
// knows no digit of the distance.
inline constexpr double largest_inverse = 1e9;
// A Cholesky pivot below this share of its diagonal has lost eleven digits: refinement from X would
// still converge at 1e-11, not far below.
inline constexpr double coarse_pivot = 1e-11;
// Without columns to turn to, a pivot this small is the rounding of the Gram matrix.
inline constexpr double dependent_pivot = 1e-12;
// The distance of a column to the span of those before it, over its length, below which it depends
// on them: ||x|| eps n^(1/2) is noise.
inline constexpr double dependent_distance = 1e-13;

// Rounding of a product x_j'r relative to ||x_j||: that of the residual, and of y in it.
inline constexpr double product_rounding = 2e-15;
inline constexpr double response_rounding = 4e-16;

// The choice of the system

// Below this a factor in double precision costs less than a dozen iterations.
inline constexpr Index large_support = 256;
// Iterations by the diagonal that a setting takes at least.
inline constexpr Index expected_iterations = 350;
// Iterations by the diagonal where no factor has room.
inline constexpr Index most_diagonal_iterations = 20000;
// Supports at one l2 after which a factor that follows them in small steps has paid for itself.
inline constexpr Index most_supports = 20;
// From this size on a device, transfers and all, takes less time than the threads (docs/gpu.md). A
// Gram matrix of the host's has to be sent first; without a ridge the threads have a factor that is
// only appended to.
inline constexpr Index device_support = 128;
inline constexpr Index device_support_of_gram = 256;
inline constexpr Index device_support_without_ridge = 256;
// After a pivot that was too small the device is asked again when the support is this many times as
// large: the feature that depended on others may be gone, and a path asks a few times in vain.
inline constexpr Index device_patience = 2;
// Entries of the columns in use, dense or stored, from which a device multiplies with them, where
// it has them: a round trip takes some 35 us, in which a core reads as many.
inline constexpr double device_product_entries = 2e5;
inline constexpr double device_product_scattered = 3e4;
// A factor in single precision and the Gram matrix behind it take 12 bytes for each pair of
// features: no more of them than this.
inline constexpr Index largest_stale_factor = 8000;
// Operations of a product over scattered entries, or of one bound by memory, against those of a
// matrix product.
inline constexpr double scattered = 150;
inline constexpr double streamed = 24;
// A factor on a device: operations that its start is worth, and its speed over that of the host.
inline constexpr double device_start = 1e7;
inline constexpr double device_speed = 100;
// The cost model: operations for each entry of a factor beside its own, those of two solves; the
// supports of a setting, which a factor of the rows is charged for; what of a stale factor a
// setting makes anew, as one part in so many; the products with it that a setting takes; and the
// iterations by the diagonal that an update and a solve do, and those of a setting, several
// supports and the last of them to full accuracy (news20: 250 to 350).
inline constexpr double factor_entry = 4;
inline constexpr double supports_a_setting = 3;
inline constexpr double settings_a_stale_factor = 3;
inline constexpr double stale_products = 10;
inline constexpr double solves_a_stale_setting = 2;
inline constexpr double iterations_a_solve = 100;
inline constexpr double iterations_a_setting = 300;

// Columns of a share of a product with half a symmetric matrix, and shares at most. Each has sums
// of its own, which are cleared and added up.
inline constexpr Index symmetric_columns = 128;
inline constexpr Index most_symmetric_shares = 16;

// The systems themselves

// Operations a second of a factorisation, seconds for an entry that is gathered, and for an entry
// that a rotation passes: only their ratios matter. The same for any number of threads, which must
// not change what is computed.
inline constexpr double factor_rate = 2e10;
inline constexpr double gather_seconds = 2e-9;
inline constexpr double rotation_seconds = 4e-10;
// Columns that rotations are applied to side by side: a cache line of each row.
inline constexpr Index rotated_columns = 8;
// Columns that are appended by one triangular solve with the factor so far; among themselves they
// are solved one by one.
inline constexpr std::size_t append_step = 64;
// Columns of one share of that solve: fewer would make it slower than one thread is.
inline constexpr Index divided_columns = 16;
// How many of its operations count as one of team_operations, as in every product.
inline constexpr double divided_speed = 4;
// Columns of a share when a factor is filled, and when the diagonal of its inverse is formed: 64 of
// order 1000 are 512 KiB.
inline constexpr Index filled_columns = 8;
inline constexpr Index inverted_columns = 64;
// Iterations that a stale factor should need; more, and it is made anew.
inline constexpr Index fresh_iterations = 14;
// More than these by a stale factor: K is too ill-conditioned for single precision.
inline constexpr Index most_stale_iterations = 60;
// Added to the unit diagonal: what single precision loses in the factor.
inline constexpr float jitter = 2e-6F;
// Features that a stale factor may have appended, or may have lost, before it is made anew: a part
// of the support, and these at least.
inline constexpr Index changed_share = 8;
inline constexpr Index fewest_changed = 96;
// It is made for l2 within these of the one that is asked for, relative; and for one ahead, as far
// as the last step went, but not below this share.
inline constexpr double largest_l2_growth = 2.5;
inline constexpr double least_l2_share = 0.4;
inline constexpr double farthest_ahead = 0.6;
// Columns of it that are filled together, neighbours in a line of the Gram matrix, and columns of a
// share, which also fills some entries above the diagonal that are not used.
inline constexpr std::size_t stale_group = 16;
inline constexpr Index stale_columns = 32;
// By the rows: residuals beside the largest entry of b that may be left, and what one more
// correction brings there for certain, since it gains as many digits again.
inline constexpr double row_accuracy = 1e-12;
inline constexpr double nearly_there = 1e-7;
// Corrections at most, of which each must leave less than this share: else the rows are no way.
inline constexpr int row_corrections = 4;
inline constexpr double slow_correction = 0.1;
// Columns of X that are added to the matrix of the rows at a time: 2 KiB of a row.
inline constexpr Index added_columns = 256;

// Columns of the support, Gram matrix

// Of a sparse X: products with the same slots before they are kept by rows, which takes about as
// long as five of them; slots that may be missing there, as one part in so many; and the cost of a
// pair of entries that meet in a row beside that of an entry and a column of a panel of sixteen.
inline constexpr Index multiplications_by_columns = 8;
inline constexpr Index selected_per_missing = 16;
inline constexpr double row_pair = 1.5;
inline constexpr double panel_entry = 0.4;
// To keep an entry by rows, in the same unit: with 20 dorothea and caco_fp take 9 to 10 % less time
// on one thread than where they were kept for every new column; 5 gave half of that.
inline constexpr double selected_entry = 20;
// Columns that slots have room for at first, and rows and columns of a Gram matrix or a factor
// (32 KiB): growth copies them.
inline constexpr Index first_slots = 32;
inline constexpr Index first_order = 64;
// Rows of a product of columns between two looks at the cancel token: 1 MiB of each.
inline constexpr Index polled_rows = 131072;
// Operations of a share of a Gram matrix, a millisecond, and its fewest columns.
inline constexpr double gram_step_operations = 2e7;
inline constexpr Index fewest_gram_columns = 32;
// Rows of a share of a product with the columns, and with weighted ones: few, so that some hundred
// rows have work for several threads (440 x 138672 on 16: 235 ms, 253 with 128 rows).
inline constexpr Index multiplied_rows = 64;
// Columns of a share of products with one vector, and entries of a share of X'r: no two threads
// write to the same cache line.
inline constexpr Index correlated_columns = 8;
inline constexpr Index updated_entries = 64;
// Where more than half the features are selected, and one in this many more, half of the whole Gram
// matrix is read instead of the columns of the support.
inline constexpr Index features_per_excess = 4;
// Products of single features are made by themselves where so many times as many would cost as much
// as those of all, which a setting needs once at its end.
inline constexpr Index all_per_few = 4;

// The explicit reduction

// A threshold of the SVM above minus this is zero but for the solver's rounding: the budget may be
// slack, and the ridge solution decides.
inline constexpr double slack_threshold = 1e-6;
// Of the largest multiplier, how well a penalty's is met: LIBLINEAR leaves some ten digits at best.
inline constexpr double explicit_accuracy = 1e-8;
// The smallest tolerance that LIBLINEAR is asked for: its arithmetic goes no further.
inline constexpr double least_liblinear_eps = 1e-12;

}  // namespace sven::reduction::tuning
