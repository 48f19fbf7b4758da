# Rscript bench/r/speed.R [--defaults] [set...]: paths and cross-validations of seeded data by svenet at its default, and by glmnet at its
# default and at the thresh that its paths need to have a relative optimality gap of 1e-8; processor time of one thread,
# conversion counted, as a table of Markdown. Gaps are computed here, for all alike. With --defaults the latter, whose search takes
# minutes a set, is left out.
suppressPackageStartupMessages({
    library(svenet)
    library(glmnet)
})

# n x p, share of entries that are not zero, family
sets <- list(
    "200 x 5000" = list(200, 5000, 1, "gaussian"),
    "1000 x 1000" = list(1000, 1000, 1, "gaussian"),
    "1000 x 50000" = list(1000, 50000, 1, "gaussian"),
    "20000 x 200" = list(20000, 200, 1, "gaussian"),
    "100000 x 50" = list(100000, 50, 1, "gaussian"),
    "2000 x 10000, 2 % full" = list(2000, 10000, 0.02, "gaussian"),
    "100 x 2000, classes" = list(100, 2000, 1, "binomial"),
    "5000 x 100, classes" = list(5000, 100, 1, "binomial"),
    "1000 x 3000, 5 % full, classes" = list(1000, 3000, 0.05, "binomial"),
    "5000 x 100, counts" = list(5000, 100, 1, "poisson")
)

make_set <- function(n, p, full, family) {
    set.seed(n + p)
    x <- if (full < 1) Matrix::rsparsematrix(n, p, full) else matrix(rnorm(n * p), n, p)
    eta <- as.vector(x[, 1:10] %*% seq(1, 0.1, length.out = 10))
    eta <- eta / sd(eta)
    y <- switch(family, gaussian = eta + rnorm(n), binomial = rbinom(n, 1, 1 / (1 + exp(-2 * eta))),
                poisson = rpois(n, exp(eta / 2)))
    list(x = x, y = y, family = family, foldid = rep_len(1:10, n))
}

# ---- how far a path is from its optimum, in code of its own ----

# Lasso with scaled columns and an intercept: for every lambda the objective of glmnet's solution less that of a dual point, over
# the null deviance, as the gap of svenet. The intercept is fitted once more, so that the residuals sum to zero.
gap_of <- function(fit, set) {
    n <- length(set$y)
    scales <- sqrt(pmax(Matrix::colMeans(set$x^2) - Matrix::colMeans(set$x)^2, 0))
    eta <- as.matrix(set$x %*% fit$beta)
    eta <- eta + rep(vapply(seq_along(fit$lambda), function(k) best_intercept(set, eta[, k], fit$a0[[k]]), 0), each = n)
    residual <- set$y - mean_of(set$family, eta)
    products <- as.matrix(Matrix::crossprod(set$x, residual)) / scales
    largest <- apply(abs(products), 2, max)
    shrink <- pmin(1, n * fit$lambda / largest)
    dual <- rep(shrink, each = n) * residual
    penalty <- n * fit$lambda * colSums(abs(as.matrix(fit$beta)) * scales)
    difference <- colSums(partition(set$family, eta) - set$y * eta) + penalty + colSums(conjugate(set$family, set$y - dual))
    max(2 * difference / fit$nulldev)
}

mean_of <- function(family, eta) switch(family, gaussian = eta, binomial = 1 / (1 + exp(-eta)), poisson = exp(eta))
partition <- function(family, eta)
    switch(family, gaussian = eta^2 / 2, binomial = pmax(eta, 0) + log1p(exp(-abs(eta))), poisson = exp(eta))
entropy <- function(u) ifelse(u > 0, u * log(ifelse(u > 0, u, 1)), 0)
conjugate <- function(family, u)
    switch(family, gaussian = u^2 / 2, binomial = entropy(u) + entropy(1 - u), poisson = entropy(u) - u)

best_intercept <- function(set, eta, a0) {
    for (step in 1:50) {
        mean <- mean_of(set$family, eta + a0)
        slope <- switch(set$family, gaussian = length(eta), binomial = sum(mean * (1 - mean)), poisson = sum(mean))
        move <- sum(set$y - mean) / slope
        a0 <- a0 + move
        if (abs(move) <= 1e-15 * (1 + abs(a0))) break
    }
    a0
}

# The largest thresh at which glmnet's path is as near to its optimum as is asked for; NA if none of those tried will do within
# its number of passes, or within a minute a path.
thresh_for <- function(set, wanted) {
    for (thresh in 10^-seq(9, 19, by = 2)) {
        took <- system.time(fit <- suppressWarnings(glmnet(set$x, set$y, family = set$family, thresh = thresh)))
        if (fit$jerr != 0) return(NA)
        if (gap_of(fit, set) <= wanted) return(thresh)
        if (took[["user.self"]] > 60) return(NA)
    }
    NA
}

# ---- the table ----

# The least of three, or of one where that takes long.
seconds <- function(run) {
    once <- function() {
        took <- system.time(suppressWarnings(run()))
        took[["user.self"]] + took[["sys.self"]]
    }
    first <- once()
    if (first > 5) first else min(first, once(), once())
}

options(svenet.threads = 1)
asked <- setdiff(commandArgs(TRUE), "--defaults")
is_searched <- !"--defaults" %in% commandArgs(TRUE)
wanted <- 1e-8
cat("| X | `sven`, gap | `glmnet`, gap | `glmnet` to a gap of 1e-8, thresh | `cv.sven` | `cv.glmnet` | to 1e-8 |\n|---|---|---|---|---|---|---|\n")
for (name in if (length(asked)) asked else names(sets)) {
    set <- do.call(make_set, sets[[name]])
    ours <- sven(set$x, set$y, family = set$family)
    theirs <- glmnet(set$x, set$y, family = set$family)
    thresh <- if (is_searched) thresh_for(set, wanted) else NA
    invisible(gc())
    of_path <- function(fit, ...) sprintf("%.2f s", seconds(function() fit(set$x, set$y, family = set$family, ...)))
    of_folds <- function(fit, ...) of_path(fit, foldid = set$foldid, ...)
    exact <- function(timed, fit) if (!is_searched) "" else if (is.na(thresh)) "none" else timed(fit, thresh = thresh)
    figures <- c(sprintf("%s, %.0e", of_path(sven), gap_of(ours, set)), sprintf("%s, %.0e", of_path(glmnet), gap_of(theirs, set)),
                 if (is.na(thresh)) exact() else sprintf("%s, %.0e", exact(of_path, glmnet), thresh), of_folds(cv.sven), of_folds(cv.glmnet),
                 exact(of_folds, cv.glmnet))
    cat("|", paste(c(name, figures), collapse = " | "), "|\n")
}
