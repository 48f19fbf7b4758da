# glmnet, kept running in a process of its own: Rscript glmnet.R <folder>. The folder holds X.npy, or values.npy,
# indices.npy and offsets.npy of compressed columns, and y.npy, lambda.npy. Each line on standard input is
# "alpha intercept standardize thresh" and asks for one path; thresh 0 means glmnet's own. The answer is one line with
# the seconds of the call and the number of settings; coefficients and intercepts go to beta.bin as doubles, sparse
# columns before: offsets, rows, values.
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
requests <- file("stdin", "r")
while (length(line <- readLines(requests, n = 1)) > 0) {
    words <- strsplit(line, " ")[[1]]
    request <- as.numeric(words[1:4])
    lambda <- read_npy(words[5])
    options <- if (request[4] > 0) list(thresh = request[4]) else list()
    start <- Sys.time()
    model <- tryCatch(
        do.call(glmnet, c(list(X, y, alpha = request[1], lambda = lambda, intercept = request[2] == 1,
                               standardize = request[3] == 1, maxit = 1e9), options)),
        error = function(problem) conditionMessage(problem))
    seconds <- as.numeric(Sys.time()) - as.numeric(start)
    if (is.character(model)) {
        cat("failed", gsub("\n", " ", model), "\n")
        next
    }
    beta <- as(model$beta, "CsparseMatrix")
    out <- file(words[6], "wb")
    writeBin(as.numeric(c(beta@p, beta@i, beta@x, model$a0)), out)
    close(out)
    cat("solved", format(seconds, digits = 15), ncol(beta), length(beta@x), "\n")
}
