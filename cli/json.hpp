#pragma once
// The JSON that the program prints and writes. Numbers come back to the last bit when read.

#include <span>
#include <string>

#include "cli/arguments.hpp"
#include "cli/load.hpp"

namespace sven::cli {

struct FitRecord {
    const LoadedData& data;
    const SolverArguments& solver;
    Setting setting;
    const Solution& solution;
};

// What `sven fit --json` prints.
std::string fit_json(const FitRecord& record);

// "sven-model/1": all that a prediction needs, and how the model came about.
std::string model_json(const FitRecord& record);

// "sven-path/1"
std::string path_json(const LoadedData& data, std::span<const Solution> solutions, double seconds);

}  // namespace sven::cli
