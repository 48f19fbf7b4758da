# What the tests share: problems with all that a fit may have, and glmnet at its most exact.

has_glmnet <- requireNamespace("glmnet", quietly = TRUE)

make_problem <- function(family, n = 60, p = 10, seed = 1) {
    set.seed(seed)
    x <- matrix(rnorm(n * p), n, p) %*% diag(exp(rnorm(p) / 2))
    x[, 3] <- rbinom(n, 3, 0.3)
    eta <- drop(scale(x[, 1:4]) %*% c(1, -0.7, 0.5, 0.2)) / 2
    y <- switch(family, gaussian = 5 + 3 * eta + rnorm(n), binomial = rbinom(n, 1, 1 / (1 + exp(-eta))),
                poisson = rpois(n, exp(eta)))
    list(x = x, y = y, w = runif(n, 0.5, 2), o = rnorm(n) / 5)
}

# glmnet's path with none of its early ends.
exact_glmnet <- function(...) {
    saved <- glmnet::glmnet.control()
    on.exit(glmnet::glmnet.control(fdev = saved$fdev, devmax = saved$devmax))
    glmnet::glmnet.control(fdev = 0, devmax = 1)
    suppressWarnings(glmnet::glmnet(..., thresh = 1e-14, maxit = 1e7))
}

largest_difference <- function(ours, theirs)
    max(abs(as.matrix(coef(ours)) - as.matrix(glmnet::coef.glmnet(theirs))))
