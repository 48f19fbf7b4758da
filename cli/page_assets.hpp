#pragma once
// The files of cli/page, built into the program.

#include <string>

namespace sven::cli {

std::string page_html();
std::string page_style();
std::string page_script();

}  // namespace sven::cli
