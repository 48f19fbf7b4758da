#pragma once
// One array of an HDF5 file, as libhdf5 shows it. Calls may be concurrent: they wait for each
// other.

#include <optional>
#include <string>
#include <vector>

#include "io/hdf5_library.hpp"
#include "sven/index.hpp"

namespace sven::io {

class Hdf5Array {
  public:
    // An empty name stands for the only array of two dimensions. Throws ParseError.
    Hdf5Array(const std::string& path, const std::string& name);
    ~Hdf5Array();
    Hdf5Array(const Hdf5Array&) = delete;
    Hdf5Array& operator=(const Hdf5Array&) = delete;

    const std::string& path() const { return path_; }
    const std::string& name() const { return name_; }
    const std::vector<Index>& sizes() const { return sizes_; }
    std::string shape() const;  // "3 x 4"
    bool is_float32() const { return is_float32_; }
    // Sizes of the pieces that it is stored and packed in; empty where it is not.
    const std::vector<Index>& chunk() const { return chunk_; }
    // Where its numbers lie in the file, one after the other, as the machine has them; or nothing.
    std::optional<std::size_t> place() const { return place_; }

    // The numbers of a box, row by row.
    void read(const std::vector<Index>& start, const std::vector<Index>& count, double* out) const;
    void read(float* out) const;  // all of them

    [[noreturn]] void fail(const std::string& what) const;

  private:
    void open(const std::string& name);
    void look_at_storage();
    void keep_chunks();
    void transfer(hid_t type, hid_t memory, hid_t space, void* out) const;

    std::string path_;
    std::string name_;
    std::vector<Index> sizes_;
    std::vector<Index> chunk_;
    std::optional<std::size_t> place_;
    bool is_float32_ = false;
    bool is_native_ = false;  // float32 or float64 of this machine
    Hdf5Handle file_;
    Hdf5Handle array_;
};

}  // namespace sven::io
