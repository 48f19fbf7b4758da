#include "svm/large_costs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "svm/certificate.hpp"
#include "svm/sharp_gap.hpp"
#include "svm/tuning.hpp"

namespace sven::svm {
namespace {

Products products_for(const SquaredHinge& problem) {
    const auto features = static_cast<double>(problem.samples->features());
    const double entries = features * static_cast<double>(problem.samples->samples());
    return entries <= whole_entries ? Products::whole : Products::rounded;
}

double largest_cost(const SquaredHinge& problem) {
    return *std::max_element(problem.costs.begin(), problem.costs.end());
}

class Search {
  public:
    // `first`: an answer that missed the tolerance, or nothing.
    Search(const SquaredHinge& problem, const SolveOptions& options, Classifier first)
        : problem_(problem),
          options_(options),
          best_(std::move(first)),
          certificate_(problem, products_for(problem)),
          sharp_(problem, certificate_) {
        if (!best_.w.empty() && std::isfinite(best_.objective)) return;
        best_.gap = std::numeric_limits<double>::infinity();
        const std::vector<double> zero(problem.centre.size(), 0.0);
        const std::vector<double> alpha(problem.costs.size(), 0.0);
        certificate_.measure(zero);
        offer(zero, alpha, certificate_.close(zero, alpha));
    }

    // By costs that grow from an easy one to the requested ones.
    Classifier run(std::span<const double> start) {
        std::vector<double> w(start.begin(), start.end());
        double share = easy_cost / largest_cost(problem_);
        for (int stage = 0; stage < most_stages && goes_on(); ++stage, share *= cost_step) {
            share = std::min(1.0, share);
            ease(share, w);
            if (share == 1) break;
        }
        best_.status = is_done() ? Status::optimal : Status::iteration_limit;
        return std::move(best_);
    }

  private:
    bool is_done() const { return best_.gap <= options_.tolerance; }
    bool goes_on() const { return !is_done() && best_.iterations < options_.max_iterations; }

    // Solves the problem at a fraction of its costs. If the answer has a hard margin, offsets
    // enlarged by the excess of the margins give a better one (maths.md, eq. 67).
    void ease(double share, std::vector<double>& w) {
        std::vector<double> costs(problem_.costs.begin(), problem_.costs.end());
        for (double& cost : costs) cost *= share;
        std::vector<double> offsets(problem_.offsets.begin(), problem_.offsets.end());
        for (int repeat = 0; repeat < most_repeats && goes_on(); ++repeat) {
            SolveOptions some = options_;
            some.tolerance = stage_tolerance * options_.tolerance;
            some.max_iterations =
                std::min(2 * trial_steps, options_.max_iterations - best_.iterations);
            const Classifier eased =
                solve({problem_.samples, costs, offsets, problem_.centre}, some, w);
            best_.iterations += eased.iterations;
            best_.method = eased.method;
            w = eased.w;
            const bool has_hard_margin = stretch(w, eased.alpha);
            if (repeat == 0) refine(w);
            if (!has_hard_margin || share == 1) return;
            for (std::size_t i = 0; i < costs.size(); ++i)
                offsets[i] = 1 + eased.alpha[i] * (0.5 / costs[i] - 0.5 / problem_.costs[i]);
        }
    }

    // If w nearly separates the samples, a slightly longer w separates all of them, whatever the
    // costs. False if the margin is not hard.
    bool stretch(std::vector<double> w, std::span<const double> alpha) {
        double least = least_stretch;
        for (int attempt = 0; attempt < most_stretches; ++attempt, least *= 2) {
            certificate_.measure(w);
            const double margin = largest_margin();
            if (margin > hard_margin) return false;
            if (margin <= 0) break;
            const double more = std::max(least, margin / (1 - margin));
            for (double& entry : w) entry += more * entry;
        }
        certificate_.measure(w);
        offer(w, alpha, certificate_.close(w, alpha));
        return true;
    }

    // Including its error.
    double largest_margin() const {
        double largest = -std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < problem_.costs.size(); ++i) {
            const auto k = static_cast<Index>(i);
            largest = std::max(largest, certificate_.margin(k) + certificate_.margin_error(k));
        }
        return largest;
    }

    // Newton steps from w at the requested costs.
    void refine(std::vector<double> w) {
        certificate_.measure(w);
        for (int step = 0; step < most_refinements && goes_on(); ++step) {
            problem_.samples->execution().check();
            if (!sharp_.prepare(w)) return;
            if (const std::optional<Gap> gap = sharp_.close()) offer(w, sharp_.alpha(), *gap);
            if (is_done() || !descends(w)) return;
            ++best_.iterations;
        }
    }

    // Moves w along the Newton step, or part of it, so that the objective decreases.
    bool descends(std::vector<double>& w) {
        const double objective = certificate_.objective();
        const std::vector<double> before = w;
        double length = 1;
        for (int halving = 0; halving < most_halvings; ++halving, length *= 0.5) {
            for (std::size_t j = 0; j < w.size(); ++j) w[j] = before[j] - length * sharp_.step()[j];
            certificate_.measure(w);
            if (certificate_.objective() < objective) return true;
        }
        return false;
    }

    void offer(std::span<const double> w, std::span<const double> alpha, const Gap& gap) {
        const bool is_better = gap.relative < best_.gap ||
                               (gap.relative == best_.gap && gap.objective < best_.objective);
        if (!is_better) return;
        best_.w.assign(w.begin(), w.end());
        best_.alpha.assign(alpha.begin(), alpha.end());
        best_.gap = gap.relative;
        best_.objective = gap.objective;
        best_.support_vectors =
            std::count_if(alpha.begin(), alpha.end(), [](double a) { return a > 0; });
    }

    SquaredHinge problem_;
    SolveOptions options_;
    Classifier best_;
    Certificate certificate_;
    SharpGap sharp_;
};

// If only the rounding of the certificate is too large, a pass with exact products removes it.
void certify_again(const SquaredHinge& problem, double tolerance, Classifier& result) {
    Certificate certificate(problem, Products::whole);
    certificate.measure(result.w);
    const Gap gap = certificate.close(result.w, result.alpha);
    if (!(gap.relative < result.gap)) return;
    result.gap = gap.relative;
    result.objective = gap.objective;
    if (result.gap <= tolerance) result.status = Status::optimal;
}

}  // namespace

Classifier classify(const SquaredHinge& problem, const SolveOptions& options,
                    std::span<const double> start) {
    const double cost = largest_cost(problem);
    Classifier first;
    if (cost < hopeless_cost) {
        SolveOptions some = options;
        if (cost >= doubtful_cost)
            some.max_iterations = std::min(options.max_iterations, trial_steps);
        first = solve(problem, some, start);
        const bool is_cut_off =
            first.iterations >= options.max_iterations && std::isfinite(first.objective);
        if (first.status == Status::optimal || is_cut_off) return first;
        certify_again(problem, options.tolerance, first);
        if (first.status == Status::optimal || cost < easy_cost) return first;
    }
    return Search(problem, options, std::move(first)).run(start);
}

}  // namespace sven::svm
