# Rscript relaxed.R <family> <upper limit>: the relaxed path and cross-validation of data.csv by glmnet, as exactly as it can. Prints one
# list of numbers a line: the refits, the blends of gamma 0.25, then of each gamma the means and the standard errors, and the
# places of both choices.
suppressPackageStartupMessages(library(glmnet))
family <- commandArgs(trailingOnly = TRUE)[1]
data <- read.csv("data.csv", check.names = FALSE)
x <- as.matrix(data[, grepl("^x", names(data))])
glmnet.control(fdev = 0, devmax = 1)
lambda <- scan("lambdas", quiet = TRUE)
common <- list(x, data$y, family = family, weights = data$w, offset = data$o, lambda = lambda, alpha = 0.8,
               thresh = 1e-14, maxit = 1e7)
common$upper.limits <- as.numeric(commandArgs(trailingOnly = TRUE)[2])
show <- function(values) cat(sprintf("%.17g", as.numeric(values)), "\n")
fit <- do.call(glmnet, c(common, relax = TRUE))
show(rbind(fit$relaxed$a0, as.matrix(fit$relaxed$beta)))
show(as.matrix(coef(fit, s = lambda, gamma = 0.25)))
gammas <- c(1e-5, 0.25, 0.5, 0.75, 1)
cv <- do.call(cv.glmnet, c(common, relax = TRUE, foldid = list(data$fold), gamma = list(gammas)))
for (one in cv$relaxed$statlist) { show(one$cvm); show(one$cvsd) }
show(t(cv$relaxed$index) - 1)
