#pragma once
// The commands. Each prints its answer and returns the exit code; errors are thrown.

#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.hpp"

namespace sven::cli {

int run(const FitArguments& arguments);
int run(const PathArguments& arguments);
int run(const CvArguments& arguments);
int run(const PredictArguments& arguments);
int run(const AssessArguments& arguments);
int run(const ReportArguments& arguments);
int run(const ConvertArguments& arguments);
int run(const GramArguments& arguments);
int run(const SimulateArguments& arguments);
int run(const InfoArguments& arguments);

// Throws OutputError if the text cannot be written.
void print(std::string_view text);

// Prints a message on stderr, unless it is empty.
void complain(std::string_view sentence);
void warn(const std::vector<std::string>& sentences);

}  // namespace sven::cli
