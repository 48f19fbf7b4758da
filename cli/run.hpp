#pragma once
// The commands. Each returns the exit code, prints its answer, and throws what went wrong.

#include <string_view>

#include "cli/arguments.hpp"

namespace sven::cli {

int run(const FitArguments& arguments);
int run(const PathArguments& arguments);
int run(const CvArguments& arguments);
int run(const PredictArguments& arguments);
int run(const ReportArguments& arguments);
int run(const ConvertArguments& arguments);
int run(const SimulateArguments& arguments);
int run(const InfoArguments& arguments);

// Throws OutputError where the text does not reach its reader.
void print(std::string_view text);

// A sentence on stderr; nothing where it is empty.
void complain(std::string_view sentence);

}  // namespace sven::cli
