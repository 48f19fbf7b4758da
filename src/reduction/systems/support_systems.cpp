#include "reduction/systems/support_systems.hpp"

#include <algorithm>

#include "reduction/tuning.hpp"

namespace sven::reduction {

void SupportSystems::reset() {
    for (System* system : systems_) system->reset();
    is_settled_ = false;
}

// At another l2 another system may serve.
void SupportSystems::begin(double l2) {
    if (l2 == situation_.l2) return;
    last_l2_ = std::max(0.0, situation_.l2);
    situation_.l2 = l2;
    situation_.needs_factor = false;
    situation_.device_from = 0;
    situation_.supports = 0;
    diagonal_.begin();
}

void SupportSystems::expect_small_steps() {
    if (kind_ != SystemKind::device && situation_.features <= tuning::largest_stale_factor)
        situation_.needs_factor = true;
}

void SupportSystems::update(const SystemRequest& request) {
    kernel_ = &request.kernel;
    active_ = request.active;
    ridge_ = request.ridge;
    begin(request.l2);
    describe();
    settle();
    is_settled_ = true;
}

bool SupportSystems::has_factor_of(const SystemRequest& request) const {
    const std::span<const Index> slots = order();
    return is_settled_ && !iterates(kind_) && request.l2 == situation_.l2 &&
           std::count(request.active.begin(), request.active.end(), char{1}) ==
               static_cast<Index>(slots.size()) &&
           std::all_of(slots.begin(), slots.end(),
                       [&](Index slot) { return request.active[slot] != 0; });
}

namespace {

// Sizes and ridges of a request.
void describe_support(const SystemRequest& request, Situation& situation) {
    situation.features = 0;
    situation.has_ridge_everywhere = true;
    for (std::size_t slot = 0; slot < request.active.size(); ++slot) {
        if (!request.active[slot]) continue;
        ++situation.features;
        situation.has_ridge_everywhere &= request.ridge[slot] > 0;
    }
    situation.rows = request.kernel.has_columns() ? request.kernel.rows() : 0;
    situation.product_cost = request.kernel.multiply_cost();
}

}  // namespace

void SupportSystems::describe() {
    const SystemRequest request{*kernel_, active_, ridge_, situation_.l2};
    describe_support(request, situation_);
    situation_.has_factor = appended_.is_for(situation_.l2) || orthogonal_.is_for(situation_.l2);
    situation_.is_coarse = orthogonal_.is_current(request);
}

// Other kinds than iterations by the diagonal need the Gram matrix of the slots; once made it
// serves the settings to come.
SupportSystems::Expected SupportSystems::expect(const SystemRequest& request) const {
    Situation situation;
    situation.l2 = request.l2;
    situation.diagonal_failed = situation_.diagonal_failed;
    describe_support(request, situation);
    situation.has_device = situation_.has_device && situation.features >= tuning::device_support &&
                           request.kernel.systems() != nullptr;
    const SystemKind kind = choose(situation);
    const SystemCosts costs = model_costs(situation);
    if (kind == SystemKind::diagonal) return {kind, tuning::iterations_a_setting * costs.iteration};
    return {kind, cost_of(kind, costs) + tuning::gram_share * request.kernel.gram_cost()};
}

void SupportSystems::settle() {
    for (;;) {
        kind_ = choose(situation_);
        if (kind_ == SystemKind::stale) ++situation_.supports;
        if (kind_ == SystemKind::diagonal) {
            const bool fits = situation_.features <= tuning::largest_stale_factor;
            diagonal_.set_limit(fits ? model_costs(situation_).diagonal_limit
                                     : tuning::most_diagonal_iterations);
        }
        const SystemRequest request{*kernel_,      active_,           ridge_,
                                    situation_.l2, appended_.order(), last_l2_};
        if (system().update(request)) break;
        note_failure();
    }
    if (kind_ == SystemKind::orthogonal) appended_.give_way(orthogonal_.order());
    if (kind_ == SystemKind::appended) orthogonal_.reset();
}

// What the next choice should know.
void SupportSystems::note_failure() {
    switch (kind_) {
        case SystemKind::device:
            situation_.has_device = device_.has_device();
            situation_.device_from = tuning::device_patience * situation_.features;
            break;
        case SystemKind::appended:
            situation_.is_coarse = true;
            break;
        case SystemKind::diagonal:
            if (situation_.features <= tuning::largest_stale_factor) {
                situation_.diagonal_failed = true;
                break;
            }
            [[fallthrough]];
        default:
            situation_.needs_factor = true;
    }
}

void SupportSystems::solve(const double* b, double* x, double accuracy) {
    for (const Index slot : order()) x[slot] = 0;
    improve(b, x, {0, accuracy});
}

void SupportSystems::improve(const double* b, double* x, const SolveGoal& goal) {
    SolveGoal left = goal;
    if (system().solve(b, x, left)) return;
    do {
        note_failure();
        settle();
    } while (!system().solve(b, x, left));
    for (const Index slot : refused()) x[slot] = 0;
}

}  // namespace sven::reduction
