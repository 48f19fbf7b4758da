# Rscript bench/r/speed.R [set...]: paths and cross-validations by svenet and by glmnet, both at their defaults, on
# seeded data; processor time of one thread, conversion counted, as a table of Markdown.
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

seconds <- function(expression) {
    took <- system.time(expression)
    sprintf("%.2f s", took[["user.self"]] + took[["sys.self"]])
}

options(svenet.threads = 1)
asked <- commandArgs(TRUE)
cat("| X | `sven` | `glmnet` | `cv.sven` | `cv.glmnet` |\n|---|---|---|---|---|\n")
for (name in if (length(asked)) asked else names(sets)) {
    set <- do.call(make_set, sets[[name]])
    invisible(gc())
    figures <- with(set, c(
        seconds(sven(x, y, family = family)), seconds(glmnet(x, y, family = family)),
        seconds(cv.sven(x, y, family = family, foldid = foldid)),
        seconds(cv.glmnet(x, y, family = family, foldid = foldid))))
    cat("|", paste(c(name, figures), collapse = " | "), "|\n")
}
