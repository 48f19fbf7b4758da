#' Figures of predictions on test data
#'
#' \code{assess.sven} gives all measures of the family, \code{roc.sven} the points of the ROC curve
#' and \code{confusion.sven} the table of predicted and true classes; as the functions of
#' \code{glmnet} of similar names.
#'
#' @param object a fit of \code{\link{sven}} or \code{\link{cv.sven}}, or a matrix of linear predictors,
#'   such as the \code{fit.preval} of \code{cv.sven(keep = TRUE)}.
#' @param newx,newy new rows and their responses.
#' @param weights weights of the rows.
#' @param family the family, where \code{object} is a matrix.
#' @param ... arguments of \code{predict}, such as \code{s} and \code{newoffset}.
#' @return \code{assess.sven} a list with a vector for each measure; \code{roc.sven} a data frame with
#'   \code{FPR} and \code{TPR}, or a list of them; \code{confusion.sven} a table, or a list of them.
#' @examples
#' set.seed(1)
#' x <- matrix(rnorm(100 * 5), 100, 5)
#' y <- factor(x[, 1] + rnorm(100) > 0)
#' cvfit <- cv.sven(x, y, family = "binomial", keep = TRUE)
#' assess.sven(cvfit, newx = x, newy = y, s = "lambda.min")
#' head(roc.sven(cvfit, newx = x, newy = y))
#' confusion.sven(cvfit, newx = x, newy = y)
#' assess.sven(cvfit$fit.preval, newy = y, family = "binomial")$auc
#' @export
assess.sven <- function(object, newx = NULL, newy, weights = NULL, family = c("gaussian", "binomial", "poisson"), ...) {
    eta <- predictors(object, newx, ...)
    family <- if (is_fit(object)) stats::family(object) else family_name(family)
    count <- nrow(eta)
    response <- as_response(newy, family, check_length(weights, count, "weights"), count)
    total <- if (is.null(response$weights)) rep(1, count) else response$weights
    measures <- sven.measures(family)
    figures <- lapply(measures, function(measure) {
        values <- measured(family, measure, response$y, eta, total)
        structure(values, measure = names(measure_name(measure, family)))
    })
    stats::setNames(figures, measures)
}

is_fit <- function(object) inherits(object, c("sven", "cv.sven"))

# Linear predictors, rows x settings.
predictors <- function(object, newx, ...) {
    if (is_fit(object)) return(stats::predict(object, newx = newx, ...))
    if (is.null(dim(object))) matrix(object) else object
}

#' @rdname assess.sven
#' @export
roc.sven <- function(object, newx = NULL, newy, ...) {
    if (is_fit(object) && stats::family(object) != "binomial")
        stop("roc available only for binomial family", call. = FALSE)
    eta <- predictors(object, newx, ...)
    response <- as_response(newy, "binomial", NULL, nrow(eta))
    weights <- if (is.null(response$weights)) rep(1, nrow(eta)) else response$weights
    curves <- apply(eta, 2, roc_points, y = response$y, weights = weights, simplify = FALSE)
    if (length(curves) == 1) curves[[1]] else curves
}

# From the largest predictor down; ties are one point.
roc_points <- function(eta, y, weights) {
    failures <- rev(as.double(rowsum(weights * (1 - y), eta)))
    successes <- rev(as.double(rowsum(weights * y, eta)))
    data.frame(FPR = cumsum(failures) / sum(failures), TPR = cumsum(successes) / sum(successes))
}

#' @rdname assess.sven
#' @export
confusion.sven <- function(object, newx = NULL, newy, family = "binomial", ...) {
    if (family != "binomial" || (is_fit(object) && stats::family(object) != "binomial"))
        stop("confusion available only for binomial family", call. = FALSE)
    if (is_fit(object)) {
        classes <- stats::predict(object, newx = newx, type = "class", ...)
    } else {
        names <- attr(object, "classnames")
        classes <- transformed(predictors(object), "class", list(family = "binomial", classnames = names))
    }
    truth <- if (is.null(dim(newy))) as.factor(newy) else factor(c(newy %*% 1:2), labels = colnames(newy))
    tables <- lapply(seq_len(ncol(classes)), function(k) {
        counts <- table(Predicted = classes[, k], True = truth)
        structure(counts, class = c("confusion.sven", class(counts)))
    })
    if (length(tables) == 1) tables[[1]] else stats::setNames(tables, colnames(classes))
}

#' @method print confusion.sven
#' @export
print.confusion.sven <- function(x, digits = max(3, getOption("digits") - 3), ...) {
    counts <- unclass(x)
    right <- sum(counts[cbind(match(colnames(counts), rownames(counts)), seq_len(ncol(counts)))], na.rm = TRUE)
    print(stats::addmargins(as.table(counts), FUN = list(Total = sum), quiet = TRUE), digits = digits, ...)
    cat("\n Percent Correct: ", format(round(right / sum(counts), digits)), "\n")
    invisible(x)
}
