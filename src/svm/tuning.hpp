#pragma once
// The thresholds of this module. Each has a unit, a reason, and the measurement behind it where one
// was made; the others say what they balance.

#include "sven/index.hpp"

namespace sven::svm {

// Defaults of the internal options, those of sven::Options: the relative duality gap and the Newton
// steps. LIBLINEAR's stopping rule is another quantity, the norm of the gradient relative to the
// first.
inline constexpr double default_tolerance = 1e-10;
inline constexpr Index default_iterations = 1000;
inline constexpr double liblinear_eps = 1e-10;

// LIBLINEAR's coordinate descent stops, without an error, after this many rounds.
inline constexpr Index liblinear_rounds = 1000;
// The width of the insensitive zone of its regressions, which its check of the parameters wants for
// classifications too: its own default.
inline constexpr double liblinear_p = 0.1;

// Newton steps

// Once the support repeats, a step must reduce the gap below this fraction of the last one. Newton
// steps on a fixed support converge at once, so that a smaller reduction is rounding.
inline constexpr double floor_ratio = 0.25;
// Shrinking: a sample falls asleep when its margin is further below zero than this many times the
// largest move of the last step. Steps get shorter as the iteration converges; recheck() covers the
// rest.
inline constexpr double sleep_distance = 4;

// Conjugate gradients against a direct system

// How many operations of a matrix product take as long as one of a product with a vector, which is
// bound by memory.
inline constexpr double matrix_speed = 16;
// The largest order of a direct system: half a gigabyte of doubles. Beyond it, conjugate gradients.
inline constexpr Index max_order = 8192;
// The fraction of the samples that the support is assumed to have when the method is chosen; a cold
// start soon gets there.
inline constexpr double expected_support = 0.5;
// Steps of conjugate gradients that the first solve is assumed to take; later the last count.
inline constexpr double expected_steps = 15;
// A support is settling when at most one in settled_share of it changed, and supports below
// small_support count as that large.
inline constexpr Index settled_share = 20;
inline constexpr Index small_support = 100;
// How many times the price of an iterative solve a direct one may cost once the support is
// settling: it ends the iteration, an inexact one only gets closer.
inline constexpr double settled_price = 8;
// Conjugate gradients give up at this many times the price of a direct solve, a sign of bad
// conditioning, or after steps_per_order steps per unknown and extra_steps more. In exact
// arithmetic one step per unknown is enough.
inline constexpr double iterative_price = 2;
inline constexpr double steps_per_order = 20;
inline constexpr double extra_steps = 100;
// Reductions of the residual: as far as rounding allows, and the least that is asked of a rough
// point.
inline constexpr double exact_reduction = 1e-13;
inline constexpr double rough_reduction = 1e-2;

// Large costs (docs/maths.md, section "Large costs"), for samples whose largest entry is near one

// Costs that double precision solves without trouble; that it solves in a few steps or never; that
// it does not solve. The system of the support then has a condition number of about the cost.
inline constexpr double easy_cost = 1e10;
inline constexpr double doubtful_cost = 1e12;
inline constexpr double hopeless_cost = 1e18;
// Newton steps of the first try at a doubtful cost; a stage of the search has twice as many.
inline constexpr Index trial_steps = 100;
// The factor between the costs of two stages, each of which starts from the answer of the last;
// stages from easy_cost on, and repeats of one with corrected offsets.
inline constexpr double cost_step = 100;
inline constexpr int most_stages = 6;
inline constexpr int most_repeats = 4;
// The tolerance of a stage, relative to the one asked for: its error is a start, not an answer.
inline constexpr double stage_tolerance = 0.1;
// Newton steps close to the answer, and how often one is halved.
inline constexpr int most_refinements = 12;
inline constexpr int most_halvings = 8;
// If no margin is larger than this, the samples may be separable; and how often w is then
// stretched, each time by at least twice as much.
inline constexpr double hard_margin = 1e-3;
inline constexpr int most_stretches = 6;
// The first of them, relative to w: a smaller change is lost in rounding.
inline constexpr double least_stretch = 0x1p-52;
// Entries of X up to which products without rounding are affordable.
inline constexpr double whole_entries = 2e6;

// The sharp gap: operations and entries up to which its QR is made, half a second and 64 MB; and
// how often samples that may change sides are removed before it gives up.
inline constexpr double sharp_operations = 5e9;
inline constexpr double sharp_entries = 8e6;
inline constexpr int sharp_attempts = 8;
// It says nothing if rounding may change lengths by this fraction or more.
inline constexpr double sharp_change = 0.5;

// Rounding in certificates; each covers several times what the operations can lose

// Quotients and a few operations, relative.
inline constexpr double quotient_rounding = 1e-12;
// Four roundings, those of a_i / (2 C_i) and of a_i itself, or of a term of a sum.
inline constexpr double few_roundings = 0x1p-51;
// A column in a QR, relative to its length; the triangular solve, sum and root that follow.
inline constexpr double column_rounding = 1e-15;
inline constexpr double solve_rounding = 1e-9;
// Entries smaller than this relative to the largest may have vanished with the unit of X, and
// products as small may have underflowed. Doubles end at 1e-308.
inline constexpr double underflow_size = 1e-290;
// Operations that a product without rounding counts for, for polling.
inline constexpr double whole_product_operations = 20;

// The range of numbers

// Costs below this do not change what the certificate sees of the objective.
inline constexpr double smallest_cost = 1e-300;
// A warm start with entries above this is dropped: its products may overflow.
inline constexpr double largest_start = 1e100;
// The size of the largest entry of X: its square must be representable with room for sums.
inline constexpr double largest_entry = 1e75;
inline constexpr double smallest_entry = 1e-75;
// The product of a cost and the square of the largest entry: the same.
inline constexpr double largest_product = 1e150;
inline constexpr double smallest_product = 1e-150;

// Blocks and shares

// Columns of a panel of the Cholesky factor, which keep the work between two polls well below
// 100 ms, and rows that one thread updates at a time.
inline constexpr Index factor_panel = 128;
inline constexpr Index factor_slice = 256;
// Chunks of a sum over many rows: enough for the cores of one socket, few enough that adding them
// up stays cheap. Below this many operations there is one: a team would not start either.
inline constexpr Index most_chunks = 16;
inline constexpr double chunked_operations = 2e5;
// Doubles to whose multiples the shares of threads are aligned: a cache line.
inline constexpr Index line_doubles = 8;
// Columns of the Hessian that one thread adds at a time: the product stays near full speed.
inline constexpr Index outer_columns = 128;
// Samples whose combination one thread adds between two polls.
inline constexpr Index combined_samples = 4096;
// Samples of dense X that one thread takes at a time. Of column-major X their sums run side by side
// and stay in the L1 cache.
inline constexpr Index row_major_samples = 16;
inline constexpr Index column_major_samples = 512;
// Entries of a tile of gathered samples, 8 MB, half of a common L2 and L3 cache; and its fewest and
// most samples.
inline constexpr Index sample_tile_entries = Index{1} << 20;
inline constexpr Index fewest_tile_samples = 8;
inline constexpr Index most_tile_samples = 256;
// Samples of sparse X that one thread takes at a time.
inline constexpr Index sparse_samples = 64;
// Sparse samples scattered side by side for the kernel, so that one read of an entry serves all of
// them; and samples that one thread multiplies with them at a time.
inline constexpr Index scattered_samples = 16;
inline constexpr Index kernel_samples = 16;
// Kernel rows computed together: enough for a fast matrix product, few enough to poll in between.
inline constexpr Index kernel_batch = 64;
// Careful sums that are formed side by side: 1 KiB of sums and sizes, in the L1 cache.
inline constexpr Index careful_columns = 64;

}  // namespace sven::svm
