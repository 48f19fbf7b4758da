#' @keywords internal
#' @useDynLib svenet, .registration = TRUE
#' @importFrom Matrix Diagonal cbind2 rbind2
#' @importFrom methods as is new
"_PACKAGE"
