#pragma once
// Writes data files in every format that can be read.

#include <optional>
#include <string>

#include "cli/output_file.hpp"
#include "sven/sven.hpp"

namespace sven::cli {

// A table to be written: X and, if the format supports it, y.
struct TableToWrite {
    const io::Dataset& table;
    const std::vector<double>& y;  // empty: none
    std::string target;            // its name
};

// Whether the format can hold the target: text tables and svmlight can.
bool has_place_for_target(io::Format format);

// Whether the target is written into the table: not into a text table if it has its own file, but
// always into svmlight, whose rows begin with it.
bool keeps_target(io::Format format, bool has_own_file);

// Throws OutputError; InvalidArgument if the format cannot hold the table.
void write_table(const TableToWrite& table, const std::string& path, OutputFile& file);

// A vector: .npy by its ending, else one number per line.
void write_vector(const std::vector<double>& values, const std::string& path, OutputFile& file);

}  // namespace sven::cli
