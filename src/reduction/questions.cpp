#include "reduction/questions.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "linalg/dense.hpp"
#include "linalg/row_sums.hpp"
#include "reduction/tuning.hpp"

namespace sven::reduction {
namespace {

// Most columns that depend on others are a copy of one, up to its sign, and need no factor to be
// told. Copies have the same length and the same product with y. Of which feature, or -1.
Index repeated_feature(Machine& machine, const State& state, Index feature) {
    Kernel& kernel = machine.kernel;
    std::vector<double>& columns = machine.scratch.row;
    const Index n = kernel.rows();
    const double norm = kernel.column_norm(feature);
    const double product = kernel.response_product(feature);
    const auto is_near = [](double a, double b) {
        return std::abs(a - b) <= tuning::same_number * std::abs(b);
    };
    for (Index slot = 0; slot < kernel.slots(); ++slot) {
        const Index other = kernel.feature(slot);
        const double other_product = kernel.response_product(other);
        if (!state.active[slot] || !is_near(kernel.column_norm(other), norm) ||
            !is_near(std::abs(other_product), std::abs(product)))
            continue;
        columns.resize(static_cast<std::size_t>(2 * n));
        const std::array<Index, 2> pair{feature, other};
        kernel.gather(pair, columns.data());
        linalg::axpy(n, product * other_product > 0 ? -1 : 1, columns.data() + n, columns.data());
        const std::span<const double> difference(columns.data(), static_cast<std::size_t>(n));
        if (linalg::squares_of_rows(machine.execution, difference) <
            tuning::same_column * norm * norm)
            return other;
    }
    return -1;
}

// Those of the support whose share of x_j = X_A w is more than rounding, w by slot.
std::vector<Index> list_carriers(Machine& machine, std::span<const double> w) {
    const Kernel& kernel = machine.kernel;
    const auto share = [&](Index slot) {
        return std::abs(w[slot]) * kernel.column_norm(kernel.feature(slot));
    };
    double largest = 0;
    for (const Index slot : machine.systems.order()) largest = std::max(largest, share(slot));
    std::vector<Index> carriers;
    for (const Index slot : machine.systems.order())
        if (share(slot) > tuning::carried_share * largest) carriers.push_back(kernel.feature(slot));
    return carriers;
}

}  // namespace

void derivative(Machine& machine, State& state, double dh, double dl2, std::vector<double>& out) {
    update_systems(machine, state);
    solve_derivative(machine, state, dh, dl2, out);
}

void solve_derivative(Machine& machine, const State& state, double dh, double dl2,
                      std::vector<double>& out) {
    std::vector<double>& rhs = machine.scratch.rhs;
    out.assign(state.beta.size(), 0.0);
    for (const Index slot : machine.systems.order())
        rhs[slot] = -state.penalty_factor[slot] * (dh * state.sign[slot] + dl2 * state.beta[slot]);
    machine.systems.solve(rhs.data(), out.data(), tuning::derivative_accuracy);
}

std::vector<Index> carriers_of(Machine& machine, State& state, Index feature) {
    Kernel& kernel = machine.kernel;
    SupportSystems& systems = machine.systems;
    Scratch& scratch = machine.scratch;
    Index slot = kernel.slot_of(feature);
    if (slot >= 0 && state.active[slot]) return {};
    const Index copy = kernel.has_columns() ? repeated_feature(machine, state, feature) : -1;
    if (copy >= 0) return {copy};
    if (slot < 0) {
        add_slots(machine, {&feature, 1}, state);
        slot = kernel.slot_of(feature);
    }
    update_systems(machine, state);
    if (kernel.gram_cost() > 0) {  // no Gram matrix of today
        scratch.row.resize(static_cast<std::size_t>(kernel.rows()));
        kernel.gather({&feature, 1}, scratch.row.data());
        kernel.correlate_slots(scratch.row, scratch.rhs.data());
    } else {
        for (Index a = 0; a < kernel.slots(); ++a) scratch.rhs[a] = kernel.gram(a, slot);
    }
    const double length = scratch.rhs[slot];
    std::fill(scratch.u.begin(), scratch.u.end(), 0.0);
    systems.solve(scratch.rhs.data(), scratch.u.data());
    double distance = length;  // ||x - X_A w||^2
    for (const Index a : systems.order()) distance -= scratch.rhs[a] * scratch.u[a];
    if (!(distance < tuning::blind_distance * length)) return {};
    std::vector<Index> carriers = list_carriers(machine, scratch.u);
    if (!kernel.has_columns()) return carriers;
    // that close, the difference tells nothing: form the vector
    for (const Index a : systems.order()) scratch.u[a] = -scratch.u[a];
    scratch.u[slot] = 1;
    scratch.row.resize(static_cast<std::size_t>(kernel.rows()));
    kernel.multiply(scratch.u, scratch.row.data());
    distance = linalg::squares_of_rows(machine.execution, scratch.row);
    if (!(distance < tuning::same_column * length)) carriers.clear();
    return carriers;
}

bool inverse_diagonal(Machine& machine, State& state, std::span<const Index> features,
                      std::vector<double>& out) {
    Kernel& kernel = machine.kernel;
    SupportSystems& systems = machine.systems;
    std::vector<double>& by_slot = machine.scratch.u;
    // what is held at a limit may be inside of it in another solution
    std::vector<char> members(state.active);
    for (std::size_t slot = 0; slot < members.size(); ++slot) members[slot] |= state.held[slot];
    if (members == state.active)
        update_systems(machine, state);
    else
        systems.update({kernel, members, state.ridge, state.target.l2()});
    // a feature that the factor refused has no entry
    if (systems.order().size() != features.size() || !systems.inverse_diagonal(out)) return false;
    for (std::size_t k = 0; k < features.size(); ++k) by_slot[systems.order()[k]] = out[k];
    out.clear();
    for (const Index j : features) {
        const Index slot = kernel.slot_of(j);
        const double norm = kernel.column_norm(j);
        if (!(by_slot[slot] * (norm * norm + state.ridge[slot]) < tuning::largest_inverse)) {
            out.clear();
            return false;
        }
        out.push_back(by_slot[slot]);
    }
    return true;
}

double predict_multiplier(Machine& machine, State& state, const Target& target) {
    if (!target.is_budget()) return target.h();
    SupportSystems& systems = machine.systems;
    Scratch& scratch = machine.scratch;
    if (state.support_size() == 0) return 0;
    // One more factor at the new l2 would cost as much as a Newton step; at the old one the
    // prediction is as good where l2 changes little.
    update_systems(machine, state);
    double along_v = 0;
    double used = 0;
    double gained = 0;
    for (const Index slot : systems.order()) {
        scratch.direction[slot] = state.penalty_factor[slot] * state.sign[slot];
        scratch.rhs[slot] =
            -state.penalty_factor[slot] * (target.l2() - state.target.l2()) * state.beta[slot];
    }
    systems.solve(scratch.direction.data(), scratch.v.data());
    systems.solve(scratch.rhs.data(), scratch.u.data());
    for (const Index slot : systems.order()) {
        along_v += scratch.direction[slot] * scratch.v[slot];
        used += scratch.direction[slot] * state.beta[slot];
        gained += scratch.direction[slot] * scratch.u[slot];
    }
    used += state.held_l1();
    return along_v > 0 ? std::max(0.0, state.h - (target.t() - used - gained) / along_v) : 0;
}

}  // namespace sven::reduction
