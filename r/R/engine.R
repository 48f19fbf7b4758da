# Calls of the library: a problem in, solutions as plain lists out. Without the semantics of glmnet.

# How to solve. Under R CMD check a package may use two threads.
control_of <- function(thresh, maxit, threads, trace.it) {
    if (!is_number(thresh) || thresh < 0) stop("thresh must be a number that is not negative", call. = FALSE)
    if (!is_number(maxit) || maxit < 1) stop("maxit must be at least 1", call. = FALSE)
    if (!is_number(threads) || threads < 0) stop("threads must be a number, 0 for all processors", call. = FALSE)
    list(tolerance = max(as.double(thresh), 1e-300),
         maxit = as.integer(min(maxit, .Machine$integer.max)),
         threads = as.integer(threads), trace = isTRUE(trace.it > 0) || sven.control()$itrace > 0)
}

is_number <- function(value) is.numeric(value) && length(value) == 1 && !is.na(value)

default_threads <- function() {
    limited <- !(tolower(Sys.getenv("_R_CHECK_LIMIT_CORES_")) %in% c("", "false"))
    if (limited) min(2L, .Call(svenet_processors)) else 0L
}

# The library reports failures as lists; here they become conditions.
checked <- function(answer) {
    if (is.list(answer) && !is.null(answer[["error"]])) stop(answer[["error"]], call. = FALSE)
    if (is.list(answer) && isTRUE(answer[["interrupted"]])) interrupt()
    answer
}

# What Ctrl-C does in R itself: handlers of interrupts are asked, then the call is abandoned.
interrupt <- function() {
    condition <- structure(class = c("interrupt", "condition"), list(message = "", call = NULL))
    signalCondition(condition)
    invokeRestart("abort")
}

# A problem that is set up once; the session keeps the matrix alive.
open_session <- function(problem) .Call(svenet_session, problem)

# `form`: "glmnet" (lambda, alpha) or "budget" (t, lambda2).
# `end`: where a path may end before its last setting, by end_of_path(); NULL if it does not.
solve_settings <- function(session, form, first, second, control, end = NULL) {
    settings <- list(form = form, first = as.double(first),
                     second = rep_len(as.double(second), length(first)), end = end)
    checked(.Call(svenet_path, session, settings, control))
}

# The relaxed fits of the first lambdas of the path that the session solved last.
relax_path <- function(session, count, control)
    checked(.Call(svenet_relax, session, as.integer(count), quiet(control)))

grid_of <- function(session, count, ratio, control)
    checked(.Call(svenet_grid, session, as.integer(count), as.double(ratio), quiet(control)))

validate_folds <- function(session, plan, control)
    checked(.Call(svenet_cross_validate, session, plan, control))

change_session <- function(session, what, values, control)
    invisible(checked(.Call(svenet_change, session, what, values, quiet(control))))

quiet <- function(control) {
    control$trace <- FALSE
    control
}
