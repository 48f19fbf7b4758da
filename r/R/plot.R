#' Plot coefficient paths
#'
#' @param x a fit of \code{\link{sven}}.
#' @param xvar what is on the axis: the l1 norm of the coefficients, the logarithm of lambda, which is the default of
#'   relaxed fits, or the share of the deviance that is explained.
#' @param gamma of a fit with \code{relax = TRUE}, the share of the penalised coefficients in what is drawn.
#' @param label whether the curves get the numbers of their features.
#' @param ... arguments of \code{\link[graphics]{matplot}}.
#' @return Nothing.
#' @examples
#' x <- matrix(rnorm(50 * 8), 50, 8)
#' fit <- sven(x, x[, 1] - x[, 2] + rnorm(50))
#' plot(fit, xvar = "lambda", label = TRUE)
#' @importFrom graphics matplot axis text
#' @export
plot.sven <- function(x, xvar = c("norm", "lambda", "dev"), label = FALSE, gamma = 1, ...) {
    # glmnet's default of relaxed fits: their norms need not grow along the path
    xvar <- if (missing(xvar) && !is.null(x$relaxed)) "lambda" else match.arg(xvar)
    x <- blended(x, gamma)
    ever <- sort(unique(x$beta@i)) + 1L
    if (!length(ever)) {
        warning("No plot produced since all coefficients zero", call. = FALSE)
        return(invisible())
    }
    beta <- as.matrix(x$beta[ever, , drop = FALSE])
    position <- switch(xvar, norm = colSums(abs(beta)), lambda = log(x$lambda), dev = x$dev.ratio)
    title <- switch(xvar, norm = "L1 Norm", lambda = "Log Lambda", dev = "Fraction Deviance Explained")
    settings <- list(x = position, y = t(beta), lty = 1, type = "l", xlab = title, ylab = "Coefficients")
    given <- list(...)
    settings[names(given)] <- given
    do.call(matplot, settings)
    count_axis(position, x$df, xvar)
    if (label) label_curves(position, beta, ever, xvar)
    invisible()
}

# The numbers of non-zero coefficients, above the plot.
count_axis <- function(position, df, xvar) {
    at <- pretty(position)
    if (length(unique(position)) > 1) {
        side <- if (xvar == "lambda") 0 else 1
        df <- stats::approx(position, df, at, rule = 2, method = "constant", f = side, ties = max)$y
    } else df <- rep(df[1], length(at))
    axis(3, at = at, labels = df, tcl = NA)
}

label_curves <- function(position, beta, which, xvar) {
    at_end <- if (xvar == "lambda") min(position) else max(position)
    text(rep(at_end, length(which)), beta[, ncol(beta)], which, cex = 0.5, pos = if (xvar == "lambda") 2 else 4)
}
