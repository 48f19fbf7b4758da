#include "solve.hpp"

#include <stdexcept>

#include "interpreter.hpp"
#include "sven/path.hpp"
#include "sven/predict.hpp"
#include "sven/session.hpp"
#include "sven/statistics.hpp"
#include "sven/svm.hpp"

namespace svenet {
namespace {

sven::Setting setting_of(const std::string& form, double first, double second) {
    if (form == "budget") return sven::Budget{first, second};
    if (form == "penalty") return sven::Penalty{first, second};
    if (form == "mixing") return sven::Mixing{first, second, sven::Convention::documented};
    if (form == "glmnet") return sven::Mixing{first, second, sven::Convention::glmnet};
    throw std::invalid_argument("no such form: " + form);
}

sven::Measure measure_of(const std::string& name) {
    if (name == "auto") return sven::Measure::automatic;
    if (name == "deviance") return sven::Measure::deviance;
    if (name == "mse") return sven::Measure::mse;
    if (name == "mae") return sven::Measure::mae;
    if (name == "class") return sven::Measure::classification;
    if (name == "auc") return sven::Measure::auc;
    throw std::invalid_argument("no such measure: " + name);
}

// One column of numbers over the solutions.
template <class T, class Read>
nb::object column(const std::vector<sven::Solution>& solutions, const Read& read) {
    std::vector<T> values;
    values.reserve(solutions.size());
    for (const sven::Solution& solution : solutions)
        values.push_back(static_cast<T>(read(solution)));
    return to_numpy(std::move(values));
}

// The coefficients as the parts of a compressed matrix, one line for each solution.
void add_coefficients(nb::dict& result, const std::vector<sven::Solution>& solutions) {
    std::vector<std::int64_t> indptr{0};
    std::vector<std::int64_t> indices;
    std::vector<double> data;
    for (const sven::Solution& solution : solutions) {
        for (const sven::Coefficient& coefficient : solution.coefficients) {
            indices.push_back(coefficient.feature);
            data.push_back(coefficient.value);
        }
        indptr.push_back(static_cast<std::int64_t>(indices.size()));
    }
    result["indptr"] = to_numpy(std::move(indptr));
    result["indices"] = to_numpy(std::move(indices));
    result["data"] = to_numpy(std::move(data));
}

nb::str text_of(sven::Status status) {
    const std::string_view name = sven::name(status);
    return nb::str(name.data(), name.size());
}

nb::str text_of(sven::Refit refit) {
    const std::string_view name = sven::name(refit);
    return nb::str(name.data(), name.size());
}

nb::list texts_of(const std::vector<sven::Refit>& refits) {
    nb::list texts;
    for (const sven::Refit refit : refits) texts.append(text_of(refit));
    return texts;
}

void add_relaxed(nb::dict& answer, const std::vector<sven::Relaxed>& relaxed) {
    std::vector<sven::Solution> solutions;
    std::vector<sven::Refit> refits;
    for (const sven::Relaxed& one : relaxed) {
        solutions.push_back(one.solution);
        refits.push_back(one.refit);
    }
    answer["relaxed"] = to_dict(solutions);
    answer["refit"] = texts_of(refits);
}

// Tables by gamma, setting and fold.
void add_gammas(nb::dict& answer, const sven::CvRelaxed& relaxed, std::size_t settings) {
    if (relaxed.curves.empty()) return;
    const std::size_t count = relaxed.curves.size();
    const std::size_t folds = relaxed.fold_refit.size() / settings;
    std::vector<double> gammas, mean, standard_error, fold_error;
    for (const sven::GammaCurve& one : relaxed.curves) {
        gammas.push_back(one.gamma);
        mean.insert(mean.end(), one.mean.begin(), one.mean.end());
        standard_error.insert(standard_error.end(), one.standard_error.begin(),
                              one.standard_error.end());
        fold_error.insert(fold_error.end(), one.fold_error.begin(), one.fold_error.end());
    }
    answer["gammas"] = to_numpy(std::move(gammas));
    answer["gamma_mean"] = to_numpy(std::move(mean), {count, settings});
    answer["gamma_standard_error"] = to_numpy(std::move(standard_error), {count, settings});
    answer["gamma_fold_error"] = to_numpy(std::move(fold_error), {count, settings, folds});
    const auto place = [](const sven::CvChoice& choice) {
        return nb::make_tuple(choice.gamma, choice.lambda);
    };
    answer["gamma_best"] = place(relaxed.best);
    answer["gamma_one_standard_error"] = place(relaxed.one_standard_error);
    answer["fold_refit"] = texts_of(relaxed.fold_refit);
    answer["refit_gap"] = to_numpy(std::vector<double>(relaxed.fold_gap), {settings, folds});
    nb::list statuses;
    for (const sven::Status status : relaxed.fold_status) statuses.append(text_of(status));
    answer["refit_status"] = statuses;
    add_relaxed(answer, relaxed.path);
}

// At both choices, where they were kept.
void add_predictions(nb::dict& answer, const char* name, sven::OutOfFold kept) {
    if (kept.best.empty()) return;
    answer[name] = nb::make_tuple(to_numpy(std::move(kept.best)),
                                  to_numpy(std::move(kept.one_standard_error)));
}

std::vector<sven::Fold> folds_by(const std::string& kind, const RealVector& values, int count,
                                 std::uint64_t seed, int repeats) {
    const auto rows = static_cast<sven::Index>(values.size());
    if (kind == "time_ordered") return sven::time_ordered_folds(rows, count);
    if (kind == "stratified") return sven::stratified_folds(span_of(values), count, seed, repeats);
    if (kind != "grouped") return sven::make_folds(rows, count, seed, repeats);
    const std::vector<sven::Index> groups(values.data(), values.data() + values.size());
    return sven::grouped_folds(groups, count, seed, repeats);
}

// Settings by features, where they were asked for; what a cancel left undone has none.
void add_proofs(nb::dict& result, const std::vector<sven::Solution>& solutions) {
    std::vector<std::uint8_t> proofs;
    for (const sven::Solution& solution : solutions)
        for (const sven::Proof proof : solution.proofs)
            proofs.push_back(static_cast<std::uint8_t>(proof));
    const std::size_t features = solutions.empty() ? 0 : solutions.front().proofs.size();
    if (features > 0 && proofs.size() == features * solutions.size())
        result["proofs"] = to_numpy(std::move(proofs), {solutions.size(), features});
}

}  // namespace

nb::dict to_dict(const std::vector<sven::Solution>& solutions) {
    using sven::Solution;
    nb::dict result;
    add_coefficients(result, solutions);
    result["intercept"] = column<double>(solutions, [](const Solution& s) { return s.intercept; });
    result["t"] = column<double>(solutions, [](const Solution& s) { return s.t; });
    result["lambda1"] = column<double>(solutions, [](const Solution& s) { return s.l1; });
    result["lambda2"] = column<double>(solutions, [](const Solution& s) { return s.l2; });
    result["deviance"] = column<double>(solutions, [](const Solution& s) { return s.deviance; });
    result["null_deviance"] =
        column<double>(solutions, [](const Solution& s) { return s.null_deviance; });
    result["objective"] = column<double>(solutions, [](const Solution& s) { return s.objective; });
    result["gap"] = column<double>(solutions, [](const Solution& s) { return s.gap; });
    result["iterations"] =
        column<std::int64_t>(solutions, [](const Solution& s) { return s.iterations; });
    nb::list status;
    std::vector<std::int64_t> certificate;
    for (const Solution& solution : solutions) {
        status.append(text_of(solution.status));
        const auto& [selected, zero, undecided, left_out] = solution.certificate;
        certificate.insert(certificate.end(), {selected, zero, undecided, left_out});
    }
    result["status"] = status;
    result["certificate"] = to_numpy(std::move(certificate), {solutions.size(), 4});
    add_proofs(result, solutions);
    // The columns are the same for every setting.
    std::vector<std::int64_t> left_out;
    if (!solutions.empty())
        left_out.assign(solutions.front().left_out.begin(), solutions.front().left_out.end());
    result["left_out"] = to_numpy(std::move(left_out));
    return result;
}

sven::Family family_of(const std::string& name) {
    if (name == "gaussian") return sven::Family::gaussian;
    if (name == "binomial") return sven::Family::binomial;
    if (name == "poisson") return sven::Family::poisson;
    throw std::invalid_argument("no such family: " + name);
}

RegressionProblem make_problem(nb::handle matrix, const RealVector& y,
                               const ProblemVectors& vectors, const ProblemFlags& flags) {
    const auto& [weights, factors, lower, upper, offset] = vectors;
    RegressionProblem result{nb::borrow(matrix), y, weights, factors, lower, upper, offset, {}};
    if (nb::isinstance<sven::Statistics>(matrix))
        result.problem.statistics = &nb::cast<const sven::Statistics&>(matrix);
    else
        result.problem.X = nb::cast<const Matrix&>(matrix).view;
    result.problem.y = span_of(y);
    if (weights) result.problem.weights = span_of(*weights);
    if (factors) result.problem.penalty_factors = span_of(*factors);
    if (lower) result.problem.lower = span_of(*lower);
    if (upper) result.problem.upper = span_of(*upper);
    if (offset) result.problem.offset = span_of(*offset);
    result.problem.family = flags.family;
    result.problem.nonnegative = flags.nonnegative;
    result.problem.intercept = flags.intercept;
    result.problem.standardize = flags.standardize;
    return result;
}

std::vector<sven::Setting> settings_of(const std::string& form, const RealVector& first,
                                       const RealVector& second) {
    if (first.size() != second.size())
        throw std::invalid_argument("the two parameters of the settings differ in length");
    std::vector<sven::Setting> settings;
    for (std::size_t k = 0; k < first.size(); ++k)
        settings.push_back(setting_of(form, first.data()[k], second.data()[k]));
    return settings;
}

sven::Grid lasso_grid(int count, double min_ratio, bool glmnet) {
    sven::Grid grid{.alpha = 1, .count = count, .min_ratio = min_ratio};
    if (glmnet) grid.convention = sven::Convention::glmnet;
    return grid;
}

nb::object lambdas_of(const std::vector<sven::Setting>& settings) {
    std::vector<double> lambdas;
    lambdas.reserve(settings.size());
    for (const sven::Setting& setting : settings)
        lambdas.push_back(std::get<sven::Mixing>(setting).lambda);
    return to_numpy(std::move(lambdas));
}

sven::CrossValidation plan_of(const Folds& folds, double alpha, const RealVector& lambdas,
                              const FoldTerms& terms) {
    sven::CrossValidation plan;
    plan.measure = measure_of(terms.measure);
    plan.held = terms.held == "penalty" ? sven::Held::penalty : sven::Held::lambda;
    plan.gammas.assign(terms.gammas.data(), terms.gammas.data() + terms.gammas.size());
    plan.keeps_predictions = terms.keeps_predictions;
    plan.grouped = terms.grouped;
    for (const auto& [train_rows, test_rows] : folds)
        plan.folds.push_back({.test = {test_rows.data(), test_rows.data() + test_rows.size()},
                              .train = {train_rows.data(), train_rows.data() + train_rows.size()}});
    plan.grids = {sven::Grid{.alpha = alpha}};
    plan.lambdas.assign(lambdas.data(), lambdas.data() + lambdas.size());
    return plan;
}

nb::dict to_dict(sven::CvResult result) {
    sven::CvCurve& curve = result.curves.front();
    const std::size_t settings = curve.lambda.size();
    const std::size_t folds = curve.fold_error.size() / settings;
    nb::dict answer = to_dict(curve.path);
    answer["fold_error"] = to_numpy(std::move(curve.fold_error), {settings, folds});
    answer["fold_gap"] = to_numpy(std::move(curve.fold_gap), {settings, folds});
    nb::list fold_status;  // in the order of the others
    for (const sven::Status status : curve.fold_status) fold_status.append(text_of(status));
    answer["fold_status"] = fold_status;
    answer["mean"] = to_numpy(std::move(curve.mean));
    answer["standard_error"] = to_numpy(std::move(curve.standard_error));
    answer["best"] = curve.best;
    answer["one_standard_error"] = curve.one_standard_error;
    add_gammas(answer, curve.relaxed, settings);
    add_predictions(answer, "out_of_fold", std::move(curve.out_of_fold));
    add_predictions(answer, "relaxed_out_of_fold", std::move(curve.relaxed.out_of_fold));
    return answer;
}

nb::dict solve_path(const RegressionProblem& problem, const std::string& form,
                    const RealVector& first, const RealVector& second, const SolveOptions& options,
                    const PathTerms& terms) {
    const std::vector<sven::Setting> settings = settings_of(form, first, second);
    std::vector<sven::Solution> path;
    std::vector<sven::Relaxed> relaxed;
    Runner runner(options);
    runner.run([&] {
        if (!terms.relax && !terms.least_gain) {
            path = sven::solve_path(problem.problem, settings, runner.options());
            return;
        }
        sven::Session session(problem.problem, runner.options());
        path = terms.least_gain ? session.solve_path(settings, {.least_gain = *terms.least_gain})
                                : session.solve_path(settings);
        if (terms.relax) relaxed = session.relax(path);
    });
    nb::dict answer = to_dict(path);
    if (terms.relax) add_relaxed(answer, relaxed);
    return answer;
}

nb::list solve_paths(const RegressionProblem& problem, const RealVector& responses,
                     const std::string& form, const RealVector& first, const RealVector& second,
                     const SolveOptions& options) {
    const std::vector<sven::Setting> settings = settings_of(form, first, second);
    std::vector<std::vector<sven::Solution>> paths;
    Runner runner(options);
    runner.run([&] {
        paths = sven::solve_paths(problem.problem, span_of(responses), settings, runner.options());
    });
    nb::list answers;
    for (const std::vector<sven::Solution>& path : paths) answers.append(to_dict(path));
    return answers;
}

nb::object lambda_grid(const RegressionProblem& problem, int count, double min_ratio, bool glmnet,
                       const SolveOptions& options) {
    std::vector<sven::Setting> settings;
    Runner runner(options);
    runner.run([&] {
        settings = sven::lambda_grid(problem.problem, lasso_grid(count, min_ratio, glmnet),
                                     runner.options());
    });
    return lambdas_of(settings);
}

nb::dict cross_validate(const RegressionProblem& problem, const sven::CrossValidation& plan,
                        const SolveOptions& options) {
    sven::CvResult result;
    Runner runner(options);
    runner.run([&] { result = sven::cross_validate(problem.problem, plan, runner.options()); });
    return to_dict(std::move(result));
}

nb::list make_folds(const std::string& kind, const RealVector& values, int count,
                    std::uint64_t seed, int repeats) {
    nb::list pairs;
    for (sven::Fold& fold : folds_by(kind, values, count, seed, repeats)) {
        std::vector<std::int64_t> train(fold.train.begin(), fold.train.end());
        std::vector<char> is_tested(values.size(), 0);
        for (const sven::Index i : fold.test) is_tested[i] = 1;
        for (std::size_t i = 0; i < is_tested.size() && fold.train.empty(); ++i)
            if (is_tested[i] == 0) train.push_back(static_cast<std::int64_t>(i));
        std::vector<std::int64_t> test(fold.test.begin(), fold.test.end());
        pairs.append(nb::make_tuple(to_numpy(std::move(train)), to_numpy(std::move(test))));
    }
    return pairs;
}

nb::dict train(const Matrix& matrix, const RealVector& labels, const RealVector& costs,
               const SolveOptions& options) {
    const sven::svm::Classification problem{
        .X = matrix.view, .labels = span_of(labels), .costs = span_of(costs)};
    sven::svm::Classifier classifier;
    Runner runner(options);
    runner.run([&] { classifier = sven::svm::train(problem, runner.options()); });
    nb::dict result;
    result["w"] = to_numpy(std::move(classifier.w));
    result["alpha"] = to_numpy(std::move(classifier.alpha));
    result["objective"] = classifier.objective;
    result["gap"] = classifier.gap;
    result["iterations"] = classifier.iterations;
    result["status"] = text_of(classifier.status);
    return result;
}

nb::object transform(const std::string& family, const std::string& type, const RealVector& eta) {
    auto kind = sven::Prediction::link;
    if (type == "response") kind = sven::Prediction::response;
    if (type == "class") kind = sven::Prediction::label;
    std::vector<double> values(eta.data(), eta.data() + eta.size());
    sven::transform_predictions(family_of(family), kind, values);
    return to_numpy(std::move(values));
}

nb::object multiply(const Matrix& matrix, const RealVector& coefficients) {
    std::vector<sven::Coefficient> selected;
    for (std::size_t j = 0; j < coefficients.size(); ++j)
        if (coefficients.data()[j] != 0)
            selected.push_back(
                {.feature = static_cast<sven::Index>(j), .value = coefficients.data()[j]});
    std::vector<double> product;
    {
        const WithoutGil released;
        product = sven::predict(matrix.view, 0, selected);
    }
    return to_numpy(std::move(product));
}

}  // namespace svenet
