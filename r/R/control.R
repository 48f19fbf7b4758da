#' Where paths end
#'
#' The parameters of \code{glmnet::glmnet.control} that have a meaning here, kept until they are
#' changed again or R ends. Without arguments the present ones are shown.
#'
#' @param fdev a path on its own lambdas ends where one gains less than this in explained deviance; 0
#'   goes on as long as there is any gain.
#' @param devmax it ends where more than this share of the deviance is explained.
#' @param eps a smaller \code{lambda.min.ratio} is replaced by this.
#' @param mnlam the least number of lambdas before a path may end, 2 or more.
#' @param itrace 1 counts the lambdas of every fit on the console, as \code{trace.it = 1}.
#' @param factory whether all are to be as they were at first.
#' @return A list of the present values, invisibly where any was changed.
#' @examples
#' sven.control(fdev = 0)  # to the last lambda
#' sven.control()
#' sven.control(factory = TRUE)
#' @export
sven.control <- function(fdev = 1e-5, devmax = 0.999, eps = 1e-6, mnlam = 5, itrace = 0, factory = FALSE) {
    given <- as.character(setdiff(names(match.call())[-1], "factory"))
    if (isTRUE(factory)) given <- names(first_rules)
    values <- if (isTRUE(factory)) first_rules else mget(given)
    for (name in given) {
        value <- values[[name]]
        if (!is_number(value) || value < 0 || (name == "mnlam" && value < 2))
            stop(name, " must be a number that is not ", if (name == "mnlam") "less than 2" else "negative", call. = FALSE)
        rules_in_use[[name]] <- value
    }
    now <- mget(names(first_rules), envir = rules_in_use)
    if (nargs()) invisible(now) else now
}

first_rules <- list(fdev = 1e-5, devmax = 0.999, eps = 1e-6, mnlam = 5, itrace = 0)
rules_in_use <- list2env(first_rules, parent = emptyenv())
