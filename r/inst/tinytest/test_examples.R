# The examples of glmnet's help pages and the code of its vignettes, taken from the installed package, with the names of its
# functions changed to ours. What needs a family, a link or a function that is not here must say so, or need what failed before.
source("support.R")
if (!has_glmnet) exit_file("glmnet is not installed")

renamed <- c(glmnet = "sven", cv.glmnet = "cv.sven", assess.glmnet = "assess.sven", roc.glmnet = "roc.sven",
             confusion.glmnet = "confusion.sven", relax.glmnet = "relax.sven", glmnet.measures = "sven.measures",
             glmnet.control = "sven.control")
# no counterpart here
absent <- c("bigGlm", "makeX", "na.replace", "cox.path", "glmnet.path", "coxgrad", "coxnet.deviance", "Cindex", "fid",
            "stratifySurv", "survfit", "print.cv.glmnet", "lars", "knit_hooks", "registerDoMC")
own_examples <- c("assess.glmnet", "beta_CVX", "cv.glmnet", "deviance.glmnet", "glmnet-package", "glmnet", "glmnet.control",
                  "plot.cv.glmnet", "plot.glmnet", "predict.cv.glmnet", "predict.glmnet", "print.cv.glmnet", "print.glmnet")

with_our_names <- function(code) {
    if (is.name(code)) {
        name <- as.character(code)
        return(if (name %in% names(renamed)) as.name(renamed[[name]]) else code)
    }
    if (!is.call(code)) return(code)
    parts <- as.list(code)
    for (k in seq_along(parts)) if (!identical(parts[[k]], quote(expr = ))) parts[[k]] <- with_our_names(parts[[k]])
    as.call(parts)
}

# Every statement on its own. A statement is skipped where it names something absent, or a value that a skipped one would have
# made; what is refused must be refused with a sentence.
run_with_our_names <- function(statements, title) {
    where <- new.env(parent = globalenv())
    skipped <- character()
    missing <- character()
    failed <- character()
    for (statement in statements) {
        names <- all.names(statement)
        is_library <- is.call(statement) && as.character(statement[[1]])[1] %in% c("library", "require")
        if (is_library || any(c("library", "require") %in% names)) next
        is_assignment <- is.call(statement) && as.character(statement[[1]])[1] %in% c("<-", "=")
        assigned <- if (is_assignment && is.name(statement[[2]])) as.character(statement[[2]])
        used <- setdiff(all.vars(statement), assigned)
        if (any(names %in% absent) || any(used %in% missing)) {
            skipped <- c(skipped, deparse(statement)[1])
            missing <- union(missing, assigned)
            next
        }
        outcome <- tryCatch({
            utils::capture.output(suppressWarnings(print(eval(with_our_names(statement), where))))
            "ran"
        }, error = conditionMessage)
        if (outcome == "ran") {
            missing <- setdiff(missing, assigned)
        } else if (grepl("is not available|available only for", outcome)) {
            skipped <- c(skipped, deparse(statement)[1])
            missing <- union(missing, assigned)
        } else {
            failed <- c(failed, paste(deparse(statement)[1], "::", outcome))
        }
    }
    expect_equal(failed, character(), info = paste(title, paste(failed, collapse = "\n")))
    list(ran = length(statements) - length(skipped), skipped = skipped)
}

pages <- tools::Rd_db("glmnet")
# data sets are glmnet's
suppressPackageStartupMessages(library(Matrix))
utils::data(list = c("QuickStartExample", "BinomialExample", "MultinomialExample", "PoissonExample", "MultiGaussianExample",
                     "SparseExample", "CVXResults"), package = "glmnet", envir = globalenv())
pdf(NULL)
for (page in own_examples) {
    file <- tempfile()
    tools::Rd2ex(pages[[paste0(page, ".Rd")]], file)
    statements <- Filter(function(code) !(is.call(code) && identical(code[[1]], as.name("data"))), parse(file))
    found <- run_with_our_names(statements, page)
    expect_true(found$ran > 0, info = page)
}
for (vignette in c("glmnet.R", "relax.R")) {
    file <- system.file("doc", vignette, package = "glmnet")
    if (!nzchar(file)) next
    statements <- Filter(function(code) !(is.call(code) && identical(code[[1]], as.name("data"))), parse(file))
    found <- run_with_our_names(statements, vignette)
    expect_true(found$ran > length(found$skipped), info = vignette)
}
invisible(dev.off())
sven.control(factory = TRUE)
