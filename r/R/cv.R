#' Cross-validation of paths
#'
#' As \code{glmnet::cv.glmnet}: a path on all rows, one on the training rows of each fold, the measure
#' of the test rows, its mean over the folds and the two choices. The folds are fitted at the lambdas
#' themselves; \code{cv.glmnet} fits them at lambdas of their own, where none are given, and
#' interpolates.
#'
#' @param x,y,weights,offset,lambda as in \code{\link{sven}}.
#' @param type.measure \code{"mse"}, \code{"deviance"}, \code{"mae"}, and of a binomial response
#'   \code{"class"} and \code{"auc"}; by default the deviance, which of a gaussian response is
#'   \code{"mse"}.
#' @param nfolds the number of folds, 3 or more.
#' @param foldid the fold of each row, instead of random ones.
#' @param alignment only \code{"lambda"} is available.
#' @param grouped whether the standard error is that of the means of the folds, or else of the rows.
#' @param keep whether the linear predictors of the test rows are kept, in \code{fit.preval}.
#' @param parallel has no effect: folds share the threads of a fit.
#' @param relax,gamma whether relaxed fits are judged too, as in \code{\link{sven}}, and at which shares
#'   of the penalised coefficients; 0, 0.25, 0.5, 0.75 and 1 by default. \code{fit.preval} is then a list with
#'   a matrix for each.
#' @param trace.it 1 counts the fits on the console.
#' @param alpha one mixing parameter, or several: each has a curve, and the object is that of the best.
#' @param ... other arguments of \code{\link{sven}}. Where \code{exclude} is a function it is asked again on the
#'   training rows of each fold, as in \code{cv.glmnet}.
#' @return An object of class \code{"cv.sven"} with the fields of \code{cv.glmnet}: \code{lambda},
#'   \code{cvm}, \code{cvsd}, \code{cvup}, \code{cvlo}, \code{nzero}, \code{call}, \code{name},
#'   \code{glmnet.fit} (an object of class \code{"sven"}), \code{lambda.min}, \code{lambda.1se},
#'   \code{index}, and with \code{keep} \code{fit.preval}; also
#'   \item{foldid}{the fold of each row.}
#'   \item{alpha}{the mixing parameter of the object.}
#'   \item{curves}{of several alphas, a list of such objects, one for each.}
#'   \item{relaxed}{with \code{relax = TRUE} a list as \code{cv.glmnet}'s: \code{statlist}, \code{gamma},
#'     \code{lambda.min}, \code{lambda.1se}, \code{gamma.min}, \code{gamma.1se}, \code{nzero.min},
#'     \code{nzero.1se} and \code{index}.}
#'   \item{worst.gap}{the largest relative optimality gap of a fit on the rows of a fold.}
#' @examples
#' set.seed(1)
#' x <- matrix(rnorm(100 * 20), 100, 20)
#' y <- x[, 1] - x[, 2] + rnorm(100)
#' cvfit <- cv.sven(x, y, alpha = c(0.5, 1))
#' cvfit
#' coef(cvfit, s = "lambda.min")
#' predict(cvfit, x[1:3, ])
#' plot(cvfit)
#' @export
cv.sven <- function(x, y = NULL, weights = NULL, offset = NULL, lambda = NULL,
                    type.measure = c("default", "mse", "deviance", "class", "auc", "mae"),
                    nfolds = 10, foldid = NULL, alignment = c("lambda", "fraction"), grouped = TRUE,
                    keep = FALSE, parallel = FALSE, gamma = NULL, relax = FALSE, trace.it = 0, alpha = 1, ...) {
    call <- match.call()
    type.measure <- match.arg(type.measure)
    if (match.arg(alignment) == "fraction")
        stop("alignment = \"fraction\" is not available; folds are fitted at the lambdas themselves", call. = FALSE)
    if (!is.null(lambda) && length(lambda) < 2) stop("Need more than one value of lambda for cv.sven", call. = FALSE)
    arguments <- arguments_of(x, y, weights = weights, offset = offset, lambda = lambda, relax = relax,
                              trace.it = trace.it, ...)
    inputs <- model_inputs(arguments)
    rows <- nrow(inputs$x)
    if (is.null(foldid)) foldid <- sample(rep_len(seq_len(nfolds), rows))
    if (length(foldid) == rows + length(inputs$omitted)) foldid <- without(foldid, inputs$omitted)
    plan <- fold_plan(foldid, rows, measure_name(type.measure, inputs$family), grouped)
    plan$keep <- keep
    plan$gamma <- gammas_of(relax, gamma)
    session <- open_session(inputs$problem)
    control <- with(arguments, control_of(thresh, maxit, threads, trace.it))
    curves <- lapply(alpha, function(a) validated_path(arguments, as_alpha(a), inputs, session, plan, control))
    of_folds <- c("type.measure", "nfolds", "foldid", "grouped", "keep", "parallel", "alignment", "gamma")
    sven_call <- call[!names(call) %in% of_folds]
    sven_call[[1]] <- as.name("sven")
    for (k in seq_along(curves)) {
        curves[[k]]$call <- call
        curves[[k]]$glmnet.fit$call <- sven_call
        curves[[k]]$glmnet.fit$call$alpha <- alpha[k]
    }
    best <- best_of(curves, plan$measure)
    if (length(curves) > 1) best$curves <- stats::setNames(curves, alpha)
    best
}

