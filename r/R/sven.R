#' Elastic net paths, exact and certified
#'
#' Fits the Lasso and the elastic net for gaussian, binomial and poisson responses along a path of
#' lambdas. Arguments, defaults, scaling and fields are those of \code{glmnet::glmnet}; the solutions
#' are exact up to rounding, and each comes with a bound on its distance from the optimum.
#'
#' The objective is that of \code{glmnet}: \deqn{\frac{1}{2W}\,\mathrm{dev}(\beta_0, \beta) + \lambda
#' \sum_j v_j \left(\alpha |\beta_j| + \frac{1-\alpha}{2} \beta_j^2\right)}{dev/(2W) + lambda sum v (alpha |b| + (1 - alpha)/2 b^2)}
#' with the columns of \code{x} divided by their standard deviations if \code{standardize}, the
#' ridge part divided by the standard deviation of a gaussian \code{y}, and penalty factors
#' \eqn{v} that are rescaled to sum to the number of columns. A path that chooses its own lambdas ends
#' early by the rules of \code{glmnet}.
#'
#' The matrix is read where it lies, without a copy: numbers, integers, truth values,
#' \code{dgCMatrix} and \code{dgRMatrix}. Ctrl-C stops a fit at once.
#'
#' @param x a matrix, a sparse matrix of package \pkg{Matrix}, a data frame, or a formula. Of factors
#'   every level has a column.
#' @param y the response; with a formula the data frame, unless \code{data} is given. Of family
#'   binomial two classes, the second of which is fitted, or two columns, numbers of failures and of
#'   successes; of family poisson counts.
#' @param family \code{"gaussian"}, \code{"binomial"} or \code{"poisson"}, or R's family object with
#'   the canonical link. Others are refused.
#' @param weights weights of the rows; all one by default.
#' @param offset a known part of the linear predictor.
#' @param alpha the mixing parameter, 1 for the Lasso, 0 for ridge regression.
#' @param nlambda the number of lambdas.
#' @param lambda.min.ratio the smallest lambda as a share of the largest; by default 0.01 where there
#'   are fewer rows than columns, else 0.0001.
#' @param lambda lambdas of your own, instead of the automatic ones.
#' @param standardize whether columns are divided by their standard deviations for the fit.
#' @param intercept whether there is an intercept.
#' @param thresh the relative optimality gap that every solution must have. Unlike the argument of
#'   \code{glmnet} of this name it bounds the distance from the optimum.
#' @param dfmax a path of its own lambdas ends where more coefficients than these are non-zero.
#' @param pmax a path ends before more features than these have been non-zero.
#' @param exclude numbers of columns to leave out, or a function of \code{x}, \code{y} and
#'   \code{weights} that returns them.
#' @param penalty.factor a factor of the penalty for each column; 0 leaves it unpenalised, \code{Inf}
#'   out.
#' @param lower.limits,upper.limits limits of the coefficients, one or one for each column, not above
#'   and not below zero.
#' @param maxit the number of Newton steps in one run.
#' @param relax whether the features of each solution are also refitted without penalties;
#'   \code{gamma} of \code{\link{predict.sven}} blends the two.
#' @param trace.it 1 counts the lambdas on the console.
#' @param threads how many threads to use, 0 for all processors; by default
#'   \code{getOption("svenet.threads")}.
#' @param data with a formula, the data frame.
#' @param na.action with a formula, what is done with missing values.
#' @param ... \code{type.gaussian}, \code{type.logistic}, \code{standardize.response} and
#'   \code{type.multinomial} of \code{glmnet} have no effect here.
#'
#' @return An object of class \code{"sven"} with the fields of \code{glmnet}: \code{a0}, \code{beta},
#'   \code{df}, \code{dim}, \code{lambda}, \code{dev.ratio}, \code{nulldev}, \code{npasses} (Newton
#'   steps), \code{jerr}, \code{offset}, \code{classnames}, \code{call}, \code{nobs}; and
#'   \item{gap}{for each lambda, a bound on what the objective exceeds its optimum by, relative to the
#'     null deviance.}
#'   \item{certificate}{a data frame: for each lambda how many coefficients the gap proves to be
#'     non-zero (\code{selected}) or zero (\code{zero}) in every solution, how many it leaves
#'     \code{undecided}, and how many columns were left out because they are constant.}
#'   \item{status}{for each lambda \code{"optimal"}, \code{"ridge"}, \code{"not_unique"} or
#'     \code{"iteration_limit"}.}
#'   \item{left.out}{numbers of the columns that are constant up to rounding.}
#'   \item{family, alpha}{as they were used.}
#'   \item{relaxed}{with \code{relax = TRUE} the refits, an object of the same kind, with \code{refit}:
#'     \code{"done"}, or why there is none and the penalised fit stands in its place,
#'     \code{"dependent"} columns or \code{"separated"} classes.}
#' @seealso \code{\link{predict.sven}}, \code{\link{plot.sven}}, \code{\link{cv.sven}},
#'   \code{\link{sven.budget}}, \code{\link{sven.session}}
#' @examples
#' set.seed(1)
#' x <- matrix(rnorm(100 * 20), 100, 20)
#' y <- x[, 1] - x[, 2] + rnorm(100)
#' fit <- sven(x, y)
#' print(fit)
#' coef(fit, s = 0.1)
#' max(fit$gap)
#' predict(fit, newx = x[1:3, ], s = c(0.1, 0.05))
#'
#' # two classes; a formula, with factors
#' fit2 <- sven(x, y > 0, family = "binomial", alpha = 0.5)
#' fit3 <- sven(Sepal.Length ~ ., iris, lambda = c(0.1, 0.01))
#' coef(fit3)
#' @export
sven <- function(x, y = NULL, family = c("gaussian", "binomial", "poisson"), weights = NULL, offset = NULL,
                 alpha = 1, nlambda = 100, lambda.min.ratio = NULL, lambda = NULL, standardize = TRUE,
                 intercept = TRUE, thresh = 1e-10, dfmax = NULL, pmax = NULL, exclude = NULL,
                 penalty.factor = NULL, lower.limits = -Inf, upper.limits = Inf, maxit = 1e5,
                 relax = FALSE, trace.it = 0, threads = getOption("svenet.threads", default_threads()),
                 data = NULL, na.action = stats::na.omit, ...) {
    check_extra(list(...))
    arguments <- as.list(environment())
    call <- match.call()
    control <- control_of(thresh, maxit, threads, trace.it)
    inputs <- model_inputs(arguments)
    fit <- fit_path(arguments, as_alpha(alpha), inputs, open_session(inputs$problem), control)
    fit$call <- call
    fit
}

# The arguments of a call of sven(), its defaults among them, as a list.
arguments_of <- sven
body(arguments_of) <- quote({
    check_extra(list(...))
    as.list(environment())
})
