# Rscript glmnet_relaxed.R <folder> <family>: the relaxed path and cross-validation of glmnet, as exactly as it can. Numbers
# travel in binary.
suppressPackageStartupMessages(library(glmnet))
folder <- commandArgs(trailingOnly = TRUE)[1]
family <- commandArgs(trailingOnly = TRUE)[2]
numbers <- function(name) {
    file <- file.path(folder, name)
    readBin(file, "double", file.size(file) / 8)
}
put <- function(name, values) writeBin(as.double(values), file.path(folder, name))
y <- numbers("y")
glmnet.control(fdev = 0, devmax = 1)
common <- list(matrix(numbers("x"), length(y)), y, family = family, weights = numbers("weights"),
               lambda = numbers("lambda"), alpha = 0.9, penalty.factor = numbers("factors"), thresh = 1e-14, maxit = 1e7)
fit <- do.call(glmnet, c(common, relax = TRUE))
put("refits", rbind(fit$relaxed$a0, as.matrix(fit$relaxed$beta)))
put("dev.ratio", fit$relaxed$dev.ratio)
put("blends", as.matrix(coef(fit, s = fit$lambda, gamma = 0.3)))
common$standardize <- FALSE
common$penalty.factor <- NULL
cv <- do.call(cv.glmnet, c(common, relax = TRUE, foldid = list(numbers("fold")), gamma = list(c(0.25, 0.5, 1))))
put("means", sapply(cv$relaxed$statlist, function(one) one$cvm))
put("errors", sapply(cv$relaxed$statlist, function(one) one$cvsd))
put("places", t(cv$relaxed$index) - 1)
