# glmnet, kept running in a process of its own: Rscript glmnet.R <folder> <family>. The folder holds X.npy, or values.npy,
# indices.npy and offsets.npy of compressed columns, and y.npy. Each line on standard input asks for one path, or for
# its cross-validation:
#     alpha intercept standardize thresh lambda.npy answer.bin [folds.npy]
# where thresh 0 means glmnet's own. The answer is a line with the seconds of the call, the sizes of what is in
# answer.bin, and the processor seconds; the file is all doubles: of a path, coefficients as compressed columns (offsets, rows, values) and intercepts; of a
# cross-validation, mean errors, their standard errors, and the two choices of lambda, counted from 1.
suppressPackageStartupMessages({library(Matrix); library(glmnet)})

read_npy <- function(path) {
    connection <- file(path, "rb")
    on.exit(close(connection))
    start <- readBin(connection, "raw", 10)
    header <- rawToChar(readBin(connection, "raw", as.integer(start[9]) + 256L * as.integer(start[10])))
    shape <- gsub(".*'shape': \\(([^)]*)\\).*", "\\1", header)
    shape <- as.numeric(strsplit(gsub(" ", "", shape), ",")[[1]])
    if (grepl("<f8", header)) values <- readBin(connection, "double", prod(shape))
    else if (grepl("<i4", header)) values <- readBin(connection, "integer", prod(shape), size = 4)
    else stop("unexpected type in ", path)
    if (length(shape) == 2) dim(values) <- shape
    values
}

folder <- commandArgs(trailingOnly = TRUE)[1]
family <- commandArgs(trailingOnly = TRUE)[2]
y <- read_npy(file.path(folder, "y.npy"))
if (file.exists(file.path(folder, "X.npy"))) {
    X <- read_npy(file.path(folder, "X.npy"))
} else {
    offsets <- read_npy(file.path(folder, "offsets.npy"))
    X <- new("dgCMatrix", i = read_npy(file.path(folder, "indices.npy")), p = offsets,
             x = read_npy(file.path(folder, "values.npy")), Dim = c(length(y), length(offsets) - 1L))
}
# With the path given, nothing may end it early.
glmnet.control(fdev = 0, devmax = 1)

cat("ready", R.version.string, as.character(packageVersion("glmnet")), "\n")
answer_path <- function(model, path) {
    beta <- as(model$beta, "CsparseMatrix")
    writeBin(as.numeric(c(beta@p, beta@i, beta@x, model$a0)), path)
    c(ncol(beta), length(beta@x))
}

answer_cv <- function(model, path) {
    writeBin(as.numeric(c(model$cvm, model$cvsd, model$index)), path)
    c(length(model$cvm), 0)
}

requests <- file("stdin", "r")
while (length(line <- readLines(requests, n = 1)) > 0) {
    words <- strsplit(line, " ")[[1]]
    request <- as.numeric(words[1:4])
    options <- list(X, y, family = family, alpha = request[1], lambda = read_npy(words[5]), intercept = request[2] == 1,
                    standardize = request[3] == 1, maxit = 1e9)
    if (request[4] > 0) options$thresh <- request[4]
    folds <- if (length(words) > 6) read_npy(words[7]) else NULL
    method <- if (is.null(folds)) glmnet else cv.glmnet
    if (!is.null(folds)) options$foldid <- folds
    start <- Sys.time()
    used <- sum(proc.time()[1:2])
    model <- tryCatch(do.call(method, options), error = function(problem) conditionMessage(problem))
    seconds <- as.numeric(Sys.time()) - as.numeric(start)
    # That clock counts milliseconds: a short call is made again.
    calls <- 1
    while (!is.character(model) && sum(proc.time()[1:2]) - used < 0.02 && calls < 100) {
        do.call(method, options)
        calls <- calls + 1
    }
    processor <- (sum(proc.time()[1:2]) - used) / calls
    if (is.character(model)) {
        cat("failed", gsub("\n", " ", model), "\n")
        next
    }
    out <- file(words[6], "wb")
    sizes <- if (is.null(folds)) answer_path(model, out) else answer_cv(model, out)
    close(out)
    cat("solved", format(seconds, digits = 15), sizes, format(processor, digits = 15), "\n")
}
