# Folds that are fitted one by one: where the linear predictors of their rows are wanted, or where each of them has columns
# of its own to leave out.

# The problem of the training rows.
training_problem <- function(a, inputs, test) {
    part <- inputs$problem
    part$x <- as_features(inputs$x[-test, , drop = FALSE])
    for (field in c("y", "weights", "offset"))
        if (!is.null(part[[field]])) part[[field]] <- part[[field]][-test]
    if (is.function(a$exclude)) {
        y <- drop(inputs$y)
        rows <- list(x = part$x, y = if (is.null(dim(y))) y[-test] else y[-test, , drop = FALSE],
                     weights = inputs$weights[-test])
        part["factors"] <- list(as_factors(a$penalty.factor, a$exclude, rows))
    }
    part
}

# Every row by the fit that has not seen it, rows x lambdas: `eta`, and of relaxed fits `relaxed`.
fold_predictors <- function(a, inputs, lambda, alpha, plan, control) {
    steps <- paste0("s", seq_along(lambda) - 1)
    eta <- matrix(NA_real_, nrow(inputs$x), length(lambda), dimnames = list(rownames(inputs$x), steps))
    found <- list(eta = eta, worst.gap = 0, missed = 0, without = 0)
    if (length(plan$gamma)) found$relaxed <- eta
    rows_at <- function(answer, test) {
        table <- rbind2(matrix(answer$a0, 1), coefficient_matrix(answer, inputs$names, steps))
        eta <- predictor_at(table, inputs$x[test, , drop = FALSE])
        if (is.null(inputs$problem$offset)) eta else eta + inputs$problem$offset[test]
    }
    for (fold in sort(unique(plan$foldid))) {
        test <- which(plan$foldid == fold)
        session <- open_session(training_problem(a, inputs, test))
        answer <- solve_settings(session, "glmnet", lambda, alpha, quiet(control))
        found$eta[test, ] <- rows_at(answer, test)
        found$worst.gap <- max(found$worst.gap, answer$gap)
        found$missed <- found$missed + sum(answer$status == "iteration_limit")
        if (!length(plan$gamma)) next
        refits <- relax_path(session, length(lambda), control)
        found$relaxed[test, ] <- rows_at(refits$path, test)
        found$without <- found$without + sum(refits$refit != "done")
    }
    found
}

at_gamma <- function(found, gamma) if (gamma == 1) found$eta else gamma * found$eta + (1 - gamma) * found$relaxed

# fit.preval: a matrix, or of relaxed fits one for each gamma.
kept_predictors <- function(found, inputs, gammas) {
    named <- function(eta) {
        if (inputs$family == "binomial") attr(eta, "classnames") <- inputs$classnames
        eta
    }
    if (!length(gammas)) return(named(found$eta))
    stats::setNames(lapply(gammas, function(gamma) named(at_gamma(found, gamma))), paste0("g:", gammas))
}

# The mean of the measure and its standard error, of each column of predictors.
fold_statistics <- function(eta, inputs, plan) {
    y <- inputs$problem$y
    weights <- if (is.null(inputs$problem$weights)) rep(1, length(y)) else inputs$problem$weights
    measure <- unname(plan$measure)
    of_folds <- function(figure) do.call(rbind, lapply(split(seq_along(y), plan$foldid), figure))
    if (plan$grouped) {
        losses <- of_folds(function(rows) measured(inputs$family, measure, y[rows], eta[rows, , drop = FALSE], weights[rows]))
        weights <- as.double(rowsum(weights, plan$foldid))
    } else {
        losses <- row_losses(inputs$family, measure, y, eta)
    }
    mean <- apply(losses, 2, stats::weighted.mean, w = weights)
    squares <- apply(scale(losses, mean, FALSE)^2, 2, stats::weighted.mean, w = weights)
    list(cvm = unname(mean), cvsd = unname(sqrt(squares / (nrow(losses) - 1))))
}

# What validate_folds() answers, of folds that were fitted here.
judged_folds <- function(found, inputs, lambda, plan) {
    answer <- c(fold_statistics(found$eta, inputs, plan), found[c("missed", "worst.gap")])
    if (!length(plan$gamma)) return(answer)
    curves <- lapply(plan$gamma, function(gamma) fold_statistics(at_gamma(found, gamma), inputs, plan))
    cvm <- vapply(curves, `[[`, lambda, "cvm")
    cvsd <- vapply(curves, `[[`, lambda, "cvsd")
    mean <- if (plan$measure == "auc") -cvm else cvm
    # of those that will do the largest lambda, then the largest gamma
    first <- function(will_do) {
        at <- which(will_do, arr.ind = TRUE)
        at[order(at[, 1], -at[, 2])[1], ]
    }
    best <- first(mean <= min(mean))
    one <- first(mean <= mean[best[1], best[2]] + cvsd[best[1], best[2]])
    answer$relaxed <- list(gamma = plan$gamma, cvm = cvm, cvsd = cvsd, index = unname(c(best, one)), without = found$without)
    answer
}
