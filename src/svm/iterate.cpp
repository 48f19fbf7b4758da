#include "svm/iterate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "svm/tuning.hpp"

namespace sven::svm {

Iterate::Iterate(const SquaredHinge& problem, std::span<const double> start, bool shrinks)
    : problem_(problem),
      certificate_(problem),
      shrinks_(shrinks),
      w_(start.empty() ? std::vector<double>(problem.centre.begin(), problem.centre.end())
                       : std::vector<double>(start.begin(), start.end())),
      newton_w_(w_.size()),
      gradient_(w_.size()),
      margins_(problem.costs.size()),
      newton_margins_(margins_.size()),
      products_(margins_.size()),
      awake_(margins_.size()),
      in_support_(margins_.size(), 0),
      is_asleep_(margins_.size(), 0) {
    wanted_.reserve(margins_.size());
    support_.reserve(margins_.size());
    breakpoints_.reserve(margins_.size());
    std::iota(awake_.begin(), awake_.end(), Index{0});
    samples().times(awake_, w_.data(), products_.data());
    for (Index i : awake_) margins_[i] = problem_.offsets[i] - products_[i];
    update_support(std::numeric_limits<double>::infinity());
}

double Iterate::gap() {
    if (has_gap_) return gap_;
    double loss = 0;
    for (std::size_t k = 0; k < support_.size(); ++k) {
        const Index i = support_[k];
        products_[k] = alpha(i);
        loss += problem_.costs[i] * margins_[i] * margins_[i];
    }
    samples().transposed_times(support_, products_.data(), gradient_.data());
    double distance = 0;
    double squares = 0;
    for (std::size_t j = 0; j < w_.size(); ++j) {
        const double moved = w_[j] - problem_.centre[j];
        gradient_[j] = moved - gradient_[j];
        distance += moved * moved;
        squares += gradient_[j] * gradient_[j];
    }
    objective_ = 0.5 * distance + loss;
    // The objective is zero only at w0 with an empty support, where the gradient is zero too.
    gap_ = objective_ > 0 ? 0.5 * squares / objective_ : 0;
    has_gap_ = true;
    return gap_;
}

void Iterate::compute_newton_margins() {
    wanted_.clear();
    for (Index i : awake_) {
        if (!in_support_[i]) wanted_.push_back(i);
    }
    samples().times(wanted_, newton_w_.data(), products_.data());
    for (std::size_t k = 0; k < wanted_.size(); ++k) {
        newton_margins_[wanted_[k]] = problem_.offsets[wanted_[k]] - products_[k];
    }
}

Index Iterate::full_step() {
    compute_newton_margins();
    double largest_move = 0;
    for (Index i : awake_) {
        largest_move = std::max(largest_move, std::abs(newton_margins_[i] - margins_[i]));
        margins_[i] = newton_margins_[i];
    }
    w_.swap(newton_w_);
    return update_support(largest_move);
}

Index Iterate::descend() {
    compute_newton_margins();
    const double tau = step_length();
    double largest_move = 0;
    for (Index i : awake_) {
        const double move = tau * (newton_margins_[i] - margins_[i]);
        largest_move = std::max(largest_move, std::abs(move));
        margins_[i] += move;
    }
    for (std::size_t j = 0; j < w_.size(); ++j) w_[j] += tau * (newton_w_[j] - w_[j]);
    return update_support(largest_move);
}

// Along w + tau d, with e_i = z_i'd, sample i contributes C_i max(0, m_i - tau e_i)^2: it drops out
// or joins at tau = m_i / e_i (maths.md, eq. 13).
double Iterate::step_length() {
    PiecewiseQuadratic f;
    for (std::size_t j = 0; j < w_.size(); ++j) {
        const double direction = newton_w_[j] - w_[j];
        f.slope += gradient_[j] * direction;
        f.least_curvature += direction * direction;
    }
    f.curvature = f.least_curvature;
    breakpoints_.clear();
    for (Index i : awake_) {
        const double e = margins_[i] - newton_margins_[i];
        const double curvature = 2 * problem_.costs[i] * e * e;
        if (in_support_[i]) {
            f.curvature += curvature;
            if (e > 0) breakpoints_.push_back({margins_[i] / e, -curvature});
        } else if (e < 0) {
            breakpoints_.push_back({margins_[i] / e, curvature});
        }
    }
    f.breakpoints = breakpoints_;
    return minimise(f);
}

Index Iterate::update_support(double largest_move) {
    changes_ = 0;
    support_.clear();
    for (Index i : awake_) {
        const char is_in = margins_[i] > 0 ? 1 : 0;
        if (is_in != in_support_[i]) ++changes_;
        in_support_[i] = is_in;
        if (is_in) support_.push_back(i);
    }
    has_gap_ = false;
    if (shrinks_) fall_asleep(largest_move);
    return changes_;
}

// Newton steps get shorter as they converge: a margin far below zero, relative to the last step, is
// unlikely to become positive again. recheck() verifies that.
void Iterate::fall_asleep(double largest_move) {
    std::erase_if(awake_, [&](Index i) {
        is_asleep_[i] = margins_[i] < -sleep_distance * largest_move ? 1 : 0;
        return is_asleep_[i] != 0;
    });
}

// Called at most once: shrinking is off from here on, so that samples cannot cycle.
void Iterate::wake_all() {
    shrinks_ = false;
    awake_.resize(margins_.size());
    std::iota(awake_.begin(), awake_.end(), Index{0});
    std::fill(is_asleep_.begin(), is_asleep_.end(), 0);
}

Index Iterate::recheck() {
    certificate_.measure(w_);
    Index woken = 0;
    for (std::size_t i = 0; i < margins_.size(); ++i) {
        if (!is_asleep_[i]) continue;
        margins_[i] = certificate_.margin(static_cast<Index>(i));
        if (margins_[i] > 0) ++woken;
    }
    if (woken > 0) {
        wake_all();
        update_support(0);
    }
    gap();  // for the gradient of the next step
    for (std::size_t i = 0; i < margins_.size(); ++i) products_[i] = alpha(static_cast<Index>(i));
    const Gap certified = certificate_.close(w_, products_);
    gap_ = certified.relative;
    objective_ = certified.objective;
    return woken;
}

}  // namespace sven::svm
