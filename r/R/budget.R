#' The elastic net with a budget
#'
#' Solves the form of the paper that the method comes from,
#' \deqn{\min \sum_i w_i (y_i - \beta_0 - x_i'\beta)^2 + \lambda_2 \sum_j v_j \beta_j^2 \quad
#' \mbox{subject to}\quad \sum_j v_j |\beta_j| \le t}{min sum w (y - b0 - x'b)^2 + lambda2 sum v b^2 subject to sum v |b| <= t}
#' with \eqn{\beta} on the scale of the standardised columns if \code{standardize}.
#'
#' @param x,y,weights,offset,standardize,intercept,penalty.factor,lower.limits,upper.limits,thresh,maxit,threads
#'   as in \code{\link{sven}}; \code{y} is gaussian. Penalty factors are not rescaled.
#' @param t the budget, one or several.
#' @param lambda2 the ridge penalty, one or one for each budget.
#' @param object,newx,... a result of \code{sven.budget} and new rows.
#' @return An object of class \code{"sven.budget"}: \code{a0}, \code{beta} (\code{dgCMatrix}), \code{df},
#'   \code{dim}, \code{t} (the budget, or the norm where it does not bind), \code{lambda1} (the
#'   multiplier of the budget), \code{lambda2}, \code{dev.ratio}, \code{nulldev}, \code{gap},
#'   \code{certificate} and \code{status} as in \code{\link{sven}}.
#' @examples
#' x <- matrix(rnorm(50 * 5), 50, 5)
#' fit <- sven.budget(x, x[, 1] + rnorm(50), t = c(0.5, 1), lambda2 = 1)
#' coef(fit)
#' fit$certificate
#' @export
sven.budget <- function(x, y, t, lambda2 = 0, weights = NULL, offset = NULL, standardize = TRUE, intercept = TRUE,
                        penalty.factor = NULL, lower.limits = -Inf, upper.limits = Inf, thresh = 1e-10,
                        maxit = 1e5, threads = getOption("svenet.threads", default_threads())) {
    call <- match.call()
    inputs <- model_inputs(arguments_of(x, y, weights = weights, offset = offset, standardize = standardize,
                                        intercept = intercept, penalty.factor = penalty.factor,
                                        lower.limits = lower.limits, upper.limits = upper.limits))
    control <- control_of(thresh, maxit, threads, 0)
    if (!is.numeric(t) || anyNA(t) || any(t < 0)) stop("t must be numbers that are not negative", call. = FALSE)
    if (!is.numeric(lambda2) || anyNA(lambda2) || any(lambda2 < 0) || !length(lambda2) %in% c(1, length(t)))
        stop("lambda2 must be one number, or one for each t, not negative", call. = FALSE)
    answer <- solve_settings(open_session(inputs$problem), "budget", t, lambda2, control)
    warn_if_short(answer, control)
    steps <- paste0("t", seq_along(t))
    fit <- list(a0 = stats::setNames(answer$a0, steps), beta = coefficient_matrix(answer, inputs$names, steps),
                df = diff(answer$p), dim = c(ncol(inputs$x), length(t)), t = answer$t, lambda1 = answer$l1,
                lambda2 = answer$l2, dev.ratio = dev_ratio(answer), nulldev = max(answer$nulldev),
                gap = answer$gap, certificate = certificate_table(answer), status = answer$status,
                family = "gaussian", offset = !is.null(offset), terms = inputs$terms, xlevels = inputs$xlevels,
                nobs = nrow(inputs$x), call = call)
    structure(fit, class = "sven.budget")
}

#' @rdname sven.budget
#' @export
coef.sven.budget <- function(object, ...) coefficients_at(object, NULL)

#' @rdname sven.budget
#' @export
predict.sven.budget <- function(object, newx, ...) predictor_at(coef(object), new_features(newx, object))

#' @method print sven.budget
#' @export
print.sven.budget <- function(x, digits = max(3, getOption("digits") - 3), ...) {
    cat("\nCall: ", deparse(x$call), "\n\n")
    print(data.frame(Df = x$df, `%Dev` = round(100 * x$dev.ratio, 2), t = signif(x$t, digits),
                     lambda1 = signif(x$lambda1, digits), lambda2 = x$lambda2, gap = signif(x$gap, 2),
                     check.names = FALSE))
    invisible(x)
}
