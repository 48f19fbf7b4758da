#pragma once
// HDF5: a file of named arrays. A matrix is named after a colon, "data.h5:/group/name", and its
// response, weights, folds and offset are other arrays of the file.

#include <optional>
#include <string>
#include <vector>

#include "io/source.hpp"
#include "sven/io.hpp"

namespace sven::io {

bool has_hdf5_magic(const Source& source);

// "data.h5:/group/name" as the file's path and the array's name, which is empty where the file
// alone is named; by its ending, .h5, .hdf5, .h5ad or .mat, else nothing.
struct Hdf5Place {
    std::string file;
    std::string array;
};
std::optional<Hdf5Place> hdf5_place(const std::string& path);

// Without libhdf5 both throw ParseError.
Dataset read_hdf5(const std::string& path, const ReadOptions& options);
std::vector<double> read_hdf5_vector(const std::string& path);

}  // namespace sven::io
