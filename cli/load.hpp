#pragma once
// The data that a command works on, read from every file it names.

#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "sven/sven.hpp"

namespace sven::cli {

struct LoadedData {
    io::Dataset table;
    std::vector<double> y;
    std::vector<double> weights;  // empty: all one
    std::vector<double> factors;  // empty: all one
    std::string path;
    std::string target;              // empty: it has no name
    std::string target_description;  // where y comes from, for the reader of a report
    std::vector<std::string> notes;  // what was decided without being asked

    Index rows() const { return static_cast<Index>(y.size()); }
    Index cols() const { return sven::cols(table.X); }
};

// As the options ask. Throws ParseError with what can be done about it, or UsageError.
io::Dataset read_table(const TableArguments& arguments, const io::ReadOptions& options);
io::ReadOptions read_options(const TableArguments& arguments);

// The values of --y, which must be as many as the table has rows.
std::vector<double> read_response(const TableArguments& arguments, Index rows);

// Throws ParseError, UsageError, or InvalidArgument where the files do not fit together.
LoadedData load(const DataArguments& arguments, const SolverArguments& solver);

// What the library has against the data, with the name of the file and the place of the value.
std::string describe_refusal(const LoadedData& data, const InvalidArgument& error);

// Runs a call of the library on the data and tells its refusals so.
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

}  // namespace sven::cli
