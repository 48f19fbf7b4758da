# glmnet's binomial and poisson paths of one problem: the files x.csv, y.csv, w.csv, o.csv, f.csv and lambda.csv
# of a folder in, coefficients and deviances out.
suppressMessages(library(glmnet))
arguments <- commandArgs(TRUE)
folder <- arguments[1]
take <- function(name) as.matrix(read.csv(file.path(folder, name), header = FALSE))
glmnet.control(fdev = 0, devmax = 1)
x <- take("x.csv")
y <- take("y.csv")[, 1]
weights <- take("w.csv")[, 1]
# shares of successes are given as two columns, which glmnet weighs by the weights
if (arguments[2] == "binomial") y <- cbind(1 - y, y)
fit <- glmnet(x, y, family = arguments[2], alpha = as.numeric(arguments[3]),
              weights = weights, offset = take("o.csv")[, 1], lambda = take("lambda.csv")[, 1],
              penalty.factor = take("f.csv")[, 1], thresh = 1e-20, maxit = 1e7)
out <- cbind(fit$lambda, fit$a0, fit$dev.ratio, fit$nulldev, t(as.matrix(fit$beta)))
write.table(format(out, digits = 17), file.path(folder, "out.csv"), sep = ",", row.names = FALSE,
            col.names = FALSE, quote = FALSE)
