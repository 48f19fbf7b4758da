#pragma once
// A report as one HTML file: the numbers of a path or a cross-validation, and the page that draws
// them. It needs no network.

#include <string>

#include "cli/document.hpp"

namespace sven::cli {

// `results` is a document of sven-path or sven-cv.
std::string html_report(const Json& results);

}  // namespace sven::cli
