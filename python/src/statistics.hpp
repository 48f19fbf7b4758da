#pragma once
// Sufficient statistics for Python: made of arrays, added up, as the bytes of a file.

#include <optional>
#include <string>

#include "solve.hpp"
#include "sven/statistics.hpp"

namespace svenet {

// `folds`: a whole number for each row, or none.
sven::Statistics sum_up(const RegressionProblem& problem, const std::optional<IndexVector>& folds,
                        const SolveOptions& options);
nb::bytes encode(const sven::Statistics& statistics);
sven::Statistics decode(const std::string& name, const nb::bytes& bytes);

}  // namespace svenet
