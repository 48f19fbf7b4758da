# What users have, as what the library takes: matrices as they are, responses and limits as numbers.

families <- c("gaussian", "binomial", "poisson")

family_name <- function(family) {
    if (is.function(family)) family <- family()
    if (inherits(family, "family")) {
        canonical <- c(gaussian = "identity", binomial = "logit", poisson = "log")
        if (!identical(unname(canonical[family$family]), family$link))
            stop("family ", family$family, " with link ", family$link, " is not available; ",
                 "gaussian, binomial and poisson are, with their canonical links", call. = FALSE)
        family <- family$family
    }
    if (!is.character(family)) stop("family must be a name or a family object", call. = FALSE)
    found <- families[pmatch(family[1], families)]
    if (is.na(found))
        stop("family \"", family[1], "\" is not available; gaussian, binomial and poisson are", call. = FALSE)
    found
}

# A matrix that the library reads where it lies, with names for its columns.
as_features <- function(x) {
    if (inherits(x, "sparseMatrix")) {
        if (!inherits(x, "dgCMatrix") && !inherits(x, "dgRMatrix"))
            x <- methods::as(methods::as(methods::as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix")
        if (anyNA(x@x)) stop_missing()
        return(x)
    }
    if (inherits(x, "Matrix")) x <- as.matrix(x)
    if (!is.matrix(x) || !(is.numeric(x) || is.logical(x)) || ncol(x) < 1)
        stop("x should be a matrix of numbers, a sparse matrix or a data frame", call. = FALSE)
    if (anyNA(x)) stop_missing()
    x
}

stop_missing <- function()
    stop("x has missing values; leave out or impute them first", call. = FALSE)

feature_names <- function(x) {
    names <- colnames(x)
    if (is.null(names)) paste0("V", seq_len(ncol(x))) else names
}

# The columns of the terms, every level of a factor among them, without one for the intercept.
terms_matrix <- function(terms, frame) {
    attr(terms, "intercept") <- 1L
    is_text <- vapply(frame, is.character, TRUE)
    frame[is_text] <- lapply(frame[is_text], factor)
    in_terms <- intersect(names(frame), rownames(attr(terms, "factors")))
    is_factor <- in_terms[vapply(frame[in_terms], is.factor, TRUE)]
    all_levels <- lapply(frame[is_factor], stats::contrasts, contrasts = FALSE)
    x <- stats::model.matrix(terms, frame, contrasts.arg = if (length(is_factor)) all_levels)
    x <- x[, colnames(x) != "(Intercept)", drop = FALSE]
    attr(x, "assign") <- attr(x, "contrasts") <- NULL
    x
}

# A formula or a data frame as a matrix, the response where there is one, and what predict() needs
# to do the same with other rows.
frame_inputs <- function(formula, data, na.action) {
    frame <- stats::model.frame(formula, data, na.action = na.action, drop.unused.levels = TRUE)
    terms <- attr(frame, "terms")
    omitted <- attr(frame, "na.action")
    list(x = terms_matrix(terms, frame), y = stats::model.response(frame),
         offset = stats::model.offset(frame), terms = terms,
         xlevels = stats::.getXlevels(terms, frame),
         omitted = if (is.null(omitted)) integer() else as.integer(omitted))
}

# The frame of other rows, by the terms of the model.
new_frame <- function(newx, object)
    stats::model.frame(stats::delete.response(object$terms), newx, na.action = stats::na.pass, xlev = object$xlevels)

# What offset() of the formula says of them; NULL if it says nothing.
offset_of_frame <- function(newx, object)
    if (is.data.frame(newx) && !is.null(attr(object$terms, "offset"))) stats::model.offset(new_frame(newx, object))

# Other rows for a model of a formula or a data frame; anything else as it is.
new_features <- function(newx, object) {
    if (is.data.frame(newx) && !is.null(object$terms)) {
        frame <- new_frame(newx, object)
        return(terms_matrix(attr(frame, "terms"), frame))
    }
    if (is.data.frame(newx)) newx <- as.matrix(newx)
    if (is.null(dim(newx))) newx <- matrix(newx, 1)
    if (inherits(newx, "sparseMatrix")) newx <- methods::as(newx, "dMatrix")
    if (ncol(newx) != object$dim[1])
        stop("The number of variables in newx must be ", object$dim[1], call. = FALSE)
    newx
}

without <- function(values, omitted)
    if (is.null(values) || !length(omitted)) values else values[-omitted]

check_length <- function(values, count, what) {
    if (is.null(values)) return(NULL)
    values <- as.double(values)
    if (length(values) != count)
        stop("number of elements in ", what, " (", length(values), ") not equal to the number of rows of x (",
             count, ")", call. = FALSE)
    if (anyNA(values)) stop(what, " has missing values", call. = FALSE)
    if (what == "weights" && any(values < 0)) stop("weights must not be negative", call. = FALSE)
    values
}

# y as numbers, the weights with the numbers of trials in them, and the names of two classes.
as_response <- function(y, family, weights, count) {
    y <- drop(y)
    rows <- if (is.null(dim(y))) length(y) else nrow(y)
    if (rows != count)
        stop("number of observations in y (", rows, ") not equal to the number of rows of x (", count, ")",
             call. = FALSE)
    if (anyNA(y)) stop("y has missing values", call. = FALSE)
    if (family == "binomial") return(binomial_response(y, weights))
    if (!is.numeric(y) && !is.logical(y) || !is.null(dim(y)))
        stop("y should be a vector of numbers for family ", family, call. = FALSE)
    if (family == "poisson" && any(y < 0))
        stop("negative responses encountered; not permitted for Poisson family", call. = FALSE)
    list(y = as.double(y), weights = weights, classnames = NULL)
}

binomial_response <- function(y, weights) {
    if (is.null(dim(y))) {
        y <- as.factor(y)
        present <- levels(droplevels(y))
        if (length(present) != 2)
            stop("a binomial response has two classes, y has ", length(present), call. = FALSE)
        y <- factor(y, present)
        return(list(y = as.double(y) - 1, weights = weights, classnames = present))
    }
    if (ncol(y) != 2 || !is.numeric(y) || any(y < 0))
        stop("y should have two classes, or two columns with the numbers of failures and of successes",
             call. = FALSE)
    total <- y[, 1] + y[, 2]
    share <- ifelse(total > 0, y[, 2] / total, 0)
    list(y = as.double(share), weights = as.double(if (is.null(weights)) total else weights * total),
         classnames = colnames(y))
}

# One limit for each feature, or NULL where there are none.
as_limits <- function(limits, count, what) {
    side <- if (what == "lower.limits") -1 else 1
    if (anyNA(limits) || any(side * limits < 0))
        stop(if (side < 0) "Lower limits should be non-positive" else "Upper limits should be non-negative",
             call. = FALSE)
    if (all(is.infinite(limits))) return(NULL)
    if (length(limits) != 1 && length(limits) < count)
        stop("Require length 1 or nvars ", what, call. = FALSE)
    as.double(rep_len(limits, count))
}

# Penalty factors, infinite where a feature is excluded; NULL where all are one.
as_factors <- function(penalty.factor, exclude, inputs) {
    count <- ncol(inputs$x)
    if (is.function(exclude)) {
        weights <- if (is.null(inputs$weights)) rep(1, nrow(inputs$x)) else inputs$weights
        exclude <- exclude(x = inputs$x, y = inputs$y, weights = weights)
    }
    if (is.null(penalty.factor) && !length(exclude)) return(NULL)
    factors <- if (is.null(penalty.factor)) rep(1, count) else as.double(penalty.factor)
    if (length(factors) != count)
        stop("the length of penalty.factor does not match the number of variables", call. = FALSE)
    if (length(exclude)) {
        if (anyNA(exclude) || !all(exclude %in% seq_len(count)))
            stop("Some excluded variables out of range", call. = FALSE)
        factors[exclude] <- Inf
    }
    factors
}
