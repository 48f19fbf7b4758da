# Coefficients, grids and fields beside glmnet's, where it is installed.
source("support.R")
if (!has_glmnet) exit_file("glmnet is not installed")

variants <- list(
    plain = list(),
    weights = list(weights = "w"),
    offset = list(offset = "o"),
    unscaled = list(standardize = FALSE),
    through_zero = list(intercept = FALSE),
    limits = list(lower.limits = -0.1, upper.limits = 0.2),
    positive = list(lower.limits = 0),
    factors = list(penalty.factor = c(0, 1, 2, rep(1, 5), 0.5, 3)),
    excluded = list(exclude = c(2, 5), weights = "w"),
    free_limits = list(penalty.factor = c(0, rep(1, 9)), lower.limits = 0),
    all = list(weights = "w", offset = "o", standardize = FALSE, penalty.factor = c(0, 1, 2, rep(1, 5), 0.5, Inf)),
    all_limits = list(weights = "w", offset = "o", upper.limits = 0.3, penalty.factor = c(0, 1, 2, rep(1, 7)))
)

for (family in c("gaussian", "binomial", "poisson")) {
    data <- make_problem(family)
    for (alpha in c(1, 0.4, 0)) for (variant in names(variants)) for (sparse in c(FALSE, TRUE)) {
        if (sparse && !variant %in% c("plain", "weights", "all")) next
        # free features beside limits are offered for gaussian responses alone
        if (family != "gaussian" && variant %in% c("free_limits", "all_limits")) next
        if (alpha == 0 && !variant %in% c("plain", "all")) next
        name <- paste(family, alpha, variant, if (sparse) "sparse")
        extra <- variants[[variant]]
        for (field in names(extra)) if (is.character(extra[[field]])) extra[[field]] <- data[[extra[[field]]]]
        x <- if (sparse) as(data$x, "CsparseMatrix") else data$x
        base <- c(list(x, data$y, family = family, alpha = alpha), extra)
        # the grid that each makes for itself, and where it ends
        theirs <- suppressWarnings(do.call(glmnet::glmnet, c(base, thresh = 1e-14, maxit = 1e7)))
        ours <- do.call(sven, base)
        expect_equal(length(ours$lambda), length(theirs$lambda), info = paste(name, "length"))
        common <- seq_len(min(length(ours$lambda), length(theirs$lambda)))
        # free features of other families are fitted by glmnet to some ten digits, whatever thresh is
        digits <- if (family != "gaussian" && any(base$penalty.factor == 0)) 1e-9 else 1e-12
        expect_true(max(abs(ours$lambda[common] / theirs$lambda[common] - 1)) < digits, info = paste(name, "grid"))
        expect_equal(ours$nulldev, theirs$nulldev, tolerance = 1e-9, info = paste(name, "nulldev"))
        # coefficients at the same lambdas
        lambda <- theirs$lambda[ceiling(length(theirs$lambda) * c(0.01, 0.2, 0.4, 0.7))]
        theirs <- do.call(exact_glmnet, c(base, list(lambda = lambda)))
        thresh <- if (family == "gaussian") 1e-10 else 1e-13
        ours <- do.call(sven, c(base, list(lambda = lambda, thresh = thresh)))
        expect_true(largest_difference(ours, theirs) < 1e-7, info = paste(name, "coefficients"))
        expect_true(max(abs(ours$dev.ratio - theirs$dev.ratio)) < 1e-7, info = paste(name, "dev.ratio"))
        # at the first lambda the last bit decides whether anything is selected
        expect_equal(ours$df[-1], as.integer(theirs$df)[-1], info = paste(name, "df"))
    }
}

# every field that glmnet has
data <- make_problem("binomial")
theirs <- suppressWarnings(glmnet::glmnet(data$x, data$y, family = "binomial"))
ours <- sven(data$x, data$y, family = "binomial")
expect_true(all(names(theirs) %in% names(ours)))
expect_equal(dimnames(ours$beta), dimnames(theirs$beta))
expect_equal(names(ours$a0), names(theirs$a0))
expect_equal(ours$classnames, theirs$classnames)
expect_equal(ours$dim, theirs$dim)

# wide data
wide <- make_problem("gaussian", 30, 80)
theirs <- glmnet::glmnet(wide$x, wide$y, thresh = 1e-20, maxit = 1e8)  # at 1e-14 it is not that exact
ours <- sven(wide$x, wide$y)
expect_equal(length(ours$lambda), length(theirs$lambda))
expect_true(max(abs(ours$lambda / theirs$lambda - 1)) < 1e-12)
near <- ours$dev.ratio < 0.95
expect_true(max(abs((coef(ours) - glmnet::coef.glmnet(theirs))[, near])) < 1e-7)

# dfmax and pmax
expect_equal(length(sven(wide$x, wide$y, dfmax = 5)$lambda), length(glmnet::glmnet(wide$x, wide$y, dfmax = 5)$lambda))
expect_warning(few <- sven(wide$x, wide$y, pmax = 5), "pmax")
expect_true(max(few$df) <= 5)

# where paths end, by the rules that control() sets; the family decides how a gain is counted
for (family in c("gaussian", "binomial", "poisson")) {
    data <- make_problem(family, 200)
    for (rules in list(list(fdev = 1e-3), list(devmax = 0.3), list(fdev = 0.01, mnlam = 12), list(fdev = 0))) {
        do.call(sven.control, rules)
        do.call(glmnet::glmnet.control, rules)
        expect_equal(length(sven(data$x, data$y, family = family)$lambda),
                     length(suppressWarnings(glmnet::glmnet(data$x, data$y, family = family, thresh = 1e-14, maxit = 1e7))$lambda),
                     info = paste(family, paste(names(rules), rules, collapse = " ")))
        sven.control(factory = TRUE)
        glmnet::glmnet.control(factory = TRUE)
    }
    expect_equal(sven.measures(family), glmnet::glmnet.measures(family))
}
expect_equal(sven.control()[c("fdev", "devmax", "eps", "mnlam", "itrace")],
             glmnet::glmnet.control()[c("fdev", "devmax", "eps", "mnlam", "itrace")])
expect_error(sven.control(fdev = -1), "negative")
expect_error(sven.control(mnlam = 1), "less than 2")

# methods
s <- c(exp(mean(log(ours$lambda[4:5]))), ours$lambda[9], 100)
expect_true(max(abs(coef(ours, s = s) - glmnet::coef.glmnet(theirs, s = s))) < 1e-6)
expect_equal(dimnames(coef(ours, s = s)), dimnames(glmnet::coef.glmnet(theirs, s = s)))
expect_equivalent(predict(ours, wide$x[1:4, ], s = s), predict(theirs, wide$x[1:4, ], s = s), tolerance = 1e-6)
expect_equal(predict(ours, type = "nonzero", s = s[1])[[1]], predict(theirs, type = "nonzero", s = s[1])[[1]])
