#pragma once
// Limits of the coefficients, for all or from a file.

#include "cli/load.hpp"

namespace sven::cli {

// Throws ParseError, or InvalidArgument where a limit is on the wrong side of zero or of a feature
// that is not there.
void take_limits(const DataArguments& arguments, LoadedData& data);

}  // namespace sven::cli
