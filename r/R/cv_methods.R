#' Methods for cross-validated paths
#'
#' @param object,x a result of \code{\link{cv.sven}}.
#' @param newx new rows.
#' @param s \code{"lambda.1se"}, \code{"lambda.min"} or lambdas.
#' @param gamma of relaxed fits \code{"gamma.1se"}, \code{"gamma.min"} or a number; by default that of the
#'   choice \code{s}.
#' @param digits significant digits.
#' @param sign.lambda 1 or -1: the axis is that times the logarithm of lambda.
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
    relaxed <- x$relaxed
    at <- if (is.null(relaxed)) x$index[, 1] else relaxed$index[, "Lambda"]
    of <- function(field)
        if (is.null(relaxed)) x[[field]][at]
        else mapply(function(k, g) relaxed$statlist[[g]][[field]][k], at, relaxed$index[, "Gamma"])
    table <- data.frame(Lambda = x$lambda[at], Index = at, Measure = of("cvm"), SE = of("cvsd"),
                        Nonzero = unname(x$nzero[at]), row.names = c("min", "1se"))
    if (!is.null(relaxed)) table <- cbind(Gamma = relaxed$gamma[relaxed$index[, "Gamma"]], table)
    class(table) <- c("anova", class(table))
    print(table, digits = digits)
    invisible(x)
}

#' @rdname cv.sven-methods
#' @importFrom graphics abline points segments
#' @export
plot.cv.sven <- function(x, sign.lambda = 1, ...) {
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
