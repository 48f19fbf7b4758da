#include "reduction/active_set.hpp"

#include <algorithm>
#include <cmath>

namespace sven::reduction {
namespace {

// Without a ridge, whole steps from a support of this size to one much larger overshoot by
// thousands, and cost more than to go there downhill.
constexpr Index far_support = 512;

}  // namespace

ActiveSet::ActiveSet(Kernel& kernel, const Penalties& penalties, const linalg::Execution& execution,
                     double tolerance)
    : kernel_(kernel),
      penalties_(penalties),
      execution_(execution),
      factor_(execution),
      // A product above its bound by this share changes the relative gap by as much.
      violation_tolerance_(std::clamp(0.1 * tolerance, 1e-14, 1e-11)),
      is_refused_(static_cast<std::size_t>(kernel.features())),
      is_ignored_(static_cast<std::size_t>(kernel.features())) {
    for (Index j = 0; j < kernel.features(); ++j)
        if (penalties.is_free(j)) fresh_features_.push_back(j);
    fresh_signs_.assign(fresh_features_.size(), 0.0);
    kernel_.append(fresh_features_);
    grow_slots();
    for (Index slot = 0; slot < kernel_.slots(); ++slot) active_[slot] = 1;
}

Index ActiveSet::support_size() const {
    return std::count(active_.begin(), active_.end(), char{1});
}

// New slots start outside the support.
void ActiveSet::grow_slots() {
    const auto size = static_cast<std::size_t>(kernel_.slots());
    const auto before = static_cast<Index>(active_.size());
    active_.resize(size, 0);
    was_active_.resize(size, 0);
    for (auto* values :
         {&sign_, &beta_, &factor_of_, &ridge_, &rhs_, &direction_, &correlation_, &u_, &v_})
        values->resize(size, 0.0);
    for (Index slot = before; slot < kernel_.slots(); ++slot) {
        active_[slot] = 0;
        factor_of_[slot] = penalties_.factor(kernel_.feature(slot));
        ridge_[slot] = target_.l2 * factor_of_[slot];
    }
}

void ActiveSet::save(Support& out) const {
    out.clear();
    for (Index slot = 0; slot < kernel_.slots(); ++slot) {
        if (!active_[slot]) continue;
        out.features.push_back(kernel_.feature(slot));
        out.signs.push_back(sign_[slot]);
        out.beta.push_back(beta_[slot]);
    }
}

void ActiveSet::load(const Support& support) {
    std::fill(active_.begin(), active_.end(), char{0});
    std::fill(beta_.begin(), beta_.end(), 0.0);
    fresh_features_.clear();
    for (const Index j : support.features)
        if (kernel_.slot_of(j) < 0) fresh_features_.push_back(j);
    kernel_.append(fresh_features_);
    grow_slots();
    for (std::size_t k = 0; k < support.features.size(); ++k) {
        const Index slot = kernel_.slot_of(support.features[k]);
        active_[slot] = 1;
        sign_[slot] = support.signs[k];
        beta_[slot] = support.beta[k];
    }
    for (Index slot = 0; slot < kernel_.slots(); ++slot)
        if (penalties_.is_free(kernel_.feature(slot))) active_[slot] = 1;
}

void ActiveSet::load(const Support& support, const Target& target, double h) {
    target_ = target;
    h_ = h;
    load(support);
    set_ridge();
}

void ActiveSet::set_ridge() {
    for (Index slot = 0; slot < kernel_.slots(); ++slot)
        ridge_[slot] = target_.l2 * factor_of_[slot];
}

void ActiveSet::compact() {
    kept_.clear();
    for (Index slot = 0; slot < kernel_.slots(); ++slot)
        if (active_[slot]) kept_.push_back(slot);
    if (static_cast<Index>(kept_.size()) == kernel_.slots()) return;
    for (std::size_t k = 0; k < kept_.size(); ++k) {
        sign_[k] = sign_[kept_[k]];
        beta_[k] = beta_[kept_[k]];
        factor_of_[k] = factor_of_[kept_[k]];
        ridge_[k] = ridge_[kept_[k]];
    }
    kernel_.keep(kept_);
    factor_.reset();
    active_.assign(kept_.size(), 1);
    sign_.resize(kept_.size());
    beta_.resize(kept_.size());
    factor_of_.resize(kept_.size());
    ridge_.resize(kept_.size());
    grow_slots();
}

void ActiveSet::update_factor() {
    factor_.update({kernel_, active_, ridge_, target_.l2});
    for (const Index slot : factor_.refused()) {
        active_[slot] = 0;
        beta_[slot] = 0;
        const Index j = kernel_.feature(slot);
        if (is_refused_[j]) continue;
        is_refused_[j] = 1;
        refused_features_.push_back(j);
    }
    work_ += factor_.cost();
}

// Of a gradient that should vanish.
double ActiveSet::step_tolerance() const {
    double scale = h_;
    for (const Index slot : factor_.order()) {
        if (h_ == 0) scale = std::max(scale, std::abs(rhs_[slot]));
        if (factor_of_[slot] < 1 && h_ > 0) scale = std::min(scale, h_ * factor_of_[slot]);
    }
    return 1e-11 * scale;
}

// beta = u - h v by slot, into `out`; in the joint budget form h is solved for (eq. 19-20).
void ActiveSet::closed_form(double* out) {
    // where the solver iterates, it starts from here
    if (out != beta_.data()) std::copy(beta_.begin(), beta_.end(), out);
    for (Index slot = 0; slot < kernel_.slots(); ++slot)
        if (!active_[slot]) out[slot] = 0;
    if (budgeting_ == Budgeting::joint) {
        double use_u = 0;
        double use_v = 0;
        for (const Index slot : factor_.order()) {
            rhs_[slot] = kernel_.response_product(kernel_.feature(slot));
            direction_[slot] = factor_of_[slot] * sign_[slot];
        }
        factor_.solve(rhs_.data(), u_.data());
        factor_.solve(direction_.data(), v_.data());
        for (const Index slot : factor_.order()) {
            use_u += direction_[slot] * u_[slot];
            use_v += direction_[slot] * v_[slot];
        }
        const double h = use_v > 0 ? (use_u - target_.t) / use_v : -1;
        if (!(h > 0)) {
            is_lost_ = true;
            return;
        }
        h_ = h;
        for (const Index slot : factor_.order()) out[slot] = u_[slot] - h_ * v_[slot];
        return;
    }
    for (const Index slot : factor_.order())
        rhs_[slot] =
            kernel_.response_product(kernel_.feature(slot)) - h_ * factor_of_[slot] * sign_[slot];
    // While the support still changes, a rough solution shows what comes and goes as well as an
    // exact one.
    const bool is_rough = !is_settled_ && !is_descending_;
    factor_.improve(rhs_.data(), out, step_tolerance(), is_rough ? 1e-3 : 0);
}

void ActiveSet::solve() {
    update_factor();
    if (is_descending_) return;
    closed_form(beta_.data());
    if (is_lost_) return;
    kernel_.set_coefficients(beta_);
    work_ += 2.0 * static_cast<double>(kernel_.rows()) * static_cast<double>(kernel_.slots());
    // The factor of a QR is accurate, but a solve from the products X_A'y squares the condition all
    // the same: a few corrections from the residual bring the step to full accuracy.
    if (factor_.is_orthogonal())
        for (int k = 0; k < 3 && refine_once(); ++k) {
        }
}

// One step of iterative refinement from the residual (maths.md, eq. 26). False when there was
// nothing left to correct.
bool ActiveSet::refine_once() {
    kernel_.slot_correlations(correlation_.data());
    double largest = 0;
    double scale = 0;
    for (const Index slot : factor_.order()) {
        const double bound = h_ * factor_of_[slot] * sign_[slot];
        rhs_[slot] = correlation_[slot] - bound - ridge_[slot] * beta_[slot];
        largest = std::max(largest, std::abs(rhs_[slot]));
        scale = std::max(scale, kernel_.column_norm(kernel_.feature(slot)));
    }
    if (largest <= 0.05 * scale * kernel_.rounding()) return false;
    factor_.solve(rhs_.data(), u_.data(), 0.03);
    double dh = 0;
    if (budgeting_ == Budgeting::joint) {
        double use_u = 0;
        double use_v = 0;
        double use = 0;
        for (const Index slot : factor_.order()) direction_[slot] = factor_of_[slot] * sign_[slot];
        factor_.solve(direction_.data(), v_.data());
        for (const Index slot : factor_.order()) {
            use_u += direction_[slot] * u_[slot];
            use_v += direction_[slot] * v_[slot];
            use += direction_[slot] * beta_[slot];
        }
        dh = use_v > 0 ? (use_u - (target_.t - use)) / use_v : 0;
        h_ += dh;
    }
    for (const Index slot : factor_.order())
        beta_[slot] += u_[slot] - (dh != 0 ? dh * v_[slot] : 0);
    kernel_.set_coefficients(beta_);
    return true;
}

Index ActiveSet::drop_wrong_signs() {
    Index changes = 0;
    for (Index slot = 0; slot < kernel_.slots(); ++slot) {
        was_active_[slot] = active_[slot];
        if (!active_[slot] || sign_[slot] == 0) continue;
        const double along = sign_[slot] * beta_[slot];
        // without an l1 penalty the sign does not matter
        if (along > 0 || (h_ == 0 && !penalties_.nonnegative)) continue;
        ++changes;
        // x_j'r = s (h f + l2 f s beta): beyond -h f it is a sample of the other sign
        if (!penalties_.nonnegative && target_.l2 > 0 && along < -2 * h_ / target_.l2) {
            sign_[slot] = -sign_[slot];
        } else {
            active_[slot] = 0;
            beta_[slot] = 0;
        }
    }
    return changes;
}

bool ActiveSet::is_violated(Index feature, double product, double& sign) const {
    sign = product > 0 ? 1 : -1;
    const double slack = violation_tolerance_ * h_ * penalties_.factor(feature) +
                         rounding_ * kernel_.column_norm(feature);
    return penalties_.violates(feature, product, h_, slack);
}

// Features outside the support above their bound, slots first. Those that were active before this
// step are left out: their products sit at the bound by construction.
void ActiveSet::find_violators(bool keep_refused) {
    violators_.clear();
    has_refused_violators_ = false;
    rounding_ = kernel_.rounding();
    const auto note = [&](Index slot, Index j, double product) {
        double sign = 0;
        if (penalties_.excluded[j] || is_ignored_[j] || !is_violated(j, product, sign)) return;
        if (is_refused_[j] && !keep_refused) {
            has_refused_violators_ = true;
            return;
        }
        const double f = penalties_.factor(j);
        violators_.push_back({slot, j, sign, std::abs(product) / (f > 0 ? f : 1)});
    };
    bool has_outside = false;
    for (Index slot = 0; slot < kernel_.slots(); ++slot)
        has_outside |= !active_[slot] && !was_active_[slot];
    if (has_outside) {
        kernel_.slot_correlations(correlation_.data());
        for (Index slot = 0; slot < kernel_.slots(); ++slot)
            if (!active_[slot] && !was_active_[slot])
                note(slot, kernel_.feature(slot), correlation_[slot]);
    }
    candidate_products_.resize(candidates_.size());
    kernel_.correlations(candidates_, candidate_products_.data());
    work_ += 2.0 * static_cast<double>(kernel_.rows()) * static_cast<double>(candidates_.size());
    for (std::size_t k = 0; k < candidates_.size(); ++k)
        if (kernel_.slot_of(candidates_[k]) < 0) note(-1, candidates_[k], candidate_products_[k]);
}

void ActiveSet::enter(std::span<const Violator> violators) {
    fresh_features_.clear();
    fresh_signs_.clear();
    for (const Violator& v : violators) {
        if (v.slot < 0) {
            fresh_features_.push_back(v.feature);
            fresh_signs_.push_back(v.sign);
        } else {
            active_[v.slot] = 1;
            sign_[v.slot] = v.sign;
            beta_[v.slot] = 0;
        }
    }
    const Index first = kernel_.slots();
    kernel_.append(fresh_features_);
    grow_slots();
    work_ += 2.0 * static_cast<double>(kernel_.rows()) * static_cast<double>(kernel_.slots()) *
             static_cast<double>(fresh_features_.size());
    for (std::size_t k = 0; k < fresh_features_.size(); ++k) {
        active_[first + static_cast<Index>(k)] = 1;
        sign_[first + static_cast<Index>(k)] = fresh_signs_[k];
    }
}

Index ActiveSet::full_step() {
    if (is_lost_ || is_descending_ || is_damping_ || must_descend_) return descend();
    Index changes = drop_wrong_signs();
    find_violators(false);
    changes += static_cast<Index>(violators_.size());
    if (changes == 0 && factor_.is_iterative() && !is_settled_) {
        is_settled_ = true;
        solve();
        return full_step();
    }
    if (changes == 0) return finish_full_step();
    is_settled_ = changes <= 2;
    // From far away much violates that would leave again at once: the support at most doubles.
    // Without an l1 penalty everything is wanted.
    const bool takes_all = h_ == 0 && !penalties_.nonnegative;
    const Index size = support_size();
    const std::span<const Violator> entering =
        takes_all ? std::span<const Violator>(violators_)
                  : keep_largest(violators_, std::max<Index>(64, size));
    // Without a ridge no more than n features fit, and a support that still changes after a dozen
    // steps is going round in circles.
    const bool is_full = target_.l2 == 0 && kernel_.has_columns() &&
                         size + static_cast<Index>(entering.size()) >= kernel_.rows();
    const bool is_far = target_.l2 == 0 && !takes_all && size >= far_support &&
                        static_cast<Index>(violators_.size()) > size / 8;
    if (is_full || is_far || ++steps_ >= (target_.l2 == 0 ? 12 : 40)) {
        must_descend_ = true;
        return changes;
    }
    enter(entering);
    return changes;
}

std::span<const ActiveSet::Violator> ActiveSet::keep_largest(std::vector<Violator>& violators,
                                                             Index count) {
    if (static_cast<Index>(violators.size()) <= count) return violators;
    std::nth_element(violators.begin(), violators.begin() + count, violators.end(),
                     [](const Violator& a, const Violator& b) {
                         return a.excess != b.excess ? a.excess > b.excess : a.feature < b.feature;
                     });
    return {violators.data(), static_cast<std::size_t>(count)};
}

// The support repeats: polish from the data, then look once more at the signs. Dependent features
// that still violate are for descend() to exchange.
Index ActiveSet::finish_full_step() {
    refine();
    const Index changes = drop_wrong_signs();
    if (changes > 0) return changes;
    must_descend_ = has_refused_violators_;
    return has_refused_violators_ ? 1 : 0;
}

void ActiveSet::refine() {
    const int steps = factor_.is_orthogonal() ? 3 : 1;
    for (int k = 0; k < steps && refine_once(); ++k) {
    }
}

double ActiveSet::budget_use() const {
    double use = 0;
    for (Index slot = 0; slot < kernel_.slots(); ++slot)
        use += factor_of_[slot] * std::abs(beta_[slot]);
    return use;
}

}  // namespace sven::reduction
