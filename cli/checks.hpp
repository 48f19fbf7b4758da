#pragma once
// Rules between the options, and the settings that they stand for. All throw UsageError.

#include "cli/arguments.hpp"

namespace sven::cli {

void check(const FitArguments& arguments);
void check(const PathArguments& arguments);
void check(const CvArguments& arguments);
void check(const PredictArguments& arguments);
void check(const ConvertArguments& arguments);
void check(const SimulateArguments& arguments);

// The setting that the options of `fit` ask for.
Setting setting(const SettingArguments& arguments);

// "budget", "penalty", "mixing" or "glmnet"
std::string form_name(const Setting& setting);

}  // namespace sven::cli
