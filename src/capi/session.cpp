#include "sven/session.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "capi/convert.hpp"
#include "capi/results.hpp"
#include "sven/device.hpp"
#include "sven/version.h"

using sven::Index;
using sven::capi::guarded;
using sven::capi::require;

struct SvenSession {
    Index rows = 0;
    Index cols = 0;
    std::atomic<bool> is_asked_to_stop = false;  // by sven_cancel
    sven::CancelToken stop = false;  // what the solver looks at; set by the progress function too
    std::optional<sven::Session> solver;
    // What the deviance of a blend is made of, as the solver has it.
    sven::Problem problem;
    std::vector<double> y, weights, offset;

    static void keep(std::span<const double> given, std::vector<double>& kept,
                     std::span<const double>& view) {
        kept.assign(given.begin(), given.end());
        view = kept;
    }

    sven::Options options_of(const SvenOptions& given) {
        sven::Options options = sven::capi::options_of(given);
        options.cancel = &stop;
        if (given.progress != nullptr)
            options.progress = [this, report = given.progress,
                                user = given.user](const sven::Progress& progress) {
                if (report(progress.done, progress.total, progress.gap, user) != 0) stop = true;
            };
        return options;
    }

    // What the last call's progress function asked for is over. In this order a sven_cancel that
    // comes meanwhile is not lost: it sets the two in the other one.
    void begin() {
        stop = false;
        if (is_asked_to_stop) stop = true;
    }
};

namespace {

std::span<const double> row_numbers(const SvenSession& session, const double* data) {
    return sven::capi::numbers(data, session.rows);
}

// call(session) on a session that is ready for it.
template <class Call>
int on_session(SvenSession* session, const Call& call) {
    return guarded([&] {
        require(session, "session");
        session->begin();
        call(*session);
    });
}

// The same for a call with a result, which is NULL where it fails.
template <class Result, class Call>
int result_of(SvenSession* session, const char* name, Result** result, const Call& call) {
    return guarded([&] {
        require(result, name);
        *result = nullptr;
        require(session, "session");
        session->begin();
        *result = std::make_unique<Result>(call(), session->cols).release();
    });
}

}  // namespace

const char* sven_version(void) {
    return SVEN_VERSION;
}

int sven_version_number(void) {
    return SVEN_VERSION_NUMBER;
}

int sven_device_name(char* name, size_t size) {
    return guarded([&] {
        require(name, "name");
        if (size == 0) throw sven::InvalidArgument("the size of the name is 0");
        name[0] = '\0';
        const std::vector<sven::DeviceInfo> devices = sven::devices();
        if (devices.empty()) throw sven::DeviceError(sven::why_no_device());
        const std::size_t length = std::min(size - 1, devices.front().name.size());
        std::copy_n(devices.front().name.data(), length, name);
        name[length] = '\0';
    });
}

int sven_session_create(const SvenProblem* problem, const SvenOptions* options,
                        SvenSession** session) {
    return guarded([&] {
        require(session, "session");
        *session = nullptr;
        const SvenProblem given =
            sven::capi::read("problem", problem, sven::capi::default_problem());
        const SvenOptions chosen =
            options == nullptr
                ? sven::capi::default_options()
                : sven::capi::read("options", options, sven::capi::default_options());
        const sven::MatrixView X = sven::capi::view_of(given.X);
        auto made = std::make_unique<SvenSession>();
        made->rows = sven::rows(X);
        made->cols = sven::cols(X);
        made->problem = sven::capi::problem_of(given, X);
        made->solver.emplace(made->problem, made->options_of(chosen));
        if (given.offset != nullptr) made->solver->set_offset(row_numbers(*made, given.offset));
        made->problem.penalty_factors = made->problem.lower = made->problem.upper = {};
        SvenSession::keep(made->problem.y, made->y, made->problem.y);
        SvenSession::keep(made->problem.weights, made->weights, made->problem.weights);
        SvenSession::keep(row_numbers(*made, given.offset), made->offset, made->problem.offset);
        *session = made.release();
    });
}

void sven_session_free(SvenSession* session) {
    delete session;
}

int sven_set_response(SvenSession* session, const double* y) {
    return on_session(session, [&](SvenSession& it) {
        require(y, "y");
        it.solver->set_response(row_numbers(it, y));
        SvenSession::keep(row_numbers(it, y), it.y, it.problem.y);
    });
}

int sven_set_weights(SvenSession* session, const double* weights) {
    return on_session(session, [&](SvenSession& it) {
        it.solver->set_weights(row_numbers(it, weights));
        SvenSession::keep(row_numbers(it, weights), it.weights, it.problem.weights);
    });
}

int sven_set_offset(SvenSession* session, const double* offset) {
    return on_session(session, [&](SvenSession& it) {
        it.solver->set_offset(row_numbers(it, offset));
        SvenSession::keep(row_numbers(it, offset), it.offset, it.problem.offset);
    });
}

