#include "soak/run.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "soak/fold_judge.hpp"
#include "soak/machine_judge.hpp"
#include "soak/outcome_judge.hpp"
#include "soak/print.hpp"
#include "sven/error.hpp"

namespace sven::soak {
namespace {

double ratio(const Verdict& verdict) {
    if (verdict.truth == 0) return 0;
    return verdict.reported > 0 ? verdict.truth / verdict.reported
                                : std::numeric_limits<double>::infinity();
}

void add(const Verdict& verdict, bool may_miss, Outcome& outcome) {
    outcome.is_silent |= verdict.is_silent;
    outcome.is_gross |= verdict.is_silent && !(verdict.truth <= gross_gap);
    outcome.is_contradicted |= verdict.is_contradicted;
    outcome.is_misstated |= verdict.is_misstated;
    outcome.is_understated |= verdict.is_understated;
    outcome.is_missed |= verdict.is_missed;
    if (outcome.is_regular && !may_miss && !verdict.is_out_of_reach)
        outcome.is_false_alarm |= verdict.is_missed || verdict.is_false_alarm;
    outcome.largest_ratio = std::max(outcome.largest_ratio, ratio(verdict));
    outcome.largest_truth = std::max(outcome.largest_truth, verdict.truth);
    const std::string reason =
        verdict.reason.empty() && verdict.is_missed ? "missed its tolerance" : verdict.reason;
    if (outcome.reason.find(reason) == std::string::npos)
        outcome.reason += (outcome.reason.empty() ? "" : "; ") + reason;
}

// Whether every feature is there once, in order.
bool is_in_order(const std::vector<Coefficient>& coefficients) {
    return std::adjacent_find(coefficients.begin(), coefficients.end(),
                              [](const Coefficient& a, const Coefficient& b) {
                                  return a.feature >= b.feature;
                              }) == coefficients.end();
}

// Each way to ask: what the library says, judged and, where it is to be seen, printed.
class Session {
  public:
    Session(const Case& made, bool is_shown)
        : made_(made), X_(made.kind, made.data.n, made.data.p, made.data.X), is_shown_(is_shown) {
        problem_ = made.data.problem();
        problem_.X = X_.view();
        options_ = made.options;
        options_.threads = 1;  // the same bits on every machine
        options_.proofs = true;
    }

    Outcome run() {
        try {
            made_.call == Call::machine ? judge_classifier() : judge_regression();
        } catch (const InvalidArgument& refusal) {
            outcome_.is_refused = true;
            outcome_.is_false_alarm = outcome_.is_regular;
            outcome_.reason = std::string("refused: ") + refusal.what();
        } catch (const Unjudged& failure) {
            outcome_.is_unjudged = true;
            outcome_.reason = failure.what();
        } catch (const std::exception& failure) {
            outcome_.is_contradicted = true;
            outcome_.reason = std::string("threw: ") + failure.what();
        }
        return outcome_;
    }

  private:
    void classify(double condition, bool is_in_range) {
        outcome_.is_regular = is_in_range && condition < regular_condition;
        if (is_shown_) print_case(made_, condition);
    }

    void judge_classifier() {
        classify(machine_condition(made_.data), is_machine_in_range(made_.data));
        const svm::Classification problem{X_.view(), made_.data.y, made_.data.weights, 1};
        const svm::Classifier classifier = svm::train(problem, options_);
        const Verdict verdict = judge_machine(made_.data, options_, classifier);
        if (is_shown_) print_machine(classifier, verdict);
        add(verdict, made_.may_miss_tolerance, outcome_);
    }

    void judge_regression() {
        const ExactProblem exact(made_.data);
        classify(exact.condition(), exact.is_in_range());
        switch (made_.call) {
            case Call::path:
                return judge_solutions(exact, solve_path(problem_, made_.settings, options_));
            case Call::responses:
                return judge_responses();
            case Call::folds:
                return judge_validation(exact);
            default: {
                std::vector<Solution> solutions;
                for (const Setting& setting : made_.settings)
                    solutions.push_back(fit(problem_, setting, options_));
                judge_solutions(exact, solutions);
            }
        }
    }

    void judge_solutions(const ExactProblem& exact, const std::vector<Solution>& solutions) {
        for (std::size_t k = 0; k < solutions.size(); ++k) {
            const bool is_gaussian = made_.data.family == sven::Family::gaussian;
            Verdict verdict = (is_gaussian ? judge : judge_outcome)(exact, made_.settings[k],
                                                                    options_, solutions[k]);
            if (!is_in_order(solutions[k].coefficients)) {
                verdict.is_misstated = true;
                verdict.reason += " a feature is there twice, or before another";
            }
            if (is_shown_) print_fit(exact, made_.settings[k], solutions[k], verdict);
            add(verdict, made_.may_miss_tolerance, outcome_);
        }
    }

    void judge_responses() {
        const auto all = solve_paths(problem_, made_.responses, made_.settings, options_);
        for (std::size_t r = 0; r < all.size(); ++r) {
            Data data = made_.data;
            const auto first = made_.responses.begin() + static_cast<Index>(r) * data.n;
            data.y.assign(first, first + data.n);
            judge_solutions(ExactProblem(data), all[r]);
        }
    }

    void judge_validation(const ExactProblem& exact) {
        CrossValidation plan;
        plan.folds = made_.folds;
        plan.grids[0].alpha = std::get<Mixing>(made_.settings.front()).alpha;
        for (const Setting& setting : made_.settings)
            plan.lambdas.push_back(std::get<Mixing>(setting).lambda);
        const CvCurve curve = cross_validate(problem_, plan, options_).curves.front();
        judge_solutions(exact, curve.path);
        const std::vector<Verdict> verdicts = judge_folds(made_, curve);
        for (std::size_t k = 0; k < verdicts.size(); ++k) {
            if (is_shown_)
                print_fold(k / made_.folds.size(), k % made_.folds.size(), curve.fold_error[k],
                           verdicts[k]);
            add(verdicts[k], made_.may_miss_tolerance, outcome_);
        }
    }

    const Case& made_;
    test::StoredMatrix X_;
    bool is_shown_;
    Problem problem_;
    Options options_;
    Outcome outcome_;
};

}  // namespace

Outcome run(const Family& family, std::uint64_t seed) {
    Random random(family.name, seed);
    const Case made = family.make(random);
    return Session(made, false).run();
}

Outcome show(const Family& family, std::uint64_t seed) {
    Random random(family.name, seed);
    const Case made = family.make(random);
    Outcome outcome = Session(made, true).run();
    if (!outcome.reason.empty()) std::printf("%s\n", outcome.reason.c_str());
    return outcome;
}

}  // namespace sven::soak
