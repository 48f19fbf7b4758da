#pragma once
// The data of a command, read from all its files.

#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/classes.hpp"
#include "sven/sven.hpp"

namespace sven::cli {

struct LoadedData {
    io::Dataset table;
    std::vector<double> y;
    std::vector<double> weights;       // empty: all one
    std::vector<double> factors;       // empty: all one
    std::vector<double> lower, upper;  // limits of the coefficients; empty: none
    std::vector<double> offset;        // empty: none
    std::string path;
    std::string target;                 // empty: unnamed
    std::string offset_name;            // empty: no offset
    std::string failures_name;          // the column beside that of the successes; empty: none
    Classes classes;                    // of a binomial target with names
    std::string target_description;     // the source of y, for reports
    std::vector<std::string> notes;     // decisions made by default
    std::vector<std::string> warnings;  // what is probably a mistake
    // In the place of rows: the table has names alone, and y and weights are empty.
    std::optional<Statistics> statistics;
    std::shared_ptr<const void> ranks;  // that the data lie with; null: no others
    // Those of X, if they lie with the ranks: the table has some of them, or none.
    std::shared_ptr<const DistributedColumns> columns;
    int rank_count = 1;

    MatrixView matrix() const { return columns ? MatrixView(columns) : table.X; }
    Index rows() const { return statistics ? statistics->rows() : static_cast<Index>(y.size()); }
    Index cols() const { return statistics ? statistics->cols() : sven::cols(matrix()); }
    bool is_weighted() const {
        return statistics ? statistics->total_weight() != static_cast<double>(rows())
                          : !weights.empty();
    }
};

// Reads the table as the options request. Throws ParseError with advice, or UsageError.
io::Dataset read_table(const TableArguments& arguments, const io::ReadOptions& options);
io::ReadOptions read_options(const TableArguments& arguments);

// The values of --y, one for each row of the table.
std::vector<double> read_response(const TableArguments& arguments, Index rows);

// Throws ParseError, UsageError, or InvalidArgument if the files do not match.
LoadedData load(const DataArguments& arguments, const SolverArguments& solver);

// Statistics as data, with what the options say of features.
LoadedData statistics_in_place(const DataArguments& arguments, Statistics statistics);

// What the options say of features: penalty factors and limits.
void take_features(const DataArguments& arguments, LoadedData& data);

// The library's error about the data, with the name of the file and the position of the value.
std::string describe_refusal(const LoadedData& data, const InvalidArgument& error);

// Calls the library on the data and reports its errors that way.
template <class Work>
auto refusing_with_the_place(const LoadedData& data, const Work& work) {
    try {
        return work();
    } catch (const InvalidArgument& error) {
        throw InvalidArgument(describe_refusal(data, error));
    }
}

// A view: the data must outlive it.
Problem problem(const LoadedData& data, const SolverArguments& solver);

Options options(const SolverArguments& solver);

// The means of the rows under a solution: probabilities, expected counts, or plain predictions.
std::vector<double> fitted_means(const LoadedData& data, Family family, const Solution& solution);

}  // namespace sven::cli
