#include "sven/session.hpp"

#include <array>
#include <string>

#include "api/calls.hpp"
#include "api/validate.hpp"
#include "linalg/memory.hpp"
#include "sven/error.hpp"
#include "sven/statistics.hpp"

namespace sven {
namespace {

std::vector<double> copy_of(std::span<const double> values) {
    return {values.begin(), values.end()};
}

}  // namespace

struct Session::State {
    Options options;  // as asked for
    linalg::RowVector y;
    std::vector<double> offset, weights, factors, lower, upper;
    std::vector<double> response;  // y - offset, where the response is that
    Statistics statistics;
    Problem problem;                        // of these
    std::unique_ptr<path::Session> solver;  // null before the first solve

    void refuse_statistics() const {
        if (problem.statistics != nullptr)
            throw InvalidArgument("statistics have one response and one weighting of the rows");
    }

    // Once y - offset is found to be a response.
    void take(linalg::RowVector new_y, std::vector<double> new_offset) {
        refuse_statistics();
        Problem trial = problem;
        trial.y = new_y;
        api::validate_response(trial);
        trial.offset = new_offset;
        api::validate_offset(trial);
        api::validate_family(trial);
        keep(std::move(new_y), std::move(new_offset));
    }

    void keep(linalg::RowVector new_y, std::vector<double> new_offset) {
        // other responses keep theirs beside the linear predictor
        const bool is_gaussian = problem.family == Family::gaussian;
        const bool is_difference = is_gaussian && !new_offset.empty();
        std::vector<double> difference;
        if (is_difference) difference = path::without_offset(new_y, new_offset);
        y = std::move(new_y);
        offset = std::move(new_offset);
        response = std::move(difference);
        problem.y = y;
        if (is_difference) problem.y = response;
        if (!is_gaussian) problem.offset = offset;
        if (solver != nullptr) solver->set_response(problem.y, problem.offset);
    }

    // call(solver), once more on the CPU where a device that nobody insisted on has failed. The
    // first call tells what the session is for.
    template <class Call>
    auto run(const path::Asked& asked, const Call& call) {
        return api::with_fallback(problem, options, [&](const Options& chosen) {
            if (chosen.device != options.device) solver.reset();
            if (solver == nullptr) solver = std::make_unique<path::Session>(problem, chosen, asked);
            return call(*solver);
        });
    }
};

Session::Session(const Problem& problem, const Options& options)
    : state_(std::make_unique<State>()) {
    api::validate(problem);
    api::validate(problem, options);
    State& state = *state_;
    state.options = options;
    state.weights = copy_of(problem.weights);
    state.factors = copy_of(problem.penalty_factors);
    state.problem = problem;
    state.problem.weights = state.weights;
    state.problem.penalty_factors = state.factors;
    state.lower = copy_of(problem.lower);
    state.upper = copy_of(problem.upper);
    state.problem.lower = state.lower;
    state.problem.upper = state.upper;
    state.problem.offset = {};
    if (problem.statistics != nullptr) {
        state.statistics = *problem.statistics;
        state.problem.statistics = &state.statistics;
    } else {
        state.keep({problem.y.begin(), problem.y.end()}, copy_of(problem.offset));
    }
}

Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

void Session::set_response(std::span<const double> y) {
    state_->take({y.begin(), y.end()}, state_->offset);
}

void Session::set_offset(std::span<const double> offset) {
    state_->take(state_->y, copy_of(offset));
}

void Session::set_weights(std::span<const double> weights) {
    state_->refuse_statistics();
    Problem trial = state_->problem;
    trial.weights = weights;
    api::validate_weights(trial);
    api::validate_family(trial);
    state_->weights = copy_of(weights);
    state_->problem.weights = state_->weights;
    if (state_->solver != nullptr) state_->solver->set_weights(state_->problem.weights);
}

void Session::set_options(const Options& options) {
    api::validate(options);
    Options& now = state_->options;
    if (options.method != now.method || options.svm != now.svm || options.device != now.device ||
        options.threads != now.threads)
        throw InvalidArgument("a session keeps its method, SVM, device and number of threads");
    now = options;
    if (state_->solver != nullptr) state_->solver->set_options(options);
}

Solution Session::fit(const Setting& setting) {
    const std::array settings{setting};
    return std::move(solve_path(settings).front());
}

std::vector<Solution> Session::solve_path(std::span<const Setting> settings) {
    api::validate(settings);
    api::validate_outcome(state_->problem, state_->options);
    if (settings.empty()) return {};
    return state_->run({settings.size(), 1},
                       [&](path::Session& solver) { return solver.solve(settings); });
}

std::vector<Solution> Session::solve_path(std::span<const Setting> settings, const PathEnd& end) {
    api::validate(settings);
    api::validate_outcome(state_->problem, state_->options);
    if (end.least_settings < 2)
        throw InvalidArgument("a path ends after two settings at the earliest");
    if (settings.empty()) return {};
    return state_->run({settings.size(), 1},
                       [&](path::Session& solver) { return solver.solve_until(settings, end); });
}

std::vector<Relaxed> Session::relax(std::span<const Solution> path) {
    api::validate_relax(state_->problem, path);
    return state_->run({path.size(), 1}, [&](path::Session& solver) { return solver.relax(path); });
}

std::vector<Setting> Session::lambda_grid(const Grid& grid) {
    const path::Asked asked{static_cast<std::size_t>(std::max(0, grid.count)), 1};
    return state_->run(asked, [&](path::Session& solver) {
        return std::move(api::lambda_grids(solver, {&grid, 1}, api::Purpose::path).front());
    });
}

CvResult Session::cross_validate(const CrossValidation& plan) {
    return state_->run(api::asked(plan), [&](path::Session& solver) {
        return api::cross_validate(solver, plan, state_->offset);
    });
}

Reads Session::reads() const {
    return state_->solver != nullptr ? state_->solver->reads() : Reads{};
}

}  // namespace sven
