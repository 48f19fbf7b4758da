# From the arguments of sven() to its fields; shared with cv.sven() and sven.session().

# Arguments of glmnet that choose between ways to the same answer.
without_effect <- c("type.gaussian", "type.logistic", "standardize.response", "type.multinomial", "path")

check_extra <- function(extra) {
    unknown <- setdiff(names(extra), without_effect)
    if (length(extra) && (is.null(names(extra)) || length(unknown)))
        stop("unused argument", if (length(unknown)) paste0(" ", unknown[1]), call. = FALSE)
}

# x, y, weights and offset of a call, and the problem that the library is given.
model_inputs <- function(a) {
    if (!isTRUE(a$relax) && !isFALSE(a$relax)) stop("relax must be TRUE or FALSE", call. = FALSE)
    framed <- NULL
    if (inherits(a$x, "formula")) {
        framed <- frame_inputs(a$x, if (is.null(a$data)) a$y else a$data, a$na.action)
        a$y <- framed$y
        if (is.null(a$offset)) a$offset <- framed$offset else a$offset <- without(a$offset, framed$omitted)
        if (attr(framed$terms, "intercept") == 0) a$intercept <- FALSE
    } else if (is.data.frame(a$x)) {
        framed <- frame_inputs(~ ., a$x, stats::na.pass)
        framed$omitted <- integer()
    }
    family <- family_name(a$family)
    x <- as_features(if (is.null(framed)) a$x else framed$x)
    weights <- check_length(without(a$weights, framed$omitted), nrow(x), "weights")
    response <- as_response(a$y, family, weights, nrow(x))
    if (family == "gaussian" && all(response$y == response$y[1]) && isTRUE(a$intercept) && is.null(a$offset))
        stop("y is constant; there is nothing to fit", call. = FALSE)
    offset <- if (!is.null(dim(a$offset))) a$offset[, ncol(a$offset)] else a$offset
    inputs <- list(x = x, y = a$y, weights = weights, family = family, classnames = response$classnames,
                   terms = framed$terms, xlevels = framed$xlevels, omitted = framed$omitted, names = feature_names(x))
    inputs$problem <- list(
        x = x, y = response$y, weights = response$weights,
        factors = as_factors(a$penalty.factor, a$exclude, inputs),
        lower = as_limits(a$lower.limits, ncol(x), "lower.limits"),
        upper = as_limits(a$upper.limits, ncol(x), "upper.limits"),
        offset = check_length(offset, nrow(x), "offset"), intercept = isTRUE(as.logical(a$intercept)),
        standardize = isTRUE(as.logical(a$standardize)), family = family)
    inputs
}

# alpha as glmnet takes it.
as_alpha <- function(alpha) {
    if (!is_number(alpha)) stop("alpha must be one number between 0 and 1", call. = FALSE)
    if (alpha > 1) warning("alpha >1; set to 1", call. = FALSE)
    if (alpha < 0) warning("alpha<0; set to 0", call. = FALSE)
    min(max(as.double(alpha), 0), 1)
}

# Decreasing: those given, or glmnet's own for this alpha.
lambdas_of <- function(a, alpha, inputs, session, control) {
    if (!is.null(a$lambda)) {
        if (anyNA(a$lambda) || any(a$lambda < 0)) stop("lambdas should be non-negative", call. = FALSE)
        return(sort(as.double(a$lambda), decreasing = TRUE))
    }
    ratio <- a$lambda.min.ratio
    if (is.null(ratio)) ratio <- if (nrow(inputs$x) < ncol(inputs$x)) 0.01 else 1e-4
    if (ratio >= 1) stop("lambda.min.ratio should be less than 1", call. = FALSE)
    ratio <- max(ratio, sven.control()$eps)
    lambda_grid(session, inputs$problem, a$nlambda, ratio, alpha, control) / max(alpha, least_alpha)
}

# The first lambdas of an answer of the library.
first_of <- function(answer, kept) {
    entries <- seq_len(answer$p[kept + 1])
    for (field in c("i", "x")) answer[[field]] <- answer[[field]][entries]
    answer$p <- answer$p[seq_len(kept + 1)]
    for (field in c("a0", "gap", "deviance", "nulldev", "t", "l1", "l2", "iterations", "status"))
        answer[[field]] <- answer[[field]][seq_len(kept)]
    answer$certificate <- answer$certificate[, seq_len(kept), drop = FALSE]
    answer
}

dev_ratio <- function(answer) {
    null <- max(answer$nulldev, 0)
    ratio <- if (null > 0) 1 - answer$deviance / null else numeric(length(answer$deviance))
    ratio[diff(answer$p) == 0] <- 0  # exactly, as in glmnet
    ratio
}

# How many lambdas of a path are handed out.
kept_of <- function(a, answer) {
    df <- diff(answer$p)
    count <- length(df)
    if (is.null(a$pmax)) return(count)
    first <- rep(seq_along(df), df)[!duplicated(answer$i)]
    ever <- cumsum(tabulate(first, length(df)))
    most <- sum(ever <= a$pmax)
    if (most < count)
        warning("more than pmax = ", a$pmax, " variables at lambda number ", most + 1,
                "; solutions for larger lambdas returned", call. = FALSE)
    max(most, 1)
}

warn_if_short <- function(answer, control) {
    short <- which(answer$status == "iteration_limit")
    if (length(short))
        warning("the relative optimality gap at ", length(short), " of ", length(answer$status),
                " lambdas is above thresh = ", format(control$tolerance), "; the largest is ",
                format(max(answer$gap[short]), digits = 3), call. = FALSE)
    if (length(short)) -short[1] else 0L
}

certificate_table <- function(answer) {
    counts <- as.data.frame(t(answer$certificate))
    names(counts) <- c("selected", "zero", "undecided", "left.out")
    counts
}

coefficient_matrix <- function(answer, names, steps)
    methods::new("dgCMatrix", i = answer$i, p = answer$p, x = answer$x,
                 Dim = c(length(names), length(answer$p) - 1L), Dimnames = list(names, steps))

# The fields of glmnet's object, and the proofs.
fit_fields <- function(answer, lambda, alpha, inputs, control) {
    steps <- paste0("s", seq_along(lambda) - 1)
    fit <- list(a0 = stats::setNames(answer$a0, steps), beta = coefficient_matrix(answer, inputs$names, steps),
                df = diff(answer$p), dim = c(length(inputs$names), length(lambda)), lambda = lambda,
                dev.ratio = dev_ratio(answer), nulldev = max(answer$nulldev), npasses = sum(answer$iterations),
                jerr = warn_if_short(answer, control), offset = !is.null(inputs$problem$offset))
    if (inputs$family == "binomial") fit$classnames <- inputs$classnames
    c(fit, list(nobs = nrow(inputs$x), family = inputs$family, alpha = alpha, gap = answer$gap,
                certificate = certificate_table(answer), status = answer$status, left.out = answer$left.out,
                terms = inputs$terms, xlevels = inputs$xlevels))
}

# The path of one alpha over an open session.
fit_path <- function(a, alpha, inputs, session, control) {
    lambda <- lambdas_of(a, alpha, inputs, session, control)
    end <- if (is.null(a$lambda)) end_of_path(a, inputs)
    answer <- solve_settings(session, "glmnet", lambda, alpha, control, end)
    kept <- kept_of(a, answer)
    fields <- fit_fields(first_of(answer, kept), lambda[seq_len(kept)], alpha, inputs, control)
    if (a$relax) fields$relaxed <- relaxed_path(fields, inputs, session, control)
    structure(fields, class = "sven")
}
