#include "capi/results.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "capi/convert.hpp"
#include "sven/predict.hpp"

namespace {

using sven::Index;
using sven::capi::at;
using sven::capi::guarded;
using sven::capi::or_null;
using sven::capi::require;

static_assert(SVEN_CANCELLED == static_cast<int>(sven::Status::cancelled));
static_assert(SVEN_GAP_GRAM == static_cast<int>(sven::GapSource::gram));
static_assert(SVEN_LEFT_OUT == static_cast<int>(sven::Proof::left_out));

const sven::capi::Arrays& solution_of(const SvenPath* path, Index k) {
    require(path, "path");
    return at("solution", path->solved, k);
}

SvenSolution plain(const sven::capi::Arrays& arrays) {
    const sven::Solution& solution = arrays.solution;
    const sven::SupportCertificate& certificate = solution.certificate;
    SvenSolution out{};
    out.status = static_cast<std::int32_t>(solution.status);
    out.method = static_cast<std::int32_t>(solution.method);
    out.svm = static_cast<std::int32_t>(solution.svm);
    out.device = static_cast<std::int32_t>(solution.device);
    out.gap_source = static_cast<std::int32_t>(solution.gap_source);
    out.t = solution.t;
    out.l1 = solution.l1;
    out.l2 = solution.l2;
    out.lambda = solution.lambda;
    out.alpha = solution.alpha.value_or(std::numeric_limits<double>::quiet_NaN());
    out.objective = solution.objective;
    out.gap = solution.gap;
    out.intercept = solution.intercept;
    out.seconds = solution.seconds;
    out.iterations = solution.iterations;
    out.nonzeros = static_cast<Index>(arrays.features.size());
    out.features = arrays.features.data();
    out.values = arrays.values.data();
    out.standardized = arrays.standardized.data();
    out.proven_selected = certificate.proven_selected;
    out.proven_zero = certificate.proven_zero;
    out.undecided = certificate.undecided;
    out.left_out = static_cast<Index>(solution.left_out.size());
    out.left_out_features = solution.left_out.data();
    out.deviance = solution.deviance;
    out.null_deviance = solution.null_deviance;
    static_assert(sizeof(sven::Proof) == sizeof(std::uint8_t));
    if (!solution.proofs.empty())
        out.proofs = reinterpret_cast<const std::uint8_t*>(solution.proofs.data());
    return out;
}

SvenCvCurve plain(const sven::CvCurve& curve, const std::vector<std::int32_t>& status) {
    SvenCvCurve out{};
    out.alpha = curve.alpha;
    out.count = static_cast<Index>(curve.lambda.size());
    out.folds = out.count > 0 ? static_cast<Index>(curve.fold_error.size()) / out.count : 0;
    out.lambda = curve.lambda.data();
    out.mean = curve.mean.data();
    out.standard_error = curve.standard_error.data();
    out.fold_error = curve.fold_error.data();
    out.fold_gap = curve.fold_gap.data();
    out.fold_status = status.data();
    out.best = curve.best;
    out.one_standard_error = curve.one_standard_error;
    out.missed = sven::missed(curve);
    out.worst_gap = sven::worst_gap(curve);
    out.out_of_fold_best = or_null(curve.out_of_fold.best);
    out.out_of_fold_one_standard_error = or_null(curve.out_of_fold.one_standard_error);
    return out;
}

struct Model {
    double intercept;
    std::span<const Index> features;
    std::span<const double> values;
};

void predict(const SvenMatrix* X, const Model& model, double* predictions) {
    const sven::MatrixView view = sven::capi::view_of(X);
    require(predictions, "predictions");
    std::vector<sven::Coefficient> coefficients(model.features.size());
    for (std::size_t k = 0; k < coefficients.size(); ++k)
        coefficients[k] = {model.features[k], model.values[k], 0};
    const std::vector<double> out = sven::predict(view, model.intercept, coefficients);
    std::copy(out.begin(), out.end(), predictions);
}

}  // namespace

SvenPath::SvenPath(std::vector<sven::Solution> solutions, sven::Index cols_of_x) : cols(cols_of_x) {
    solved.reserve(solutions.size());
    for (sven::Solution& solution : solutions) {
        sven::capi::Arrays arrays;
        for (const sven::Coefficient& coefficient : solution.coefficients) {
            arrays.features.push_back(coefficient.feature);
            arrays.values.push_back(coefficient.value);
            arrays.standardized.push_back(coefficient.standardized);
        }
        solution.coefficients = {};
        arrays.solution = std::move(solution);
        solved.push_back(std::move(arrays));
    }
}

namespace {

std::vector<sven::Solution> solutions_of(std::vector<sven::Relaxed>& relaxed) {
    std::vector<sven::Solution> solutions;
    solutions.reserve(relaxed.size());
    for (sven::Relaxed& one : relaxed) solutions.push_back(std::move(one.solution));
    return solutions;
}

}  // namespace

