#' Methods for cross-validated paths
#'
#' @param object,x a result of \code{\link{cv.sven}}.
#' @param newx new rows.
#' @param s \code{"lambda.1se"}, \code{"lambda.min"} or lambdas.
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
predict.cv.sven <- function(object, newx = NULL, s = c("lambda.1se", "lambda.min"), ...)
    predict_path(parent.frame(), object$glmnet.fit, newx, chosen_lambda(object, s), ...)

#' @rdname cv.sven-methods
#' @export
coef.cv.sven <- function(object, s = c("lambda.1se", "lambda.min"), ...)
    predict_path(parent.frame(), object$glmnet.fit, s = unname(chosen_lambda(object, s)), type = "coefficients", ...)

chosen_lambda <- function(object, s) {
    if (is.numeric(s)) return(s)
    if (!is.character(s)) stop("Invalid form for s", call. = FALSE)
    s <- match.arg(s, c("lambda.1se", "lambda.min"))
    stats::setNames(object[[s]], s)
}

#' @rdname cv.sven-methods
#' @method print cv.sven
#' @export
print.cv.sven <- function(x, digits = max(3, getOption("digits") - 3), ...) {
    cat("\nCall: ", deparse(x$call), "\n\n")
    cat("Measure:", x$name, "\n\n")
    if (!is.null(x$curves)) cat("alpha:", x$alpha, "is the best of", names(x$curves), "\n\n")
    at <- x$index[, 1]
    table <- data.frame(Lambda = x$lambda[at], Index = at, Measure = x$cvm[at], SE = x$cvsd[at],
                        Nonzero = x$nzero[at], row.names = c("min", "1se"))
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
