#pragma once
// The hook for a device: what its folder (src/cuda) defines, or, in a build without one, the file
// that says so (src/cuda/absent.cpp). Nothing else in the library knows which was linked.

#include <memory>
#include <string>

#include "linalg/design.hpp"
#include "sven/elastic_net.hpp"

namespace sven::linalg {

// A design whose data are, or will be on first use, in the memory of the device. Throws
// DeviceError.
std::unique_ptr<Design> make_device_design(const MatrixView& X);

// The design for what the caller asked for. `automatic` takes the device where there is one that
// has room and X is large enough for it to pay, and the CPU otherwise.
std::unique_ptr<Design> make_design(const MatrixView& X, Device device);

}  // namespace sven::linalg
