# Kinds of matrices, formulas, responses, and what is refused.
source("support.R")

data <- make_problem("gaussian")
lambda <- c(0.5, 0.1, 0.02)
reference <- sven(data$x, data$y, lambda = lambda)
close_to <- function(fit) max(abs(coef(fit) - coef(reference))) < 1e-8

expect_true(close_to(sven(as(data$x, "CsparseMatrix"), data$y, lambda = lambda)))
expect_true(close_to(sven(as(data$x, "RsparseMatrix"), data$y, lambda = lambda)))
expect_true(close_to(sven(Matrix::Matrix(data$x, sparse = FALSE), data$y, lambda = lambda)))

counts <- matrix(rpois(60 * 8, 2), 60, 8)
expect_true(is.integer(counts))
as_numbers <- counts + 0
expect_true(max(abs(coef(sven(counts, data$y)) - coef(sven(as_numbers, data$y)))) < 1e-8)
expect_true(max(abs(coef(sven(counts > 1, data$y)) - coef(sven((counts > 1) + 0, data$y)))) < 1e-8)

# the matrix stays as it was
before <- data$x + 0
invisible(sven(data$x, data$y))
expect_identical(data$x, before)

# formulas and data frames: every level of a factor has a column
by_formula <- sven(Sepal.Length ~ ., iris, lambda = lambda)
expect_equal(rownames(by_formula$beta),
             c("Sepal.Width", "Petal.Length", "Petal.Width", "Speciessetosa", "Speciesversicolor", "Speciesvirginica"))
by_frame <- sven(iris[-1], iris$Sepal.Length, lambda = lambda)
expect_equal(as.matrix(by_frame$beta), as.matrix(by_formula$beta), tolerance = 1e-8)
by_hand <- sven(cbind(as.matrix(iris[2:4]), model.matrix(~ Species - 1, iris)), iris$Sepal.Length, lambda = lambda)
expect_equal(as.matrix(by_formula$beta), as.matrix(by_hand$beta), tolerance = 1e-8)
rows <- iris[c(1, 60, 149), ]
expect_equal(predict(by_formula, rows), predict(by_frame, rows[-1]), tolerance = 1e-8)
expect_equal(predict(by_formula, rows[1, ])[1, ], predict(by_formula, iris)[1, ])
holes <- iris
holes$Sepal.Width[7] <- NA
expect_equal(sven(Sepal.Length ~ ., holes, lambda = lambda)$nobs, 149)
weighted <- sven(Sepal.Length ~ ., holes, lambda = lambda, weights = rep(1:2, 75))
expect_equal(weighted$nobs, 149)
expect_equal(max(abs(sven(Sepal.Length ~ . - 1, iris, lambda = lambda)$a0)), 0)

# an offset in the formula is found in the new rows
shifted <- data.frame(data$x, y = data$y, o = data$o)
with_term <- sven(y ~ . - o + offset(o), shifted, lambda = lambda)
by_argument <- sven(data$x, data$y, offset = data$o, lambda = lambda)
expect_equivalent(predict(with_term, shifted[1:5, ]), predict(by_argument, data$x[1:5, ], newoffset = data$o[1:5]),
                  tolerance = 1e-8)
expect_equivalent(predict(with_term, shifted[1:5, ], newoffset = 0), predict(by_argument, data$x[1:5, ], newoffset = 0),
                  tolerance = 1e-8)

# responses of two classes
binary <- make_problem("binomial")
named <- factor(ifelse(binary$y == 1, "yes", "no"))
fit <- sven(binary$x, named, family = "binomial", lambda = lambda)
expect_equal(fit$classnames, c("no", "yes"))
expect_true(all(predict(fit, binary$x, type = "class") %in% c("no", "yes")))
probability <- predict(fit, binary$x, type = "response")
expect_equal(unname(probability), unname(1 / (1 + exp(-predict(fit, binary$x)))))
two_columns <- cbind(1 - binary$y, binary$y)
expect_equal(as.matrix(sven(binary$x, two_columns, family = "binomial", lambda = lambda)$beta),
             as.matrix(fit$beta), tolerance = 1e-8)
expect_equal(sven(binary$x, named, family = binomial(), lambda = lambda)$beta, fit$beta)

# exact coefficients between the lambdas
exact <- coef(reference, s = 0.07, exact = TRUE)
direct <- coef(sven(data$x, data$y, lambda = 0.07))
expect_true(max(abs(exact - direct)) < 1e-8)
expect_true(max(abs(coef(reference, s = 0.07) - direct)) > 1e-8)

# refusals, each with its sentence
expect_error(sven(data$x, data$y, family = "cox"), "not available")
expect_error(sven(data$x, data$y, family = "multinomial"), "not available")
expect_error(sven(data$x, data$y, family = binomial(link = "probit")), "not available")
expect_error(sven(data$x, data$y, relax = NA), "relax")
expect_error(sven(data$x, data$y[-1]), "not equal")
expect_error(sven(data$x, data$y, weights = 1), "weights")
expect_error(sven(data$x, data$y, weights = -data$w), "negative")
expect_error(sven(data$x, data$y, wieghts = 1), "unused argument wieghts")
expect_error(sven(replace(data$x, 5, NA), data$y), "missing")
expect_error(sven(replace(data$x, 5, Inf), data$y))
expect_error(sven(data$x, replace(data$y, 5, NA)), "missing")
expect_error(sven(data$x, rep(1, 60)), "constant")
expect_error(sven(data$x, data$y, lower.limits = 1), "non-positive")
expect_error(sven(data$x, data$y, upper.limits = -1), "non-negative")
expect_error(sven(data$x, data$y, penalty.factor = 1:3), "penalty.factor")
expect_error(sven(data$x, data$y, exclude = 99), "out of range")
expect_error(sven(data$x, data$y, lambda = -1), "non-negative")
expect_error(sven(data$x, data$y, lambda.min.ratio = 2), "lambda.min.ratio")
expect_error(sven(data$x, seq_len(60), family = "binomial"), "two classes")
expect_error(sven(data$x, -data$y, family = "poisson"), "negative")
expect_error(predict(reference), "newx")
expect_error(predict(reference, data$x[, 1:3]), "number of variables")
expect_warning(sven(data$x, data$y, alpha = 2, lambda = lambda), "alpha")
with_offset <- sven(data$x, data$y, offset = data$o, lambda = lambda)
expect_error(predict(with_offset, data$x), "newoffset")
expect_equal(unname(predict(with_offset, data$x, newoffset = data$o)),
             unname(as.matrix(cbind(1, data$x) %*% coef(with_offset)) + data$o))