# Folds, measure and whether rows are grouped, after cv.glmnet's rules for small folds.
fold_plan <- function(foldid, rows, measure, grouped) {
    if (length(foldid) != rows || anyNA(foldid))
        stop("foldid must have a number for each of the ", rows, " rows", call. = FALSE)
    count <- length(unique(foldid))
    if (count < 3) stop("nfolds must be 3 or more; nfolds=10 recommended", call. = FALSE)
    if (rows / count < 10 && measure == "auc") {
        warning("Too few (< 10) observations per fold for type.measure='auc' in cv.sven; changed to ",
                "type.measure='deviance'. Alternatively, use smaller value for nfolds", call. = FALSE)
        measure <- measure_name("deviance", "binomial")
    }
    if (rows / count < 3 && grouped) {
        warning("Option grouped=FALSE enforced in cv.sven, since < 3 observations per fold", call. = FALSE)
        grouped <- FALSE
    }
    # Folds of single rows, and areas, have nothing to group.
    list(foldid = as.integer(foldid), measure = measure, grouped = grouped || count == rows || measure == "auc")
}

# The curve of one alpha, as cv.glmnet's object.
validated_path <- function(arguments, alpha, inputs, session, plan, control) {
    fit <- fit_path(arguments, alpha, inputs, session, control)
    lambda <- fit$lambda
    asked <- list(foldid = plan$foldid, lambda = lambda, alpha = alpha, measure = unname(plan$measure),
                  grouped = plan$grouped, gamma = plan$gamma)
    one_by_one <- is.function(arguments$exclude)
    found <- if (plan$keep || one_by_one) fold_predictors(arguments, inputs, lambda, alpha, plan, control)
    answer <- if (one_by_one) judged_folds(found, inputs, lambda, plan) else validate_folds(session, asked, control)
    if (answer$missed > 0)
        warning(answer$missed, " fits of folds missed thresh = ", format(control$tolerance),
                "; the largest relative optimality gap is ", format(answer$worst.gap, digits = 3), call. = FALSE)
    cv <- list(lambda = lambda, cvm = answer$cvm, cvsd = answer$cvsd, cvup = answer$cvm + answer$cvsd,
               cvlo = answer$cvm - answer$cvsd, nzero = stats::setNames(fit$df, colnames(fit$beta)), call = NULL,
               name = stats::setNames(names(plan$measure), plan$measure), glmnet.fit = fit)
    if (plan$keep) cv$fit.preval <- kept_predictors(found, inputs, plan$gamma)
    cv$foldid <- plan$foldid
    choice <- choices(cv, plan$measure)
    cv <- c(cv, choice, list(alpha = alpha, worst.gap = answer$worst.gap))
    if (length(plan$gamma)) cv$relaxed <- relaxed_choices(answer$relaxed, cv)
    structure(cv, class = "cv.sven")
}

# lambda.min is the largest of least mean, lambda.1se the largest within one standard error of it.
choices <- function(cv, measure) {
    mean <- if (measure == "auc") -cv$cvm else cv$cvm
    least <- which.max(ifelse(mean <= min(mean, na.rm = TRUE), cv$lambda, -Inf))
    within <- mean <= mean[least] + cv$cvsd[least]
    one <- which.max(ifelse(within, cv$lambda, -Inf))
    list(lambda.min = cv$lambda[least], lambda.1se = cv$lambda[one],
         index = matrix(c(least, one), 2, 1, dimnames = list(c("min", "1se"), "Lambda")))
}

# The gammas that are judged, ascending; none without relaxed fits.
gammas_of <- function(relax, gamma) {
    if (!relax) return(numeric())
    if (is.null(gamma)) gamma <- c(0, 0.25, 0.5, 0.75, 1)
    if (!is.numeric(gamma) || anyNA(gamma) || any(gamma < 0 | gamma > 1))
        stop("gamma must be numbers between 0 and 1", call. = FALSE)
    sort(unique(as.double(gamma)))
}

# The table of gammas and lambdas, and both choices in it, as cv.glmnet's.
relaxed_choices <- function(answer, cv) {
    if (answer$without)
        warning(answer$without, " supports of the folds have no refit without penalties; ",
                "the penalised fits were judged in their place", call. = FALSE)
    curves <- lapply(seq_along(answer$gamma), function(k) {
        mean <- answer$cvm[, k]
        error <- answer$cvsd[, k]
        list(lambda = cv$lambda, cvm = mean, cvsd = error, cvup = mean + error, cvlo = mean - error, nzero = cv$nzero)
    })
    names(curves) <- paste0("g:", answer$gamma)
    index <- matrix(answer$index, 2, 2, byrow = TRUE, dimnames = list(c("min", "1se"), c("Lambda", "Gamma")))
    lambda <- cv$lambda[index[, "Lambda"]]
    gamma <- answer$gamma[index[, "Gamma"]]
    nzero <- cv$nzero[index[, "Lambda"]]
    list(statlist = curves, gamma = answer$gamma, lambda.min = lambda[1], lambda.1se = lambda[2],
         gamma.min = gamma[1], gamma.1se = gamma[2], nzero.min = nzero[1], nzero.1se = nzero[2], index = index)
}

# The curve of least mean, of its relaxed fits where there are any.
best_of <- function(curves, measure) {
    sign <- if (measure == "auc") -1 else 1
    least <- function(cv) {
        means <- if (is.null(cv$relaxed)) cv$cvm else unlist(lapply(cv$relaxed$statlist, `[[`, "cvm"))
        min(sign * means, na.rm = TRUE)
    }
    curves[[which.min(vapply(curves, least, 0))]]
}
