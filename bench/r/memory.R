# Rscript bench/r/memory.R sven|glmnet|none: the peak of resident memory of one path on 1000 x 50000, in MiB; `none` makes
# the data alone.
which <- commandArgs(TRUE)[1]
set.seed(51000)
x <- matrix(rnorm(1000 * 50000), 1000)
y <- as.vector(x[, 1:10] %*% seq(1, 0.1, length.out = 10)) + rnorm(1000)
invisible(gc())
writeLines("5", "/proc/self/clear_refs")  # the peak counts from here
options(svenet.threads = 1)
fit <- switch(which, sven = svenet::sven(x, y), glmnet = glmnet::glmnet(x, y), none = NULL)
status <- readLines("/proc/self/status")
peak <- as.double(gsub("[^0-9]", "", grep("^VmHWM", status, value = TRUE)))
cat(which, round(peak / 1024), "MiB\n")
