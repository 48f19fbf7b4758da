# Relaxed fits beside glmnet's.
source("support.R")

data <- make_problem("gaussian", 80)
fit <- sven(data$x, data$y, relax = TRUE, lambda = c(0.3, 0.1, 0.03))
expect_equal(fit$relaxed$refit, rep("done", 3))
expect_equal(coef(fit, gamma = 1), coef(sven(data$x, data$y, lambda = c(0.3, 0.1, 0.03))), tolerance = 1e-9)
# the refit is least squares on the support
support <- which(fit$beta[, 2] != 0)
plain <- stats::lm.fit(cbind(1, as.matrix(data$x[, support])), data$y)$coefficients
expect_equivalent(coef(fit, s = 0.1, gamma = 0)[c(1, support + 1), 1], plain, tolerance = 1e-8)
half <- (coef(fit, gamma = 0) + coef(fit, gamma = 1)) / 2
expect_equivalent(as.matrix(coef(fit, gamma = 0.5)), as.matrix(half), tolerance = 1e-12)
expect_equivalent(predict(fit, data$x, s = 0.1, gamma = 0.5), predict(fit, data$x, s = 0.1, gamma = 0) / 2 +
                  predict(fit, data$x, s = 0.1) / 2, tolerance = 1e-12)
expect_true("%Dev R" %in% names(print(fit)))
expect_error(coef(sven(data$x, data$y), gamma = 0.5), "relax = TRUE")
expect_error(coef(fit, gamma = 2), "between 0 and 1")
expect_error(cv.sven(data$x, data$y, relax = TRUE, gamma = -1), "between 0 and 1")
afterwards <- relax.sven(sven(data$x, data$y, lambda = c(0.3, 0.1, 0.03)), x = data$x, y = data$y)
expect_equal(afterwards$relaxed$beta, fit$relaxed$beta, tolerance = 1e-9)
expect_equal(afterwards$relaxed$refit, fit$relaxed$refit)
expect_error(relax.sven(1), "sven")
pdf(NULL)
expect_silent(plot(fit, gamma = 0.5, label = TRUE))
folds <- cv.sven(data$x, data$y, relax = TRUE)
expect_silent(plot(folds))
expect_silent(plot(folds, se.bands = FALSE, sign.lambda = -1, main = "a title"))
invisible(dev.off())
expect_stdout(print(folds), "Gamma Index Lambda Index")
expect_stdout(print(fit), "Relaxed")
# a support that separates the classes has no refit
expect_warning(split <- sven(data$x, data$x[, 1] > 0, family = "binomial", relax = TRUE), "no refit")
expect_true("separated" %in% split$relaxed$refit)
last <- length(split$lambda)
expect_equal(split$relaxed$beta[, last], split$beta[, last])

if (!has_glmnet) exit_file("glmnet is not installed")

for (family in c("gaussian", "binomial", "poisson")) {
    data <- make_problem(family, 150)
    lambda <- exp(seq(-1, -3.5, length.out = 8))
    common <- list(data$x, data$y, family = family, weights = data$w, offset = data$o, lambda = lambda, alpha = 0.8,
                   relax = TRUE)
    ours <- do.call(sven, common)
    theirs <- do.call(glmnet::glmnet, c(common, thresh = 1e-14, maxit = 1e7))
    expect_equal(ours$relaxed$refit, rep("done", 8), info = family)
    expect_equivalent(as.matrix(ours$relaxed$beta), as.matrix(theirs$relaxed$beta), tolerance = 1e-6, info = family)
    expect_equivalent(ours$relaxed$a0, theirs$relaxed$a0, tolerance = 1e-6, info = family)
    expect_equivalent(ours$relaxed$dev.ratio, theirs$relaxed$dev.ratio, tolerance = 1e-7, info = family)
    expect_equivalent(as.matrix(coef(ours, s = lambda[3], gamma = 0.4)),
                      as.matrix(coef(theirs, s = lambda[3], gamma = 0.4)), tolerance = 1e-6, info = family)
    foldid <- rep_len(1:5, 150)
    for (grouped in c(TRUE, FALSE)) {
        folds <- c(common, list(foldid = foldid, grouped = grouped, keep = TRUE))
        ours <- do.call(cv.sven, folds)
        theirs <- do.call(glmnet::cv.glmnet, c(folds, thresh = 1e-14, maxit = 1e7))
        for (part in names(theirs$relaxed$statlist)) for (field in c("cvm", "cvsd", "nzero"))
            # glmnet's gamma of 0 is 1e-5
            expect_equivalent(ours$relaxed$statlist[[part]][[field]], theirs$relaxed$statlist[[part]][[field]],
                              tolerance = 1e-4, info = paste(family, part, field))
        expect_equal(names(ours$fit.preval), names(theirs$fit.preval), info = family)
        for (part in names(theirs$fit.preval))
            expect_equivalent(ours$fit.preval[[part]], theirs$fit.preval[[part]], tolerance = 1e-4, info = paste(family, part))
        # the same table by folds that are fitted one by one
        one_by_one <- do.call(cv.sven, c(folds, exclude = function(...) integer()))
        for (part in names(ours$relaxed$statlist)) for (field in c("cvm", "cvsd"))
            expect_equal(one_by_one$relaxed$statlist[[part]][[field]], ours$relaxed$statlist[[part]][[field]],
                         tolerance = 1e-7, info = paste(family, part, field))
        expect_equal(one_by_one$relaxed$index, ours$relaxed$index, info = family)
        for (field in c("gamma", "lambda.min", "lambda.1se", "gamma.min", "gamma.1se", "index"))
            expect_equal(ours$relaxed[[field]], theirs$relaxed[[field]], info = paste(family, field))
        for (s in c("lambda.min", "lambda.1se"))
            expect_equivalent(as.matrix(coef(ours, s = s)), as.matrix(coef(theirs, s = s)), tolerance = 1e-4,
                              info = paste(family, s))
        expect_equivalent(predict(ours, data$x[1:5, ], s = 0.1, gamma = 0.5, newoffset = data$o[1:5]),
                          predict(theirs, data$x[1:5, ], s = 0.1, gamma = 0.5, newoffset = data$o[1:5]),
                          tolerance = 1e-6, info = family)
    }
}
