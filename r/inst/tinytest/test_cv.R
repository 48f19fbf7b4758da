# Cross-validation beside cv.glmnet's at the same lambdas and folds.
source("support.R")

data <- make_problem("gaussian", 90)
foldid <- rep_len(1:9, 90)
cv <- cv.sven(data$x, data$y, foldid = foldid, keep = TRUE)
expect_inherits(cv, "cv.sven")
expect_true(cv$lambda.1se >= cv$lambda.min)
expect_equal(cv$cvup - cv$cvlo, 2 * cv$cvsd)
expect_true(cv$worst.gap <= 1e-10)
# the mean that the library summed up, from the predictors that R kept
losses <- (data$y - cv$fit.preval)^2
expect_equal(cv$cvm, unname(colMeans(losses)), tolerance = 1e-8)

several <- cv.sven(data$x, data$y, foldid = foldid, alpha = c(0.2, 1))
expect_equal(length(several$curves), 2)
expect_equal(min(several$cvm), min(vapply(several$curves, function(curve) min(curve$cvm), 0)))
expect_equal(several$curves[["1"]]$cvm, cv$cvm, tolerance = 1e-8)

expect_warning(leave_one_out <- cv.sven(data$x[1:30, ], data$y[1:30], nfolds = 30, nlambda = 10), "grouped=FALSE")
expect_error(cv.sven(data$x, data$y, nfolds = 2), "nfolds")

# the folds of rows that are left out for missing values go with them
holes <- data.frame(data$x, y = data$y)
holes$X4[5] <- NA
by_formula <- cv.sven(y ~ ., holes, foldid = foldid, nlambda = 10)
expect_equal(by_formula$cvm, cv.sven(data$x[-5, ], data$y[-5], foldid = foldid[-5], nlambda = 10)$cvm, tolerance = 1e-8)

# columns that a function leaves out of each fold: it sees the training rows alone
seen <- integer()
asked <- cv.sven(data$x, data$y, foldid = foldid, exclude = function(x, y, weights) {
    seen <<- c(seen, nrow(x))
    stopifnot(length(y) == nrow(x), length(weights) == nrow(x))
    2
})
expect_equal(seen, c(90, rep(80, 9)))
expect_equal(asked$cvm, cv.sven(data$x, data$y, foldid = foldid, exclude = 2)$cvm, tolerance = 1e-8)
expect_equal(asked$cvsd, cv.sven(data$x, data$y, foldid = foldid, exclude = 2)$cvsd, tolerance = 1e-8)

if (!has_glmnet) exit_file("glmnet is not installed")

for (family in c("gaussian", "binomial", "poisson")) {
    data <- make_problem(family, 120)
    foldid <- rep_len(1:6, 120)
    lambda <- exp(seq(-1, -4, length.out = 12))
    measures <- if (family == "binomial") c("deviance", "class", "auc", "mse", "mae") else c("deviance", "mae")
    for (measure in measures) for (grouped in c(TRUE, FALSE)) {
        common <- list(data$x, data$y, family = family, weights = data$w, offset = data$o, foldid = foldid,
                       lambda = lambda, type.measure = measure, alpha = 0.7, keep = TRUE, grouped = grouped)
        theirs <- do.call(glmnet::cv.glmnet, c(common, thresh = 1e-14, maxit = 1e7))
        ours <- do.call(cv.sven, common)
        name <- paste(family, measure, grouped)
        expect_equivalent(ours$cvm, theirs$cvm, tolerance = 1e-6, info = name)
        expect_equivalent(ours$cvsd, theirs$cvsd, tolerance = 1e-6, info = name)
        expect_equivalent(ours$nzero, theirs$nzero, info = name)
        expect_equal(ours$lambda.min, theirs$lambda.min, info = name)
        expect_equal(ours$lambda.1se, theirs$lambda.1se, info = name)
        expect_equal(ours$index, theirs$index, info = name)
        expect_equal(ours$name, theirs$name, info = name)
        expect_equivalent(ours$fit.preval, theirs$fit.preval, tolerance = 1e-6, info = name)
    }
    # a filter of its own in every fold
    filter <- function(x, y, weights) order(abs(cor(x, y)))[1:3]
    for (measure in measures) for (grouped in c(TRUE, FALSE)) {
        common <- list(data$x, data$y, family = family, weights = data$w, offset = data$o, foldid = foldid, lambda = lambda,
                       type.measure = measure, keep = TRUE, grouped = grouped, exclude = filter)
        filtered <- do.call(cv.sven, common)
        reference <- do.call(glmnet::cv.glmnet, c(common, thresh = 1e-14, maxit = 1e7))
        name <- paste(family, measure, grouped, "filter")
        expect_equivalent(filtered$cvm, reference$cvm, tolerance = 1e-6, info = name)
        expect_equivalent(filtered$cvsd, reference$cvsd, tolerance = 1e-6, info = name)
        expect_equal(filtered$index, reference$index, info = name)
        expect_equivalent(filtered$fit.preval, reference$fit.preval, tolerance = 1e-6, info = name)
    }
    figures <- assess.sven(ours, newx = data$x, newy = data$y, weights = data$w, newoffset = data$o)
    reference <- glmnet::assess.glmnet(theirs, newx = data$x, newy = data$y, weights = data$w, newoffset = data$o)
    expect_equal(names(figures), names(reference))
    for (measure in names(figures))
        expect_equivalent(figures[[measure]], reference[[measure]], tolerance = 1e-6, info = paste(family, measure))
    expect_equal(attributes(figures[[1]])$measure, attributes(reference[[1]])$measure)
    if (family != "binomial") next
    expect_equivalent(roc.sven(ours, newx = data$x, newy = data$y, newoffset = data$o),
                      glmnet::roc.glmnet(theirs, newx = data$x, newy = data$y, newoffset = data$o), tolerance = 1e-6)
    expect_equivalent(unclass(confusion.sven(ours, newx = data$x, newy = data$y, newoffset = data$o)),
                      unclass(glmnet::confusion.glmnet(theirs, newx = data$x, newy = data$y, newoffset = data$o)))
}
