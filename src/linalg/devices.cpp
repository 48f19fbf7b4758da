#include "linalg/devices.hpp"

#include <algorithm>

#include "sven/device.hpp"
#include "sven/error.hpp"

namespace sven::linalg {
namespace {

// Whether the device pays for an X that has yet to be sent, as measured on an H200 beside 16 cores
// (docs/gpu.md). Small ones are solved before the device has begun, and the Gram matrix of a tall X
// with few columns takes the cores less time than the transfer; but supports of thousands of
// features, which only many rows and many columns allow, are the device's whatever X takes.
constexpr double smallest_bytes = 100e6;
constexpr Index fewest_columns = 200;
constexpr Index large_supports = 2000;

bool pays(const Design& X) {
    if (std::min(X.rows(), X.cols()) >= large_supports) return true;
    const bool is_tall = X.rows() > X.cols();
    return X.entries() * 8 >= smallest_bytes && (!is_tall || X.cols() >= fewest_columns);
}

}  // namespace

std::unique_ptr<Design> make_design(const MatrixView& X, Device device) {
    if (is_on_device(X) || device == Device::cuda) return make_device_design(X);
    std::unique_ptr<Design> on_host = make_design(X);
    if (device == Device::cpu || std::holds_alternative<SharedMatrix>(X)) return on_host;
    if (!pays(*on_host) || !why_no_device().empty()) return on_host;
    try {
        return make_device_design(X);
    } catch (const DeviceError&) {  // too little memory: the CPU can
        return on_host;
    }
}

}  // namespace sven::linalg
