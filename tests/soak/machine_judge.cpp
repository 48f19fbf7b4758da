#include "soak/machine_judge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "soak/definite.hpp"

namespace sven::soak {
namespace {

// Samples in units of 1e170 stand beside the identity with a condition of 1e346.
using Wide = boost::multiprecision::number<
    boost::multiprecision::mpfr_float_backend<600, boost::multiprecision::allocate_stack>,
    boost::multiprecision::et_off>;
using Wides = std::vector<Wide>;

Wide dot(const Wides& a, const Wides& b) {
    Wide sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
    return sum;
}

// min 1/2 ||w||^2 + sum C (1 - z'w)_+^2, by Newton's method with an exact line search.
class Machine {
  public:
    explicit Machine(const Data& data) {
        for (Index i = 0; i < data.n; ++i) {
            Wides z;
            for (Index j = 0; j < data.p; ++j) z.push_back(Wide(data.at(i, j)) * Wide(data.y[i]));
            samples_.push_back(std::move(z));
            costs_.emplace_back(data.weights[i]);
        }
        features_ = static_cast<std::size_t>(data.p);
    }

    [[nodiscard]] Wide objective(const Wides& w) const {
        Wide sum = dot(w, w) / 2;
        for (std::size_t i = 0; i < samples_.size(); ++i) {
            const Wide margin = 1 - dot(samples_[i], w);
            if (margin > 0) sum += costs_[i] * margin * margin;
        }
        return sum;
    }

    // The least objective.
    [[nodiscard]] Wide optimum(Wides w) const {
        constexpr int limit = 2000;
        for (int step = 0; step < limit; ++step) {
            const Wides margins = margins_at(w);
            const Wides goal = newton_point(margins);
            const Wides at_goal = margins_at(goal);
            bool is_same = true;
            for (std::size_t i = 0; i < margins.size(); ++i)
                is_same &= (margins[i] > 0) == (at_goal[i] > 0);
            // the minimum of its own support's quadratic: the gradient vanishes
            if (is_same) return objective(goal);
            Wides direction;
            for (std::size_t j = 0; j < features_; ++j) direction.push_back(goal[j] - w[j]);
            const Wide tau = line_search(w, direction, margins, at_goal);
            for (std::size_t j = 0; j < features_; ++j) w[j] += tau * direction[j];
            if (is_minimum(w)) return objective(w);
        }
        throw Unjudged("Newton's method of the judge did not end");
    }

  private:
    [[nodiscard]] Wides margins_at(const Wides& w) const {
        Wides margins;
        for (const Wides& z : samples_) margins.push_back(1 - dot(z, w));
        return margins;
    }

    [[nodiscard]] Wides newton_point(const Wides& margins) const {
        std::vector<Wides> H(features_, Wides(features_, Wide(0)));
        Wides right(features_, Wide(0));
        for (std::size_t j = 0; j < features_; ++j) H[j][j] = 1;
        for (std::size_t i = 0; i < samples_.size(); ++i) {
            if (!(margins[i] > 0)) continue;
            for (std::size_t j = 0; j < features_; ++j) {
                const Wide entry = 2 * costs_[i] * samples_[i][j];
                right[j] += entry;
                for (std::size_t k = 0; k <= j; ++k) H[j][k] += entry * samples_[i][k];
            }
        }
        if (!solve_definite(std::move(H), right))
            throw Unjudged("the system of the judge is not positive definite");
        return right;
    }

    // Where the slope along the direction, piecewise linear and increasing, is zero.
    [[nodiscard]] Wide line_search(const Wides& w, const Wides& direction, const Wides& margins,
                                   const Wides& at_goal) const {
        std::vector<std::pair<Wide, std::size_t>> breaks;
        Wide slope = dot(w, direction);
        Wide curvature = dot(direction, direction);
        std::vector<char> is_in;
        Wides falls;  // of the margins, per unit
        for (std::size_t i = 0; i < margins.size(); ++i) {
            falls.push_back(margins[i] - at_goal[i]);
            is_in.push_back(margins[i] > 0 || (margins[i] == 0 && falls[i] < 0) ? 1 : 0);
            if (is_in[i] != 0) {
                slope -= 2 * costs_[i] * margins[i] * falls[i];
                curvature += 2 * costs_[i] * falls[i] * falls[i];
            }
            if (falls[i] == 0) continue;
            const Wide at = margins[i] / falls[i];
            if (at > 0) breaks.emplace_back(at, i);
        }
        std::sort(breaks.begin(), breaks.end());
        Wide here = 0;
        for (const auto& [at, i] : breaks) {
            Wide root = here - slope / curvature;
            if (root <= at) return root;
            slope += curvature * (at - here);
            here = at;
            const Wide change = 2 * costs_[i] * falls[i] * falls[i];
            curvature += is_in[i] != 0 ? Wide(-change) : change;
            is_in[i] ^= 1;
        }
        return here - slope / curvature;
    }

