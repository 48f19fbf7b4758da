#pragma once
// The interface to a device, defined by src/cuda or, in a build without CUDA, by
// src/cuda/absent.cpp. Nothing else in the library knows which was linked.

#include <memory>
#include <string>

#include "linalg/design.hpp"
#include "sven/elastic_net.hpp"

namespace sven::linalg {

// A design whose data are in the memory of the device, at the latest from the first use. Throws
// DeviceError.
std::unique_ptr<Design> make_device_design(const MatrixView& X);

// Whether the memory of the device holds X; else pieces of it are sent in every pass.
bool fits_device(const MatrixView& X);

// The design for the requested device. Device::automatic takes the GPU if there is one with enough
// memory and X is large enough to benefit, and the CPU otherwise.
std::unique_ptr<Design> make_design(const MatrixView& X, Device device);

}  // namespace sven::linalg
