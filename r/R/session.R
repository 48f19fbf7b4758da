#' Many fits over one matrix
#'
#' A session keeps what was computed of \code{x}: standardisation, products and the last solution. A
#' fit with other weights, another response or another offset starts from there.
#'
#' @param x,y,... as in \code{\link{sven}}: the arguments of the fits.
#' @param session a session.
#' @param weights,offset,lambda,alpha as in \code{\link{sven}}; what is not given stays as it is.
#' @return \code{sven.session} an object of class \code{"sven.session"}; \code{refit} a fit as
#'   \code{\link{sven}} returns it.
#' @examples
#' set.seed(1)
#' x <- matrix(rnorm(50 * 5), 50, 5)
#' y <- x[, 1] + rnorm(50)
#' session <- sven.session(x, y, lambda = c(0.2, 0.1))
#' # the bootstrap
#' draws <- replicate(20, {
#'     weights <- tabulate(sample(50, replace = TRUE), 50)
#'     as.matrix(refit(session, weights = weights)$beta)[1, ]
#' })
#' apply(draws, 1, sd)
#' @export
sven.session <- function(x, y = NULL, ...) {
    call <- match.call()
    arguments <- arguments_of(x, y, ...)
    inputs <- model_inputs(arguments)
    if (!is.null(dim(inputs$y))) stop("a session has one response, not counts in two columns", call. = FALSE)
    session <- new.env(parent = emptyenv())
    session$arguments <- arguments
    session$inputs <- inputs
    session$handle <- open_session(inputs$problem)
    session$control <- with(arguments, control_of(thresh, maxit, threads, trace.it))
    session$call <- call
    structure(list(state = session), class = "sven.session")
}

#' @rdname sven.session
#' @export
refit <- function(session, y = NULL, weights = NULL, offset = NULL, lambda = NULL, alpha = NULL) {
    if (!inherits(session, "sven.session")) stop("session must come from sven.session()", call. = FALSE)
    state <- session$state
    count <- nrow(state$inputs$x)
    if (!is.null(y)) change_problem(state, "y", as_response(y, state$inputs$family, NULL, count)$y)
    if (!is.null(weights)) change_problem(state, "weights", check_length(weights, count, "weights"))
    if (!is.null(offset)) change_problem(state, "offset", check_length(offset, count, "offset"))
    arguments <- state$arguments
    if (!is.null(lambda)) arguments$lambda <- lambda
    if (is.null(alpha)) alpha <- arguments$alpha
    fit <- fit_path(arguments, as_alpha(alpha), state$inputs, state$handle, state$control)
    fit$call <- match.call()
    fit
}

change_problem <- function(state, what, values) {
    change_session(state$handle, what, values, state$control)
    state$inputs$problem[[what]] <- values
}

#' @method print sven.session
#' @export
print.sven.session <- function(x, ...) {
    inputs <- x$state$inputs
    cat("A session of svenet:", nrow(inputs$x), "rows,", ncol(inputs$x), "features, family", inputs$family, "\n")
    invisible(x)
}