SvenPath::SvenPath(std::vector<sven::Relaxed> relaxed, sven::Index cols_of_x)
    : SvenPath(solutions_of(relaxed), cols_of_x) {
    refits.reserve(relaxed.size());
    for (const sven::Relaxed& one : relaxed) refits.push_back(one.refit);
}

sven::Solution sven::capi::whole_solution(const SvenPath& path, std::size_t k) {
    const Arrays& arrays = path.solved[k];
    Solution solution = arrays.solution;
    for (std::size_t j = 0; j < arrays.features.size(); ++j)
        solution.coefficients.push_back(
            {arrays.features[j], arrays.values[j], arrays.standardized[j]});
    return solution;
}

SvenCv::SvenCv(sven::CvResult solved, sven::Index cols_of_x) : result(std::move(solved)) {
    for (sven::CvCurve& curve : result.curves) {
        status.emplace_back();
        for (const sven::Status one : curve.fold_status)
            status.back().push_back(static_cast<std::int32_t>(one));
        paths.emplace_back(std::move(curve.path), cols_of_x);
        refits.emplace_back();
        for (const sven::Refit one : curve.relaxed.fold_refit)
            refits.back().push_back(static_cast<std::int32_t>(one));
        relaxed.emplace_back(std::move(curve.relaxed.path), cols_of_x);
    }
}

const char* sven_status_name(int status) {
    if (status < SVEN_OPTIMAL || status > SVEN_CANCELLED) return "unknown";
    return sven::name(static_cast<sven::Status>(status)).data();  // of string literals
}

int sven_path_count(const SvenPath* path, int64_t* count) {
    return guarded([&] {
        require(path, "path");
        require(count, "count");
        *count = static_cast<Index>(path->solved.size());
    });
}

int sven_path_solution(const SvenPath* path, int64_t k, SvenSolution* solution, size_t size) {
    return guarded(
        [&] { sven::capi::write("solution", plain(solution_of(path, k)), solution, size); });
}

int sven_path_coefficients(const SvenPath* path, int64_t k, double* coefficients, int64_t cols) {
    return guarded([&] {
        const sven::capi::Arrays& arrays = solution_of(path, k);
        require(coefficients, "coefficients");
        if (cols != path->cols)
            throw sven::InvalidArgument(std::to_string(cols) +
                                        " coefficients are asked for; X has " +
                                        std::to_string(path->cols) + " columns");
        std::fill_n(coefficients, cols, 0.0);
        for (std::size_t j = 0; j < arrays.features.size(); ++j)
            coefficients[arrays.features[j]] = arrays.values[j];
    });
}

int sven_path_predict(const SvenPath* path, int64_t k, const SvenMatrix* X, double* predictions) {
    return guarded([&] {
        const sven::capi::Arrays& arrays = solution_of(path, k);
        predict(X, {arrays.solution.intercept, arrays.features, arrays.values}, predictions);
    });
}

void sven_path_free(SvenPath* path) {
    delete path;
}

int sven_predict(const SvenMatrix* X, double intercept, int64_t count, const int64_t* features,
                 const double* values, double* predictions) {
    return guarded([&] {
        if (count < 0) throw sven::InvalidArgument("the number of coefficients is negative");
        if (count > 0) require(features, "features");
        if (count > 0) require(values, "values");
        const auto length = static_cast<std::size_t>(count);
        predict(X, {intercept, {features, length}, {values, length}}, predictions);
    });
}

int sven_transform_predictions(int family, int type, int64_t count, double* values) {
    return guarded([&] {
        if (count < 0) throw sven::InvalidArgument("the number of predictions is negative");
        if (count > 0) require(values, "values");
        sven::transform_predictions(sven::capi::choice("family", family, sven::Family::poisson),
                                    sven::capi::choice("type", type, sven::Prediction::label),
                                    {values, static_cast<std::size_t>(count)});
    });
}

int sven_cv_count(const SvenCv* cv, int64_t* curves) {
    return guarded([&] {
        require(cv, "cv");
        require(curves, "curves");
        *curves = static_cast<Index>(cv->result.curves.size());
    });
}

int sven_cv_best(const SvenCv* cv, int64_t* curve) {
    return guarded([&] {
        require(cv, "cv");
        require(curve, "curve");
        *curve = cv->result.best_curve;
    });
}

int sven_cv_curve(const SvenCv* cv, int64_t k, SvenCvCurve* curve, size_t size) {
    return guarded([&] {
        require(cv, "cv");
        const sven::CvCurve& found = at("curve", cv->result.curves, k);
        sven::capi::write("curve", plain(found, cv->status[static_cast<std::size_t>(k)]), curve,
                          size);
    });
}

int sven_cv_path(const SvenCv* cv, int64_t k, const SvenPath** path) {
    return guarded([&] {
        require(path, "path");
        *path = nullptr;
        require(cv, "cv");
        *path = &at("curve", cv->paths, k);
    });
}

void sven_cv_free(SvenCv* cv) {
    delete cv;
}
