# Rscript bench/r/interrupt.R: how long after Ctrl-C a fit of svenet gives R back, in milliseconds; each fit would take
# far longer than the second after which it is interrupted. Fits again afterwards: R must be usable.
suppressPackageStartupMessages(library(svenet))

interrupted_after <- function(fit) {
    sent <- tempfile()
    system(sprintf("(sleep 1; date +%%s%%N > %s; kill -INT %d)", sent, Sys.getpid()), wait = FALSE)
    back <- tryCatch({
        fit()
        NA_real_
    }, interrupt = function(condition) as.double(Sys.time()))
    if (is.na(back)) return("finished before the signal")
    sprintf("%.0f ms", 1000 * (back - as.double(readLines(sent)) / 1e9))
}

set.seed(1)
wide <- matrix(rnorm(500 * 20000), 500)
tall <- matrix(rnorm(100000 * 100), 100000)
sparse <- Matrix::rsparsematrix(5000, 20000, 0.01)
fits <- list(
    "gaussian path, 500 x 20000" = function() sven(wide, rnorm(500), lambda.min.ratio = 1e-4),
    "gaussian folds, 500 x 20000" = function() cv.sven(wide, rnorm(500), nfolds = 50),
    "binomial path, 100000 x 100" = function() sven(tall, rbinom(100000, 1, 0.5), family = "binomial"),
    "poisson folds, 100000 x 100" = function() cv.sven(tall, rpois(100000, 2), family = "poisson"),
    "binomial path, 5000 x 20000, sparse" = function() sven(sparse, rbinom(5000, 1, 0.5), family = "binomial"))
for (name in names(fits)) {
    cat(name, ": ", interrupted_after(fits[[name]]), "\n", sep = "")
    again <- sven(wide[, 1:20], wide[, 1] + rnorm(500))
    stopifnot(max(again$gap) <= 1e-10)
}
