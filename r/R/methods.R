#' Coefficients and predictions of a path
#'
#' Between the fitted lambdas coefficients are interpolated linearly, as \code{glmnet} does, or with
#' \code{exact = TRUE} the model is fitted at \code{s}.
#'
#' @param object a fit of \code{\link{sven}}.
#' @param newx a matrix, sparse matrix or data frame of new rows; not used for coefficients.
#' @param s lambdas; by default all of the path.
#' @param type \code{"link"}, the linear predictor; \code{"response"}, the mean; \code{"class"}, of a
#'   binomial response; \code{"coefficients"}; or \code{"nonzero"}, the numbers of the features.
#' @param exact whether to fit again at the lambdas \code{s} instead of interpolating. The call is
#'   repeated where it is; pass \code{x}, \code{y} and the like again if they have changed.
#' @param newoffset the offset of the new rows, needed where the fit had one that is no term of its formula.
#' @param gamma of a fit with \code{relax = TRUE}, the share of the penalised coefficients in what is
#'   handed out: 1, the penalised ones; 0, those refitted without penalties.
#' @param ... for \code{exact = TRUE}, arguments of the fit.
#' @return A matrix with a row for each new row and a column for each lambda; \code{coef} a
#'   \code{dgCMatrix} with the intercept in its first row; of type \code{"nonzero"} a list.
#' @examples
#' x <- matrix(rnorm(50 * 5), 50, 5)
#' y <- x[, 1] + rnorm(50)
#' fit <- sven(x, y)
#' coef(fit, s = 0.05, exact = TRUE)
#' predict(fit, x[1:2, ], s = c(0.1, 0.05))
#' predict(fit, type = "nonzero", s = 0.1)
#' @export
predict.sven <- function(object, newx = NULL, s = NULL,
                         type = c("link", "response", "coefficients", "class", "nonzero"),
                         exact = FALSE, newoffset = NULL, gamma = 1, ...)
    predict_path(parent.frame(), object, newx, s, type, exact, newoffset, gamma, ...)

#' @rdname predict.sven
#' @importFrom stats coef predict
#' @export
coef.sven <- function(object, s = NULL, exact = FALSE, gamma = 1, ...)
    predict_path(parent.frame(), object, s = s, type = "coefficients", exact = exact, gamma = gamma, ...)

# `where` is the frame of the user's call, in which an exact fit repeats the call of the model.
predict_path <- function(where, object, newx = NULL, s = NULL,
                         type = c("link", "response", "coefficients", "class", "nonzero"),
                         exact = FALSE, newoffset = NULL, gamma = 1, ...) {
    type <- match.arg(type)
    if (exact && !all(s %in% object$lambda)) object <- refit_at(object, s, where, ...)
    table <- coefficients_at(blended(object, gamma), s)
    if (type == "coefficients") return(table)
    if (type == "nonzero") return(nonzero_features(table[-1, , drop = FALSE]))
    if (is.null(newx)) stop("You need to supply a value for 'newx'", call. = FALSE)
    if (type == "class" && object$family != "binomial")
        stop("classes are those of a binomial response", call. = FALSE)
    eta <- predictor_at(table, new_features(newx, object))
    if (object$offset) {
        if (is.null(newoffset)) newoffset <- offset_of_frame(newx, object)
        if (is.null(newoffset))
            stop("No newoffset provided for prediction, yet offset used in the fit", call. = FALSE)
        if (!is.null(dim(newoffset))) newoffset <- newoffset[, ncol(newoffset)]
        eta <- eta + as.double(newoffset)
    }
    transformed(eta, type, object)
}

# The linear predictors of rows, a column for each column of the table of coefficients.
predictor_at <- function(table, x) {
    eta <- as.matrix(x %*% table[-1, , drop = FALSE])
    sweep(eta, 2, as.double(table[1, ]), "+")
}

transformed <- function(eta, type, object) {
    if (type == "link" || object$family == "gaussian") return(eta)
    if (type == "class") {
        names <- if (is.null(object$classnames)) c("1", "2") else object$classnames
        return(array(names[(eta > 0) + 1], dim(eta), dimnames(eta)))
    }
    if (object$family == "binomial") 1 / (1 + exp(-eta)) else exp(eta)
}

