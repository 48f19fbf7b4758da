# Rscript glmnet.R <cases> <answers>: solves each line of <cases> by glmnet, as exactly as it can, and
# writes intercept and coefficients of each, one after the other, as doubles. Numbers travel in binary.
suppressPackageStartupMessages(library(glmnet))
arguments <- commandArgs(trailingOnly = TRUE)
cases <- read.table(arguments[1], sep = "\t", colClasses = c(rep("character", 4), rep("numeric", 8)),
                    col.names = c("X", "y", "w", "f", "n", "p", "sparse", "intercept", "standardize",
                                  "nonnegative", "lambda", "alpha"))
answers <- file(arguments[2], "wb")
for (i in seq_len(nrow(cases))) {
    case <- cases[i, ]
    X <- matrix(readBin(case$X, "double", case$n * case$p), case$n, case$p)
    if (case$sparse) X <- as(X, "CsparseMatrix")
    model <- glmnet(X, readBin(case$y, "double", case$n), weights = readBin(case$w, "double", case$n),
                    lambda = case$lambda, alpha = case$alpha,
                    standardize = case$standardize == 1, intercept = case$intercept == 1,
                    penalty.factor = readBin(case$f, "double", case$p),
                    lower.limits = if (case$nonnegative) 0 else -Inf,
                    thresh = 1e-20, maxit = 1e9)
    writeBin(c(as.numeric(model$a0), as.numeric(model$beta)), answers)
}
close(answers)
