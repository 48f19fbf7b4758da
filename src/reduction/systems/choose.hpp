#pragma once
// Which system serves which support: the whole decision, from sizes and from what happened before.
// No clock is read, so that the choice is always the same. The table is in maths.md, section "Large
// supports".

#include "reduction/kernel.hpp"

namespace sven::reduction {

enum class SystemKind { appended, orthogonal, stale, diagonal, rows, device };

// Whether it solves to the accuracy that is asked for, by conjugate gradients.
constexpr bool iterates(SystemKind kind) {
    return kind == SystemKind::stale || kind == SystemKind::diagonal;
}

struct Situation {
    Index features = 0;                 // m, in the support
    Index rows = 0;                     // n; 0 where there are no columns
    double product_cost = 0;            // multiplications of a product with K
    double l2 = -1;                     // of no setting
    bool has_ridge_everywhere = false;  // no feature of the support is without
    bool has_factor = false;            // one for this l2 is there, to be appended to

    // what happened before
    bool has_device = false;
    Index device_from = 0;         // the size from which it is asked, after a failure at this l2
    bool needs_factor = false;     // at this l2 something else failed, or small steps are to come
    bool is_coarse = false;        // the Gram matrix is, for this support
    bool diagonal_failed = false;  // took too long once on this path
    Index supports = 0;            // that a stale factor followed at this l2
};

SystemKind choose(const Situation& situation);

// Operations of each kind, for a setting or for a part of it.
struct SystemCosts {
    double factor = 0;      // Cholesky, and two solves
    double row_factor = 0;  // some three supports of a setting
    double stale = 0;       // a setting: a third of making the factor, and some iterations
    double iteration = 0;   // one by the diagonal
    double device = 0;
    // Iterations by the diagonal that cost as much as the stale factor.
    Index diagonal_limit = 0;
};
SystemCosts model_costs(const Situation& situation);
// Of an update and a solve, for the choice of block sizes.
double cost_of(SystemKind kind, const SystemCosts& costs);

}  // namespace sven::reduction
