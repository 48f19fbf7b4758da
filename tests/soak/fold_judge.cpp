#include "soak/fold_judge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sven::soak {
namespace {

// An error that is off by less is right.
constexpr double permitted = 1e-6;

// The gap that the library answers for in this fold and setting; a fold that is said to have
// fallen short may have any error.
double claimed_gap(const CvCurve& curve, std::size_t at) {
    return curve.fold_status[at] == Status::iteration_limit
               ? std::numeric_limits<double>::infinity()
               : curve.fold_gap[at];
}

Data training_data(const Data& all, const Fold& fold) {
    Data data = all;
    if (data.weights.empty()) data.weights.assign(static_cast<std::size_t>(data.n), 1.0);
    for (const Index i : fold.test) data.weights[i] = 0;
    return data;
}

// Exact coefficients on the user's scale, and what they predict on the rows that were left out.
class ExactFold {
  public:
    ExactFold(const Data& all, const Fold& fold, const Setting& setting)
        : all_(all),
          fold_(fold),
          data_(training_data(all, fold)),
          problem_(data_),
          target_(problem_.target(setting)),
          quadratic_(problem_, target_) {
        const std::vector<double> guess(static_cast<std::size_t>(all.p), 0.0);
        optimum_ = solve_exactly(quadratic_, target_, guess);
        for (const Index i : fold.test) test_weight_ += weight(i);
    }

    [[nodiscard]] bool is_unique() const { return describe_optima(quadratic_, optimum_).is_unique; }

    // Mean squared error on the test rows.
    [[nodiscard]] Real error() const {
        Real intercept = problem_.response_mean();
        Reals values;
        for (Index j = 0; j < all_.p; ++j) {
            values.push_back(optimum_.minimum.b[j] * unit(j) * quadratic_.response_norm);
            if (all_.intercept) intercept -= problem_.means()[j] * values[j];
        }
        Real sum = 0;
        for (const Index i : fold_.test) {
            Real e = Real(all_.y[i]) - intercept;
            for (Index j = 0; j < all_.p; ++j) e -= Real(all_.at(i, j)) * values[j];
            sum += weight(i) * e * e;
        }
        return sum / test_weight_;
    }

    // How far the root of that error can be off where the objective is within `gap`: the norm of
    // the predictions over { d : d'K d <= gap }, whose squares are at most the trace of K^-1 T.
    [[nodiscard]] Real reach(double gap) const {
        std::vector<Index> looked_at;
        for (Index j = 0; j < all_.p; ++j)
            if (optimum_.is_shut[j] == 0) looked_at.push_back(j);
        const Factor factor = pivoted_factor(quadratic_.K, looked_at);
        if (factor.members().size() < looked_at.size())
            return std::numeric_limits<double>::infinity();
        Real trace = 0;
        for (const Index i : fold_.test) {
            Reals row;
            for (const Index j : factor.members()) row.push_back(test_entry(i, j));
            const Reals solved = factor.solve(row);
            for (std::size_t k = 0; k < row.size(); ++k) trace += weight(i) * row[k] * solved[k];
        }
        return sqrt(Real(trace * gap * problem_.response_squares() / test_weight_));
    }

    // What errors are measured by where the model is perfect.
    [[nodiscard]] Real response_variance() const {
        return problem_.response_squares() / problem_.total_weight();
    }

  private:
    [[nodiscard]] Real weight(Index i) const {
        return all_.weights.empty() ? Real(1) : Real(all_.weights[i]);
    }
    [[nodiscard]] Real unit(Index j) const {
        return 1 / (quadratic_.units[j] * problem_.scales()[j]);
    }
    [[nodiscard]] Real test_entry(Index i, Index j) const {
        const Real centre = all_.intercept ? problem_.means()[j] : Real(0);
        return (Real(all_.at(i, j)) - centre) * unit(j);
    }

    const Data& all_;
    const Fold& fold_;
    Data data_;
    ExactProblem problem_;
    Target target_;
    Quadratic quadratic_;
    Optimum optimum_;
    Real test_weight_ = 0;
};

Verdict judge_fold(const ExactFold& fold, double stated, double gap) {
    Verdict verdict;
    // several optima: the error is any of theirs
    if (!fold.is_unique()) return verdict;
    const Real exact = fold.error();
    const Real size = exact + fold.response_variance() * Real(1e-10);
    verdict.reported = permitted;
    if (!std::isfinite(stated)) {
        verdict.truth = std::numeric_limits<double>::infinity();
    } else {
        verdict.truth = (abs(Real(Real(stated) - exact)) / size).convert_to<double>();
        if (verdict.truth > permitted) {
            const Real roots = abs(Real(sqrt(Real(stated)) - sqrt(exact)));
            if (std::isinf(gap) || roots <= fold.reach(gap)) verdict.reported = verdict.truth;
        }
    }
    if (verdict.truth > verdict.reported) {
        verdict.is_silent = true;
        verdict.reason = "the error of a fold is wrong";
    }
    return verdict;
}

}  // namespace

std::vector<Verdict> judge_folds(const Case& made, const CvCurve& curve) {
    std::vector<Verdict> verdicts;
    for (std::size_t s = 0; s < made.settings.size(); ++s)
        for (std::size_t k = 0; k < made.folds.size(); ++k) {
            const ExactFold fold(made.data, made.folds[k], made.settings[s]);
            const std::size_t at = s * made.folds.size() + k;
            verdicts.push_back(judge_fold(fold, curve.fold_error[at], claimed_gap(curve, at)));
            verdicts.back().is_missed = curve.fold_status[at] == Status::iteration_limit;
        }
    return verdicts;
}

}  // namespace sven::soak
