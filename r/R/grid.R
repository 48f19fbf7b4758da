# glmnet's lambdas: where its grid begins, and where its path ends before the grid does.

# For smaller alphas glmnet uses the largest lambda of this one.
least_alpha <- 1e-3
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

# Where the library is to end a path on a grid of its own. With limits of zero glmnet asks for no gain:
# long stretches of such a path may have none.
end_of_path <- function(a, inputs) {
    rules <- sven.control()
    has_zero_limit <- any(c(inputs$problem$lower, inputs$problem$upper) == 0)
    list(fdev = if (has_zero_limit) -Inf else rules$fdev, devmax = rules$devmax, mnlam = as.integer(rules$mnlam),
         dfmax = if (is.null(a$dfmax)) Inf else as.double(a$dfmax))
}
