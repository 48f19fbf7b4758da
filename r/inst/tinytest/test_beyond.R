# What glmnet lacks: certificates, budgets, sessions, Ctrl-C.
source("support.R")

data <- make_problem("gaussian")
p <- ncol(data$x)
fit <- sven(data$x, data$y)
expect_true(max(fit$gap) <= 1e-10)
expect_true(all(rowSums(fit$certificate) == p))
expect_true(all(fit$certificate$selected <= fit$df))
expect_true(all(fit$status %in% c("optimal", "not_unique")))
almost_constant <- 0.1 * (1 + 2e-16 * (seq_len(60) %% 2))
expect_equal(sven(cbind(data$x, almost_constant), data$y, lambda = 0.1)$left.out, p + 1)
expect_warning(sven(data$x, data$y, thresh = 1e-300, lambda = 0.01), "gap")

# a path of budgets: the norm is the budget, and the multiplier gives the same coefficients back
budget <- sven.budget(data$x, data$y, t = c(0.5, 1), lambda2 = 2)
scales <- sqrt(colMeans(scale(data$x, scale = FALSE)^2))
expect_equal(unname(colSums(abs(as.matrix(budget$beta)) * scales)), c(0.5, 1), tolerance = 1e-8)
expect_true(max(budget$gap) <= 1e-10)
expect_equal(dim(predict(budget, data$x)), c(60, 2))
expect_stdout(print(budget), "lambda1")
expect_error(sven.budget(data$x, data$y, t = -1), "negative")

# refits of a session are those of fresh fits
session <- sven.session(data$x, data$y, lambda = c(0.5, 0.1))
expect_true(max(abs(coef(refit(session)) - coef(sven(data$x, data$y, lambda = c(0.5, 0.1))))) < 1e-8)
again <- refit(session, weights = data$w)
expect_true(max(abs(coef(again) - coef(sven(data$x, data$y, weights = data$w, lambda = c(0.5, 0.1))))) < 1e-8)
again <- refit(session, y = rev(data$y), alpha = 0.5)
direct <- sven(data$x, rev(data$y), weights = data$w, lambda = c(0.5, 0.1), alpha = 0.5)
expect_true(max(abs(coef(again) - coef(direct))) < 1e-8)
expect_stdout(print(session), "60 rows")

# plots and prints
expect_stdout(print(fit), "%Dev")
cv <- cv.sven(data$x, data$y, nfolds = 5)
expect_stdout(print(cv), "1se")
pdf(NULL)
for (axis in c("norm", "lambda", "dev")) expect_silent(plot(fit, xvar = axis, label = TRUE))
expect_silent(plot(cv))
expect_silent(plot(cv, sign.lambda = -1, main = "a title"))
invisible(dev.off())

# the number of threads changes no bit
one <- sven(data$x, data$y, threads = 1)
two <- sven(data$x, data$y, threads = 2)
expect_identical(one$beta, two$beta)

# Ctrl-C: the interrupt reaches a handler, and R works on
if (.Platform$OS.type == "unix" && requireNamespace("parallel", quietly = TRUE)) {
    set.seed(2)
    big <- matrix(rnorm(500 * 1000), 500)
    y <- rnorm(500)
    here <- Sys.getpid()
    killer <- parallel::mcparallel({
        Sys.sleep(0.2)
        tools::pskill(here, tools::SIGINT)
    })
    # more work than any machine does in the time; the interrupt ends it
    outcome <- tryCatch({
        for (repetition in 1:10000) sven(big, y, lambda.min.ratio = 1e-5)
        "finished"
    }, interrupt = function(condition) "interrupted")
    parallel::mccollect(killer)
    expect_equal(outcome, "interrupted")
    expect_inherits(sven(data$x, data$y, lambda = 0.1), "sven")
}
