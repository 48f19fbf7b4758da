# glmnet's lambdas: where its grid begins, and where its path ends.

# For smaller alphas glmnet uses the largest lambda of this one; a smaller lambda.min.ratio is replaced by it.
least_alpha <- 1e-3
least_ratio <- 1e-6
# glmnet's rules for ending a path on its own grid: least gain in explained deviance, most explained
# deviance, least number of lambdas before either counts.
least_gain <- 1e-5
most_deviance <- 0.999
least_length <- 5

# Log-equal, for alpha = 1, from the largest |x'r|, with r what the unpenalised features leave of y.
# glmnet asks for limits there alone, so that a path with limits of zero may begin with lambdas at
# which nothing is selected.
lambda_grid <- function(session, problem, count, ratio, alpha, control) {
    free <- if (is.null(problem$factors)) logical(1) else problem$factors == 0
    # At alpha = 0 its programs for other families look before they fit the unpenalised features.
    is_early <- alpha == 0 && problem$family != "gaussian"
    is_limited <- !is.null(problem$lower) || !is.null(problem$upper)
    if (!is_limited && !(is_early && any(free))) return(grid_of(session, count, ratio, control))
    unlimited <- problem
    unlimited["lower"] <- unlimited["upper"] <- list(NULL)
    if (!any(free)) return(grid_of(open_session(unlimited), count, ratio, control))
    if (!is_early) unlimited["offset"] <- list(free_predictor(problem, free, control))
    unlimited$factors <- ifelse(free, Inf, problem$factors)
    # Factors are rescaled by their sum, in which excluded features count as 1 and free ones as 0.
    total <- sum(ifelse(is.infinite(problem$factors), 1, problem$factors))
    grid_of(open_session(unlimited), count, ratio, control) * (total / (total + sum(free)))
}

# The linear predictor of the unpenalised features, within their limits.
free_predictor <- function(problem, free, control) {
    alone <- problem
    alone$factors <- ifelse(free, 0, Inf)
    answer <- solve_settings(open_session(alone), "glmnet", 0, 1, quiet(control))
    beta <- numeric(ncol(problem$x))
    beta[answer$i + 1] <- answer$x
    eta <- as.double(problem$x %*% beta) + answer$a0
    if (is.null(problem$offset)) eta else problem$offset + eta
}

# What lambda k gains over the one before, as each of glmnet's programs counts it: a share of what is
# explained; the gain itself; a tenth of the share that the last five gained.
gain_at <- function(ratio, k, family) {
    if (family == "binomial") return(ratio[k] - ratio[k - 1])
    if (ratio[k] <= 0) return(0)
    if (family == "poisson") return((ratio[k] - ratio[k - least_length + 1]) / ratio[k] / 10)
    (ratio[k] - ratio[k - 1]) / ratio[k]
}

# How many lambdas glmnet keeps of its own path. With limits of zero it asks for no gain: long
# stretches of such a path may have none.
path_length <- function(ratio, df, family, dfmax, has_zero_limit) {
    if (length(ratio) < least_length) return(length(ratio))
    for (k in seq(least_length, length(ratio))) {
        is_flat <- !has_zero_limit && gain_at(ratio, k, family) < least_gain
        if (is_flat || ratio[k] > most_deviance || df[k] > dfmax) return(k)
    }
    length(ratio)
}
