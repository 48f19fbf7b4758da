#pragma once
// Newton's method on a squared hinge, written once for every kind of sample set. On a fixed
// support the objective is a quadratic, whose minimum is the Newton point of that support. When
// the support of the Newton point is the support it came from, it is the exact optimum, so the
// method ends after finitely many steps (maths.md, section "The machine").
//
// Full steps are the fastest but may cycle. The rule here: full steps as long as one in every
// `patience` changes fewer samples than any step before; otherwise the exact minimum along the ray,
// which always descends. A record can be broken only finitely often, so the method converges.

#include <algorithm>
#include <concepts>
#include <limits>

#include "linalg/execution.hpp"
#include "sven/elastic_net.hpp"
#include "svm/tuning.hpp"

namespace sven::svm {

// The interface of the samples to the driver. They hold a current point and its support.
template <class S>
concept SampleSet = requires(S& samples) {
    // Computes the Newton point of the current support.
    samples.solve();
    // Moves to the Newton point; returns how many samples entered or left the support.
    { samples.full_step() } -> std::convertible_to<Index>;
    // Moves to the exact minimum of the objective from the current point towards the Newton point;
    // returns how many samples entered or left the support.
    { samples.descend() } -> std::convertible_to<Index>;
};

// Sample sets that know their distance from the optimum stop at a tolerance.
template <class S>
concept CertifiedSampleSet = SampleSet<S> && requires(S& samples) {
    // Relative duality gap at the current point: an estimate, and after recheck() a bound.
    { samples.gap() } -> std::convertible_to<double>;
    // Recomputes what shrinking skipped, and the gap from the samples; returns how many samples
    // entered the support.
    { samples.recheck() } -> std::convertible_to<Index>;
};

struct NewtonOptions {
    double tolerance = default_tolerance;  // of the relative gap
    Index max_iterations = default_iterations;
    Index patience = 1;  // full steps in a row without a new record before descent
    linalg::Execution execution = {};
};

struct NewtonReport {
    // optimal, or iteration_limit: also if rounding keeps the gap above the tolerance.
    Status status = Status::iteration_limit;
    Index iterations = 0;
    double gap = 0;  // of certified sets
};

class StepRule {
  public:
    explicit StepRule(Index patience) : patience_(patience) {}
    bool takes_full_step() const { return stale_ < patience_; }
    void note(Index changes) {
        // If nothing changed, a step can only refine, and its slope is rounding.
        stale_ = changes < fewest_ || changes == 0 ? 0 : stale_ + 1;
        fewest_ = std::min(fewest_, changes);
    }

  private:
    Index patience_;
    Index stale_ = 0;  // steps since the record
    Index fewest_ = std::numeric_limits<Index>::max();
};

// If the support repeats, the last step was exact up to rounding, and further steps refine it. They
// stop when the gap no longer decreases, at the limit of the arithmetic.
class RoundingFloor {
  public:
    bool is_reached(Index changes, double gap) {
        const bool reached = changes == 0 && !(gap < floor_ratio * last_gap_);
        last_gap_ = changes == 0 ? gap : std::numeric_limits<double>::infinity();
        return reached;
    }

  private:
    double last_gap_ = std::numeric_limits<double>::infinity();
};

template <SampleSet Samples>
Index take_step(Samples& samples, StepRule& rule, NewtonReport& report) {
    samples.solve();
    ++report.iterations;
    const Index changes = rule.takes_full_step() ? samples.full_step() : samples.descend();
    rule.note(changes);
    return changes;
}

// Throws Cancelled, and leaves the sample set unfinished, if cancelled.
template <SampleSet Samples>
NewtonReport newton(Samples& samples, const NewtonOptions& options) {
    NewtonReport report;
    StepRule rule(options.patience);
    while (report.iterations < options.max_iterations) {
        options.execution.check();
        if (take_step(samples, rule, report) == 0) {
            report.status = Status::optimal;
            return report;
        }
    }
    return report;
}

template <CertifiedSampleSet Samples>
NewtonReport newton(Samples& samples, const NewtonOptions& options) {
    NewtonReport report;
    StepRule rule(options.patience);
    RoundingFloor floor;
    Index changes = std::numeric_limits<Index>::max();  // before the first step
    for (;;) {
        options.execution.check();
        report.gap = samples.gap();
        const bool at_floor = floor.is_reached(changes, report.gap);
        const bool at_limit = report.iterations >= options.max_iterations;
        if (report.gap <= options.tolerance || at_floor || at_limit) {
            const bool nothing_woke = samples.recheck() == 0;
            report.gap = samples.gap();
            const bool is_optimal = report.gap <= options.tolerance;
            if (is_optimal) report.status = Status::optimal;
            if (is_optimal || at_limit || (at_floor && nothing_woke)) return report;
        }
        changes = take_step(samples, rule, report);
    }
}

}  // namespace sven::svm
