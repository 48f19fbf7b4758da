#include "io/fault.hpp"
#include "io/hdf5.hpp"

namespace sven::io {

bool has_hdf5() {
    return false;
}

namespace {

[[noreturn]] void refuse(const std::string& path) {
    const std::string file = hdf5_place(path).value_or(Hdf5Place{path, {}}).file;
    (void)Source(file);  // where there is none, that is said
    raise(file,
          {0, 0, "this is an HDF5 file, and sven was built without libhdf5; save it as .npy"});
}

}  // namespace

Dataset read_hdf5(const std::string& path, const ReadOptions&) {
    refuse(path);
}

std::vector<double> read_hdf5_vector(const std::string& path) {
    refuse(path);
}

}  // namespace sven::io
