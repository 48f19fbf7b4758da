# Rscript rd.R FILE...: the help pages, parsed, as JSON: a list of pages, where a node is [tag, option, children or text].
# Base R only, whose own parser reads them.

quoted <- function(text) {
  text <- gsub("([\\\\\"])", "\\\\\\1", enc2utf8(paste(text, collapse = "")))
  paste0("\"", gsub("\t", "\\t", gsub("\n", "\\n", text, fixed = TRUE), fixed = TRUE), "\"")
}

listed <- function(texts) paste0("[", paste(texts, collapse = ","), "]")

node <- function(rd) {
  tag <- attr(rd, "Rd_tag")
  option <- attr(rd, "Rd_option")
  content <- if (is.list(rd)) listed(vapply(rd, node, "")) else quoted(rd)
  listed(c(quoted(tag), quoted(option), content))
}

pages <- lapply(commandArgs(TRUE), tools::parse_Rd, encoding = "UTF-8")
writeLines(listed(vapply(pages, node, "")), useBytes = TRUE)
