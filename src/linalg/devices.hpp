#pragma once
// The interface to a device, defined by src/cuda or, in a build without CUDA, by
// src/cuda/absent.cpp. Nothing else in the library knows which was linked.

#include <memory>
#include <string>

#include "linalg/design.hpp"
#include "linalg/device_costs.hpp"
#include "sven/elastic_net.hpp"

namespace sven::linalg {

// A design whose data are in the memory of the device, at the latest from the first use. Throws
// DeviceError.
std::unique_ptr<Design> make_device_design(const MatrixView& X);

// Whether the memory of the device holds X; else pieces of it are sent in every pass.
bool fits_device(const MatrixView& X);

// Whether this process has used the device, for whatever: its driver is not waited for any more.
bool device_has_started();

// The design for the requested device. Device::automatic takes the GPU if there is one and the
// work is expected to take less time there, and the CPU otherwise; so it does where the memory of
// the GPU does not hold an X that is read over and over, which the host reads faster than it sends
// it.
std::unique_ptr<Design> make_design(const MatrixView& X, Device device, const Workload& work = {});

}  // namespace sven::linalg
