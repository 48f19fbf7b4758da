#pragma once
// Consistency of the options, and the settings they describe. All throw UsageError.

#include "cli/arguments.hpp"

namespace sven::cli {

void check(const FitArguments& arguments);
void check(const PathArguments& arguments);
void check(const CvArguments& arguments);
void check(const PredictArguments& arguments);
void check(const AssessArguments& arguments);
void check(const ConvertArguments& arguments);
void check(const GramArguments& arguments);
void check(const SimulateArguments& arguments);

// Options that say how rows are read, as far as they were given; and their refusal where the data
// are statistics.
std::vector<const char*> data_options(const DataArguments& data);
void refuse_rows(const DataArguments& data);
void refuse_rows(const FitArguments& arguments);
void refuse_rows(const PathArguments& arguments);
void refuse_rows(const CvArguments& arguments);

// Whether sums of the rows serve what is asked.
template <class Arguments>
bool do_sums_serve(const Arguments& arguments) {
    try {
        refuse_rows(arguments);
        return arguments.solver.family == Family::gaussian;
    } catch (const UsageError&) {
        return false;
    }
}

// Whether each rank has a file of its own, whose name has its number in the place of {rank}.
bool is_list_of_files(const DataArguments& data);

// Of --distributed: rows are there as sums alone, and of columns nobody has a whole row.
void check_distribution(const FitArguments& arguments);
void check_distribution(const PathArguments& arguments);
void check_distribution(const CvArguments& arguments);

// The setting requested by the options of `fit`.
Setting setting(const SettingArguments& arguments);

// "budget", "penalty", "mixing" or "glmnet"
std::string form_name(const Setting& setting);

}  // namespace sven::cli