# The same fit with s among its lambdas.
refit_at <- function(object, s, where, ...) {
    call <- object$call
    changed <- list(...)
    for (name in names(changed)) call[[name]] <- changed[[name]]
    call$lambda <- sort(unique(c(s, object$lambda)), decreasing = TRUE)
    call[[1]] <- sven
    eval(call, where)
}

# Intercepts over coefficients, at the fitted lambdas or interpolated between them.
coefficients_at <- function(object, s) {
    a0 <- matrix(object$a0, 1, dimnames = list("(Intercept)", colnames(object$beta)))
    table <- methods::as(rbind2(methods::as(a0, "CsparseMatrix"), object$beta), "CsparseMatrix")
    if (is.null(s)) return(table)
    names <- if (is.null(names(s))) paste0("s", seq_along(s)) else names(s)
    place <- interpolation(object$lambda, as.double(s))
    left <- table[, place$left, drop = FALSE] %*% Diagonal(x = place$share)
    right <- table[, place$left + place$step, drop = FALSE] %*% Diagonal(x = 1 - place$share)
    result <- methods::as(left + right, "CsparseMatrix")
    dimnames(result) <- list(rownames(table), names)
    result
}

# Where s lies between decreasing lambdas: the one to its left, and the share that it has.
interpolation <- function(lambda, s) {
    last <- length(lambda)
    s <- pmin(pmax(s, lambda[last]), lambda[1])
    left <- pmax(findInterval(-s, -lambda), 1)
    step <- as.integer(left < last)
    width <- lambda[left] - lambda[left + step]
    share <- ifelse(width > 0, (s - lambda[left + step]) / ifelse(width > 0, width, 1), 1)
    list(left = left, step = step, share = share)
}

nonzero_features <- function(beta) {
    found <- lapply(seq_len(ncol(beta)), function(k) {
        which <- beta@i[seq_len(beta@p[k + 1] - beta@p[k]) + beta@p[k]] + 1L
        which <- which[beta@x[seq_len(beta@p[k + 1] - beta@p[k]) + beta@p[k]] != 0]
        if (length(which)) which
    })
    stats::setNames(found, colnames(beta))
}

#' Print a path
#'
#' @param x a fit of \code{\link{sven}}.
#' @param digits significant digits.
#' @param ... not used.
#' @return The table that is printed: for each lambda the number of non-zero coefficients, the share
#'   of the deviance that is explained in per cent, by the relaxed fits too where there are any, and
#'   lambda.
#' @examples
#' x <- matrix(rnorm(50 * 5), 50, 5)
#' print(sven(x, x[, 1] + rnorm(50), nlambda = 10))
#' @method print sven
#' @export
print.sven <- function(x, digits = max(3, getOption("digits") - 3), ...) {
    cat("\nCall: ", deparse(x$call), "\n")
    if (!is.null(x$relaxed)) cat("Relaxed\n")
    cat("\n")
    table <- data.frame(Df = x$df, `%Dev` = round(100 * x$dev.ratio, 2), check.names = FALSE,
                        row.names = seq_along(x$df))
    if (!is.null(x$relaxed)) table$`%Dev R` <- round(100 * x$relaxed$dev.ratio, 2)
    table$Lambda <- signif(x$lambda, digits)
    class(table) <- c("anova", class(table))
    print(table)
    cat("\nLargest relative optimality gap: ", format(max(x$gap), digits = 2), "\n", sep = "")
    invisible(table)
}

#' @importFrom stats family
#' @method family sven
#' @export
family.sven <- function(object, ...) object$family

#' @method family cv.sven
#' @export
family.cv.sven <- function(object, ...) object$glmnet.fit$family

#' @importFrom stats nobs
#' @export
nobs.sven <- function(object, ...) object$nobs

#' @importFrom stats deviance
#' @export
deviance.sven <- function(object, ...) (1 - object$dev.ratio) * object$nulldev
