#pragma once
// The commands for CLI11: each call adds one, whose options fill the arguments.

#include <CLI/CLI.hpp>

#include "cli/arguments.hpp"

namespace sven::cli {

class OptionGroup;

// Parts that several commands share.
void add_data_file(CLI::App& app, std::string& path);
void add_table_options(OptionGroup& group, TableArguments& table);
void add_column_options(OptionGroup& group, TableArguments& table);
void add_plink_options(OptionGroup& group, TableArguments& table);

void add_fit(CLI::App& app, FitArguments& fit);
void add_path(CLI::App& app, PathArguments& path);
void add_cv(CLI::App& app, CvArguments& cv);
void add_predict(CLI::App& app, PredictArguments& predict);
void add_assess(CLI::App& app, AssessArguments& assess);
void add_report(CLI::App& app, ReportArguments& report);
void add_convert(CLI::App& app, ConvertArguments& convert);
void add_gram(CLI::App& app, GramArguments& gram);
void add_simulate(CLI::App& app, SimulateArguments& simulate);
void add_info(CLI::App& app, InfoArguments& info);
void add_completion(CLI::App& app, std::string& shell, std::string& file);

}  // namespace sven::cli
