# Writes prostate.csv beside this script from the Debian package r-cran-lasso2:
#     Rscript data/make_prostate.R
# The package carries the data as first published, with lweight = 6.107580 for patient 32: a prostate
# of 449 g. The authors' later correction is 44.9 g, which is lweight = 3.804438.

arguments <- commandArgs(trailingOnly = FALSE)
script <- sub("^--file=", "", grep("^--file=", arguments, value = TRUE))
data(Prostate, package = "lasso2")

columns <- c("lcavol", "lweight", "age", "lbph", "svi", "lcp", "gleason", "pgg45", "lpsa")
stopifnot(identical(dim(Prostate), c(97L, 9L)), Prostate$lweight[32] > 6)
Prostate$lweight[32] <- 3.804438

# The shortest decimal that reads back as the same double.
shortest <- function(x) {
    for (digits in 15:17) {
        text <- formatC(x, digits = digits, format = "g", width = 1)
        if (as.numeric(text) == x) return(text)
    }
    stop("no decimal of 17 digits reads back as ", x)
}

table <- sapply(Prostate[columns], function(column) vapply(as.numeric(column), shortest, ""))
lines <- c(paste(columns, collapse = ","), apply(table, 1, paste, collapse = ","))
writeLines(lines, file.path(dirname(script), "prostate.csv"))
