# Rscript glmnet_path.R <folder>: fits the problem in <folder> by glmnet, as exactly as it can, and writes
# every field of the answer there. Numbers travel in binary.
suppressPackageStartupMessages(library(glmnet))
folder <- commandArgs(trailingOnly = TRUE)[1]
numbers <- function(name) {
    file <- file.path(folder, name)
    readBin(file, "double", file.size(file) / 8)
}
settings <- numbers("settings")  # n p alpha standardize intercept positive has_lambda
n <- settings[1]
p <- settings[2]
call <- list(matrix(numbers("x"), n, p), numbers("y"), weights = numbers("weights"), alpha = settings[3],
             standardize = settings[4] == 1, intercept = settings[5] == 1, penalty.factor = numbers("factors"),
             lower.limits = if (settings[6] == 1) 0 else -Inf, thresh = 1e-22, maxit = 1e8)
if (settings[7] == 1) call$lambda <- numbers("lambda")
has <- function(name) file.exists(file.path(folder, name))
if (has("lower")) call$lower.limits <- numbers("lower")
if (has("upper")) call$upper.limits <- numbers("upper")
if (has("offset")) call$offset <- numbers("offset")
if (has("family")) {  # its outer loop of clamped probabilities ends at a coarser threshold
    call$family <- c("gaussian", "binomial", "poisson")[numbers("family") + 1]
    call$thresh <- 1e-20
    call$maxit <- 1e7
    if (call$family == "binomial") call[[2]] <- cbind(1 - call[[2]], call[[2]])
}
fit <- do.call(glmnet, call)
put <- function(name, values) writeBin(as.double(values), file.path(folder, name))
put("a0", fit$a0)
put("beta", as.matrix(fit$beta))
put("lambda.out", fit$lambda)
put("dev.ratio", fit$dev.ratio)
put("nulldev", fit$nulldev)
put("df", fit$df)
at <- c(fit$lambda[1] * 2, mean(fit$lambda[2:3]), fit$lambda[2], min(fit$lambda) / 2)
put("s", at)
put("coef.at", as.matrix(coef(fit, s = at)))
