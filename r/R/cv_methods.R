#' Methods for cross-validated paths
#'
#' @param object,x a result of \code{\link{cv.sven}}.
#' @param newx new rows.
#' @param s \code{"lambda.1se"}, \code{"lambda.min"} or lambdas.
#' @param gamma of relaxed fits \code{"gamma.1se"}, \code{"gamma.min"} or a number; by default that of the
#'   choice \code{s}.
#' @param digits significant digits.
#' @param sign.lambda 1 or -1: the axis is that times the logarithm of lambda.
#' @param se.bands of relaxed fits, whether the curves of the gammas lie on bands of one standard error.
#' @param ... arguments of \code{\link{predict.sven}}, or of \code{plot}.
#' @return Coefficients and predictions as those of \code{\link{predict.sven}}.
#' @examples
#' set.seed(1)
#' x <- matrix(rnorm(60 * 5), 60, 5)
#' cvfit <- cv.sven(x, x[, 1] + rnorm(60))
#' coef(cvfit)
#' predict(cvfit, x[1:2, ], s = "lambda.min")
#' @name cv.sven-methods
#' @export
predict.cv.sven <- function(object, newx = NULL, s = c("lambda.1se", "lambda.min"), gamma = NULL, ...)
    predict_path(parent.frame(), object$glmnet.fit, newx, chosen_lambda(object, s), gamma = chosen_gamma(object, s, gamma),
                 ...)

#' @rdname cv.sven-methods
#' @export
coef.cv.sven <- function(object, s = c("lambda.1se", "lambda.min"), gamma = NULL, ...)
    predict_path(parent.frame(), object$glmnet.fit, s = unname(chosen_lambda(object, s)), type = "coefficients",
                 gamma = chosen_gamma(object, s, gamma), ...)

chosen_lambda <- function(object, s) {
    if (is.numeric(s)) return(s)
    if (!is.character(s)) stop("Invalid form for s", call. = FALSE)
    s <- match.arg(s, c("lambda.1se", "lambda.min"))
    chosen <- if (is.null(object$relaxed)) object else object$relaxed
    stats::setNames(chosen[[s]], s)
}

# By default that of the choice that s names; of relaxed fits at lambdas in numbers, that of the first choice.
chosen_gamma <- function(object, s, gamma) {
    if (is.numeric(gamma)) return(gamma)
    if (is.null(object$relaxed)) return(1)
    if (is.null(gamma))
        gamma <- if (is.character(s) && s[1] == "lambda.min") "gamma.min" else "gamma.1se"
    object$relaxed[[match.arg(gamma, c("gamma.1se", "gamma.min"))]]
}

#' @rdname cv.sven-methods
#' @method print cv.sven
#' @export
print.cv.sven <- function(x, digits = max(3, getOption("digits") - 3), ...) {
    cat("\nCall: ", deparse(x$call), "\n\n")
    cat("Measure:", x$name, "\n\n")
    if (!is.null(x$curves)) cat("alpha:", x$alpha, "is the best of", names(x$curves), "\n\n")
    table <- if (is.null(x$relaxed)) choice_table(x, x$index[, 1]) else relaxed_table(x)
    class(table) <- c("anova", class(table))
    print(table, digits = digits)
    invisible(x)
}

choice_table <- function(curve, at)
    data.frame(Lambda = curve$lambda[at], Index = at, Measure = curve$cvm[at], SE = curve$cvsd[at],
               Nonzero = unname(curve$nzero[at]), row.names = c("min", "1se"))

# Two columns are named Index, as glmnet has it.
relaxed_table <- function(x) {
    index <- x$relaxed$index
    of_gamma <- function(k) choice_table(x$relaxed$statlist[[index[k, "Gamma"]]], index[, "Lambda"])[k, ]
    cbind(Gamma = x$relaxed$gamma[index[, "Gamma"]], Index = index[, "Gamma"], rbind(of_gamma(1), of_gamma(2)))
}

#' @rdname cv.sven-methods
#' @importFrom graphics abline points segments
#' @export
plot.cv.sven <- function(x, sign.lambda = 1, se.bands = TRUE, ...) {
    if (!is.null(x$relaxed)) return(plot_gammas(x, sign.lambda, se.bands, ...))
    at <- sign.lambda * log(x$lambda)
    title <- if (sign.lambda < 0) expression(-Log(lambda)) else expression(Log(lambda))
    settings <- list(x = at, y = x$cvm, ylim = range(x$cvup, x$cvlo), xlab = title, ylab = x$name, type = "n")
    given <- list(...)
    settings[names(given)] <- given
    do.call(graphics::plot, settings)
    half <- 0.01 * diff(range(at))
    segments(at, x$cvlo, at, x$cvup, col = "darkgrey")
    for (end in list(x$cvlo, x$cvup)) segments(at - half, end, at + half, end, col = "darkgrey")
    points(at, x$cvm, pch = 20, col = "red")
    axis(3, at = at, labels = x$nzero, tick = FALSE, line = 0)
    abline(v = at[x$index[, 1]], lty = 3)
    invisible()
}

# A curve for each gamma of relaxed fits, over bands of one standard error.
#' @importFrom graphics legend lines polygon
#' @importFrom grDevices hcl.colors
plot_gammas <- function(x, sign.lambda, se.bands, ...) {
    curves <- x$relaxed$statlist
    at <- sign.lambda * log(x$lambda)
    range_of <- function(fields) range(unlist(lapply(curves, `[`, fields)), na.rm = TRUE)
    title <- if (sign.lambda < 0) expression(-Log(lambda)) else expression(Log(lambda))
    settings <- list(x = at, y = x$cvm, ylim = range_of(if (se.bands) c("cvlo", "cvup") else "cvm"), xlab = title,
                     ylab = x$name, type = "n")
    given <- list(...)
    settings[names(given)] <- given
    do.call(graphics::plot, settings)
    if (se.bands)
        for (curve in curves)
            polygon(c(at, rev(at)), c(curve$cvup, rev(curve$cvlo)), col = "floralwhite", border = "antiquewhite")
    colours <- hcl.colors(length(curves), "Dark 3")
    for (k in seq_along(curves)) lines(at, curves[[k]]$cvm, lwd = 2, col = colours[k])
    axis(3, at = at, labels = x$nzero, tick = FALSE, line = 0)
    abline(v = at[x$relaxed$index[, "Lambda"]], lty = 3)
    legend(if (sign.lambda < 0) "topright" else "topleft", legend = format(x$relaxed$gamma), col = colours, lwd = 2,
           title = expression(gamma), bty = "n")
    invisible()
}
