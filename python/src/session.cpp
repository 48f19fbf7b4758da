#include "session.hpp"

#include <stdexcept>

namespace svenet {
namespace {

std::span<const double> span_or_none(const std::optional<RealVector>& vector) {
    return vector ? span_of(*vector) : std::span<const double>();
}

}  // namespace

Session::Session(const RegressionProblem& problem, const SolveOptions& options)
    : problem_(problem), runner_(options) {
    run([&] { session_.emplace(problem_.problem, runner_.options()); });
}

void Session::run(const std::function<void()>& work) {
    if (is_running_) throw std::runtime_error("a session serves one thread at a time");
    is_running_ = true;
    try {
        runner_.run(work);
    } catch (...) {
        is_running_ = false;
        throw;
    }
    is_running_ = false;
}

void Session::set_response(const RealVector& y) {
    run([&] { session_->set_response(span_of(y)); });
}

void Session::set_weights(const std::optional<RealVector>& weights) {
    run([&] { session_->set_weights(span_or_none(weights)); });
}

void Session::set_offset(const std::optional<RealVector>& offset) {
    run([&] { session_->set_offset(span_or_none(offset)); });
}

void Session::set_options(const SolveOptions& options) {
    if (is_running_) throw std::runtime_error("a session serves one thread at a time");
    runner_.change(options);
    session_->set_options(runner_.options());
}

nb::dict Session::solve(const std::string& form, const RealVector& first,
                        const RealVector& second) {
    const std::vector<sven::Setting> settings = settings_of(form, first, second);
    std::vector<sven::Solution> path;
    run([&] { path = session_->solve_path(settings); });
    return to_dict(path);
}

nb::object Session::lambda_grid(int count, double min_ratio, bool glmnet) {
    std::vector<sven::Setting> settings;
    run([&] { settings = session_->lambda_grid(lasso_grid(count, min_ratio, glmnet)); });
    return lambdas_of(settings);
}

nb::dict Session::cross_validate(const sven::CrossValidation& plan) {
    sven::CvResult result;
    run([&] { result = session_->cross_validate(plan); });
    return to_dict(std::move(result));
}

}  // namespace svenet
