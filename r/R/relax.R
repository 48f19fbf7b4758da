# Refits without penalties, and what lies between them and a path.

# The refits without penalties of a path that the session solved last, as a path of its own.
relaxed_path <- function(fit, inputs, session, control) {
    answer <- relax_path(session, length(fit$lambda), control)
    without <- sum(answer$refit != "done")
    if (without)
        warning("the supports of ", without, " of ", length(fit$lambda), " lambdas have no refit without penalties (",
                paste(setdiff(unique(answer$refit), "done"), collapse = ", "), "); the penalised fit stands there",
                call. = FALSE)
    fields <- fit_fields(answer$path, fit$lambda, fit$alpha, inputs, control)
    structure(c(fields, list(refit = answer$refit)), class = "sven")
}

# The share gamma of a path and 1 - gamma of its relaxed fits; of what they explain too, as in glmnet.
blended <- function(object, gamma) {
    if (!is_number(gamma) || gamma < 0 || gamma > 1) stop("gamma must be a number between 0 and 1", call. = FALSE)
    if (gamma == 1) return(object)
    relaxed <- object$relaxed
    if (is.null(relaxed)) stop("gamma needs a fit with relax = TRUE", call. = FALSE)
    object$beta <- methods::as(gamma * object$beta + (1 - gamma) * relaxed$beta, "CsparseMatrix")
    object$a0 <- gamma * object$a0 + (1 - gamma) * relaxed$a0
    object$dev.ratio <- gamma * object$dev.ratio + (1 - gamma) * relaxed$dev.ratio
    object
}

#' Relaxed fits of a path
#'
#' Refits the features of every solution without penalties, as \code{sven(relax = TRUE)} does at once and
#' \code{glmnet::relax.glmnet} afterwards.
#'
#' @param fit a fit of \code{\link{sven}}.
#' @param x,... \code{x}, \code{y} and whatever else of the call of the fit may have changed since; the call is
#'   repeated where it is not given.
#' @return The fit with the field \code{relaxed}.
#' @examples
#' x <- matrix(rnorm(50 * 5), 50, 5)
#' y <- x[, 1] + rnorm(50)
#' fit <- sven(x, y)
#' relax.sven(fit, x = x, y = y)$relaxed
#' @export
relax.sven <- function(fit, x, ...) {
    if (!inherits(fit, "sven")) stop("fit must come from sven()", call. = FALSE)
    changed <- list(...)
    if (!missing(x)) changed$x <- x
    changed$path <- changed$check.args <- NULL  # of glmnet's ways to the same answer
    call <- fit$call
    for (name in names(changed)) call[[name]] <- changed[[name]]
    call$lambda <- fit$lambda
    call$relax <- TRUE
    call[[1]] <- sven
    fit$relaxed <- eval(call, parent.frame())$relaxed
    fit
}
