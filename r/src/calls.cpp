// The entry points of the package. Each works on a session, an external pointer that keeps the
// matrix alive. Failures are lists, which the R code turns into conditions: R's errors are long
// jumps, and would pass destructors by.

#define R_NO_REMAP
#include <R_ext/Rdynload.h>
#include <R_ext/Visibility.h>
#include <Rinternals.h>

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "arguments.hpp"
#include "results.hpp"
#include "runner.hpp"
#include "sven/build.hpp"
#include "sven/session.hpp"

namespace svenet {
namespace {

// Made at the first call, which can then be interrupted like every other; and the path that was
// solved last, for its relaxed fits.
struct Kept {
    std::optional<sven::Session> session;
    std::vector<sven::Solution> path;
};

void free_session(SEXP handle) {
    delete static_cast<Kept*>(R_ExternalPtrAddr(handle));
    R_ClearExternalPtr(handle);
}

// What the other thread does; made on R's own, since it is made of R's objects.
using Work = std::function<void(Kept&, Outcome&)>;
using Prepare = std::function<Work()>;

// Sets the session up if need be and does the work, both on the other thread.
void attempt(SEXP handle, SEXP control, Outcome& outcome, const Prepare& prepare) {
    try {
        auto* kept = static_cast<Kept*>(R_ExternalPtrAddr(handle));
        if (kept == nullptr)
            throw std::invalid_argument("this session is of an R process that has ended");
        const sven::Problem problem = problem_of(R_ExternalPtrProtected(handle));
        const Work work = prepare();
        Runner runner(options_of(control), flag(control, "trace"));
        outcome.is_interrupted = !runner.run([&] {
            if (kept->session)
                kept->session->set_options(runner.options());
            else
                kept->session.emplace(problem, runner.options());
            work(*kept, outcome);
        });
    } catch (const std::bad_alloc&) {
        outcome.error = "there is not enough memory";
    } catch (const std::exception& error) {
        outcome.error = error.what();
    }
}

using Convert = SEXP (*)(const Outcome&);

SEXP perform(SEXP handle, SEXP control, const Prepare& prepare, Convert convert) {
    SEXP holder = PROTECT(make_outcome());
    Outcome& outcome = outcome_of(holder);
    attempt(handle, control, outcome, prepare);
    SEXP answer = PROTECT(failure_list(outcome));
    if (Rf_isNull(answer)) {
        UNPROTECT(1);
        answer = PROTECT(convert(outcome));
    }
    UNPROTECT(2);
    return answer;
}

}  // namespace
}  // namespace svenet

extern "C" {

SEXP svenet_session(SEXP problem) {
    SEXP handle = PROTECT(R_MakeExternalPtr(nullptr, R_NilValue, problem));
    R_RegisterCFinalizer(handle, svenet::free_session);
    R_SetExternalPtrAddr(handle, new svenet::Kept);
    UNPROTECT(1);
    return handle;
}

SEXP svenet_path(SEXP handle, SEXP settings, SEXP control) {
    return svenet::perform(
        handle, control,
        [&]() -> svenet::Work {
            return [list = svenet::settings_of(settings), end = svenet::end_of(settings)](
                       svenet::Kept& kept, svenet::Outcome& outcome) {
                outcome.path =
                    end ? kept.session->solve_path(list, *end) : kept.session->solve_path(list);
                kept.path = outcome.path;
            };
        },
        [](const svenet::Outcome& outcome) { return svenet::path_list(outcome.path); });
}

// The relaxed fits of the first `count` solutions of the path that was solved last.
SEXP svenet_relax(SEXP handle, SEXP count, SEXP control) {
    return svenet::perform(
        handle, control,
        [&]() -> svenet::Work {
            return [wanted = static_cast<std::size_t>(Rf_asInteger(count))](
                       svenet::Kept& kept, svenet::Outcome& outcome) {
                if (wanted > kept.path.size())
                    throw std::invalid_argument("the path of this session has been solved again");
                for (sven::Relaxed& relaxed :
                     kept.session->relax(std::span(kept.path).first(wanted))) {
                    outcome.path.push_back(std::move(relaxed.solution));
                    outcome.refits.push_back(relaxed.refit);
                }
            };
        },
        [](const svenet::Outcome& outcome) { return svenet::relaxed_list(outcome); });
}

SEXP svenet_grid(SEXP handle, SEXP count, SEXP ratio, SEXP control) {
    const sven::Grid grid{.alpha = 1,
                          .count = Rf_asInteger(count),
                          .min_ratio = Rf_asReal(ratio),
                          .convention = sven::Convention::glmnet};
    return svenet::perform(
        handle, control,
        [&]() -> svenet::Work {
            return [grid](svenet::Kept& kept, svenet::Outcome& outcome) {
                outcome.grid = kept.session->lambda_grid(grid);
            };
        },
        [](const svenet::Outcome& outcome) { return svenet::grid_vector(outcome.grid); });
}

SEXP svenet_cross_validate(SEXP handle, SEXP plan, SEXP control) {
    return svenet::perform(
        handle, control,
        [&]() -> svenet::Work {
            return [folds = svenet::plan_of(plan)](svenet::Kept& kept, svenet::Outcome& outcome) {
                outcome.validated = kept.session->cross_validate(folds);
            };
        },
        [](const svenet::Outcome& outcome) { return svenet::curve_list(outcome.validated); });
}

// `what`: "y", "weights" or "offset"; NULL takes weights or an offset away.
SEXP svenet_change(SEXP handle, SEXP what, SEXP values, SEXP control) {
    return svenet::perform(
        handle, control,
        [&]() -> svenet::Work {
            const std::string_view name = CHAR(STRING_ELT(what, 0));
            auto change = &sven::Session::set_response;
            if (name == "weights") change = &sven::Session::set_weights;
            if (name == "offset") change = &sven::Session::set_offset;
            return
                [change, numbers = svenet::numbers(values)](svenet::Kept& kept, svenet::Outcome&) {
                    ((*kept.session).*change)(numbers);
                    kept.path.clear();
                };
        },
        [](const svenet::Outcome&) { return R_NilValue; });
}

SEXP svenet_processors() {
    return Rf_ScalarInteger(sven::default_threads());
}

// The name is R's.
void attribute_visible R_init_svenet(DllInfo* library) {  // NOLINT(readability-identifier-naming)
    static const R_CallMethodDef calls[] = {
        {"svenet_session", reinterpret_cast<DL_FUNC>(svenet_session), 1},
        {"svenet_path", reinterpret_cast<DL_FUNC>(svenet_path), 3},
        {"svenet_relax", reinterpret_cast<DL_FUNC>(svenet_relax), 3},
        {"svenet_grid", reinterpret_cast<DL_FUNC>(svenet_grid), 4},
        {"svenet_cross_validate", reinterpret_cast<DL_FUNC>(svenet_cross_validate), 3},
        {"svenet_change", reinterpret_cast<DL_FUNC>(svenet_change), 4},
        {"svenet_processors", reinterpret_cast<DL_FUNC>(svenet_processors), 0},
        {nullptr, nullptr, 0}};
    R_registerRoutines(library, nullptr, calls, nullptr, nullptr);
    R_useDynamicSymbols(library, FALSE);
}

}  // extern "C"