int sven_set_options(SvenSession* session, const SvenOptions* options) {
    return on_session(session, [&](SvenSession& it) {
        it.solver->set_options(
            it.options_of(sven::capi::read("options", options, sven::capi::default_options())));
    });
}

int sven_cancel(SvenSession* session, int flag) {
    return guarded([&] {
        require(session, "session");
        session->is_asked_to_stop = flag != 0;
        session->stop = flag != 0;
    });
}

int sven_fit(SvenSession* session, int form, double first, double second, SvenPath** path) {
    return sven_solve_path(session, form, &first, &second, 1, path);
}

int sven_solve_path(SvenSession* session, int form, const double* first, const double* second,
                    int64_t count, SvenPath** path) {
    return result_of(session, "path", path, [&] {
        if (count < 0) throw sven::InvalidArgument("the number of settings is negative");
        if (count > 0) require(first, "first");
        if (count > 0) require(second, "second");
        std::vector<sven::Setting> settings;
        for (Index k = 0; k < count; ++k)
            settings.push_back(sven::capi::setting_of(form, first[k], second[k]));
        return session->solver->solve_path(settings);
    });
}

int sven_relax(SvenSession* session, const SvenPath* path, SvenPath** relaxed) {
    return result_of(session, "relaxed", relaxed, [&] {
        require(path, "path");
        std::vector<sven::Solution> solutions;
        for (std::size_t k = 0; k < path->solved.size(); ++k)
            solutions.push_back(sven::capi::whole_solution(*path, k));
        return session->solver->relax(solutions);
    });
}

int sven_blend(SvenSession* session, const SvenPath* path, const SvenPath* relaxed, double gamma,
               SvenPath** blended) {
    return result_of(session, "blended", blended, [&] {
        require(path, "path");
        require(relaxed, "relaxed");
        if (path->solved.size() != relaxed->solved.size())
            throw sven::InvalidArgument("the path has " + std::to_string(path->solved.size()) +
                                        " solutions and the relaxed path " +
                                        std::to_string(relaxed->solved.size()));
        std::vector<sven::Solution> solutions;
        for (std::size_t k = 0; k < path->solved.size(); ++k)
            solutions.push_back(sven::blend(session->problem, sven::capi::whole_solution(*path, k),
                                            sven::capi::whole_solution(*relaxed, k), gamma));
        return solutions;
    });
}

int sven_lambda_grid(SvenSession* session, int form, double alpha, double min_ratio, int64_t count,
                     double* lambdas) {
    return on_session(session, [&](SvenSession& it) {
        require(lambdas, "lambdas");
        const std::vector<sven::Setting> grid =
            it.solver->lambda_grid(sven::capi::grid_of(form, alpha, min_ratio, count));
        std::transform(grid.begin(), grid.end(), lambdas, [](const sven::Setting& setting) {
            return std::get<sven::Mixing>(setting).lambda;
        });
    });
}

namespace {

// Each row's fold, repeat after repeat.
void number_rows(const std::vector<sven::Fold>& made, Index rows, Index folds,
                 int64_t* fold_of_row) {
    require(fold_of_row, "fold_of_row");
    for (std::size_t k = 0; k < made.size(); ++k)
        for (const Index i : made[k].test)
            fold_of_row[static_cast<Index>(k) / folds * rows + i] = static_cast<Index>(k) % folds;
}

std::size_t length(int64_t rows) {
    if (rows < 0) throw sven::InvalidArgument("the number of rows is " + std::to_string(rows));
    return static_cast<std::size_t>(rows);
}

}  // namespace

int sven_make_folds(int64_t rows, int32_t folds, uint64_t seed, int32_t repeats,
                    int64_t* fold_of_row) {
    return guarded([&] {
        number_rows(sven::make_folds(rows, folds, seed, repeats), rows, folds, fold_of_row);
    });
}

int sven_stratified_folds(int64_t rows, const double* y, int32_t folds, uint64_t seed,
                          int32_t repeats, int64_t* fold_of_row) {
    return guarded([&] {
        require(y, "y");
        number_rows(sven::stratified_folds({y, length(rows)}, folds, seed, repeats), rows, folds,
                    fold_of_row);
    });
}

int sven_grouped_folds(int64_t rows, const int64_t* group_of_row, int32_t folds, uint64_t seed,
                       int32_t repeats, int64_t* fold_of_row) {
    return guarded([&] {
        require(group_of_row, "group_of_row");
        number_rows(sven::grouped_folds({group_of_row, length(rows)}, folds, seed, repeats), rows,
                    folds, fold_of_row);
    });
}

int sven_cross_validate(SvenSession* session, const SvenCvPlan* plan, SvenCv** cv) {
    return result_of(session, "cv", cv, [&] {
        const SvenCvPlan given = sven::capi::read("plan", plan, sven::capi::default_cv_plan());
        return session->solver->cross_validate(sven::capi::plan_of(given, session->rows));
    });
}