    // Whether the gradient is rounding; a sample whose margin is zero but for that adds nothing.
    [[nodiscard]] bool is_minimum(const Wides& w) const {
        const Wides margins = margins_at(w);
        static const Wide rounding("1e-200");
        for (std::size_t j = 0; j < features_; ++j) {
            Wide gradient = w[j];
            Wide size = abs(w[j]);
            for (std::size_t i = 0; i < samples_.size(); ++i) {
                if (!(margins[i] > 0)) continue;
                gradient -= 2 * costs_[i] * margins[i] * samples_[i][j];
                size += 2 * costs_[i] * margins[i] * abs(samples_[i][j]);
            }
            if (abs(gradient) > rounding * size) return false;
        }
        return true;
    }

    std::vector<Wides> samples_;
    Wides costs_;
    std::size_t features_ = 0;
};

}  // namespace

double machine_condition(const Data& data) {
    Symmetric gram(data.p);
    for (Index j = 0; j < data.p; ++j)
        for (Index k = 0; k < data.p; ++k) {
            Real sum = j == k ? 1 : 0;
            for (Index i = 0; i < data.n; ++i)
                sum += 2 * Real(data.weights[i]) * Real(data.at(i, j)) * Real(data.at(i, k));
            gram(j, k) = sum;
        }
    Symmetric unit(data.p);
    for (Index j = 0; j < data.p; ++j)
        for (Index k = 0; k < data.p; ++k)
            unit(j, k) = gram(j, k) / sqrt(Real(gram(j, j) * gram(k, k)));
    return condition_of_columns(unit);
}

bool is_machine_in_range(const Data& data) {
    Real largest = 0;
    Real cost = 0;
    for (const double entry : data.X) largest = std::max(largest, Real(std::abs(entry)));
    for (const double entry : data.weights) cost = std::max(cost, Real(entry));
    const Real product = cost * largest * largest;
    return largest >= 1e-75 && largest <= 1e75 && product >= 1e-150 && product <= 1e150;
}

Verdict judge_machine(const Data& data, const Options& options, const svm::Classifier& classifier) {
    Verdict verdict;
    verdict.reported = classifier.gap;
    verdict.is_missed = classifier.status == Status::iteration_limit;
    const bool is_finite = std::all_of(classifier.w.begin(), classifier.w.end(),
                                       [](double value) { return std::isfinite(value); });
    const Machine machine(data);
    if (is_finite && classifier.w.size() == static_cast<std::size_t>(data.p)) {
        const Wides w(classifier.w.begin(), classifier.w.end());
        const Wide objective = machine.objective(w);
        verdict.truth = ((objective - machine.optimum(w)) / objective).convert_to<double>();
        if (verdict.truth < 1e-150) verdict.truth = 0;
        const Wide difference = abs(Wide(objective - Wide(classifier.objective)));
        if (!std::isfinite(classifier.objective) || difference > Wide(1e-6) * objective) {
            verdict.is_misstated = true;
            verdict.reason = "the objective is not that of w";
        }
    } else {
        verdict.truth = std::numeric_limits<double>::infinity();
        verdict.reason = "w is not finite";
    }
    if (!(verdict.truth <= classifier.gap)) {
        (verdict.is_missed ? verdict.is_understated : verdict.is_silent) = true;
        if (verdict.reason.empty()) verdict.reason = "worse than its gap";
    }
    verdict.is_false_alarm = !(classifier.gap <= options.tolerance) && verdict.truth < 1e-12;
    return verdict;
}

}  // namespace sven::soak
