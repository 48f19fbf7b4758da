# What predictions are judged by, row by row, as cv.glmnet does.

measures_of <- list(gaussian = c("mse", "deviance", "mae"),
                    binomial = c("deviance", "class", "auc", "mse", "mae"),
                    poisson = c("deviance", "mse", "mae"))

#' Measures of each family
#'
#' @param family a family, or \code{"all"}.
#' @return The values of \code{type.measure} that \code{\link{cv.sven}} and \code{\link{assess.sven}} know for
#'   the family, the default first; of \code{"all"} a list of them. As \code{glmnet::glmnet.measures}.
#' @examples
#' sven.measures()
#' sven.measures("binomial")
#' @export
sven.measures <- function(family = c("all", "gaussian", "binomial", "poisson")) {
    family <- match.arg(family)
    distinct <- measures_of
    distinct$gaussian <- setdiff(distinct$gaussian, "deviance")  # which is mse
    if (family == "all") distinct else distinct[[family]]
}

# The measure that is meant, with its title as its name.
measure_name <- function(type.measure, family) {
    available <- measures_of[[family]]
    if (type.measure == "default") type.measure <- available[1]
    if (!type.measure %in% available) {
        warning("Only ", paste(available, collapse = ", "), " available as type.measure for ", family,
                " models; ", available[1], " used instead", call. = FALSE)
        type.measure <- available[1]
    }
    deviance <- c(gaussian = "Mean-squared Error", binomial = "Binomial Deviance", poisson = "Poisson Deviance")
    titles <- c(deviance = deviance[[family]], mse = "Mean-Squared Error", mae = "Mean Absolute Error",
                auc = "AUC", class = "Misclassification Error")
    stats::setNames(type.measure, titles[[type.measure]])
}

# A certainty that was wrong does not count as infinite.
least_probability <- 1e-5

# Of each row and each column of linear predictors; y of a binomial response is a share of successes.
row_losses <- function(family, measure, y, eta) {
    mean <- switch(family, gaussian = eta, binomial = 1 / (1 + exp(-eta)), poisson = exp(eta))
    both <- if (family == "binomial") 2 else 1
    if (measure == "mse" || (family == "gaussian" && measure == "deviance")) return(both * (y - mean)^2)
    if (measure == "mae") return(both * abs(y - mean))
    if (measure == "class") return(ifelse(mean > 0.5, 1 - y, y))
    entropy <- function(share) ifelse(share > 0, share * log(ifelse(share > 0, share, 1)), 0)
    if (family == "poisson") return(2 * (entropy(y) - y - (y * eta - mean)))
    mean <- pmin(pmax(mean, least_probability), 1 - least_probability)
    2 * (entropy(y) + entropy(1 - y) - y * log(mean) - (1 - y) * log(1 - mean))
}

# The probability that a success has the larger predictor of a pair; ties count by half.
area_under_curve <- function(y, eta, weights) {
    successes <- as.double(rowsum(weights * y, eta))
    failures <- as.double(rowsum(weights * (1 - y), eta))
    below <- cumsum(failures) - failures
    sum(successes * (below + failures / 2)) / (sum(successes) * sum(failures))
}

# The measure of each column of linear predictors.
measured <- function(family, measure, y, eta, weights) {
    if (measure == "auc") return(apply(eta, 2, function(column) area_under_curve(y, column, weights)))
    losses <- row_losses(family, measure, y, eta)
    apply(losses, 2, stats::weighted.mean, w = weights, na.rm = TRUE)
}
