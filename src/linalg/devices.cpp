#include "linalg/devices.hpp"

#include "sven/device.hpp"
#include "sven/error.hpp"

namespace sven::linalg {
namespace {

// Below this the transfer and the calls cost more than the products that they save (docs/gpu.md).
constexpr double smallest_bytes = 20e6;

double bytes_of(const Design& X) {
    return X.entries() * 8;
}

}  // namespace

std::unique_ptr<Design> make_design(const MatrixView& X, Device device) {
    if (is_on_device(X) || device == Device::cuda) return make_device_design(X);
    std::unique_ptr<Design> on_host = make_design(X);
    if (device == Device::cpu || bytes_of(*on_host) < smallest_bytes || !why_no_device().empty())
        return on_host;
    try {
        return make_device_design(X);
    } catch (const DeviceError&) {  // too little memory: the CPU can
        return on_host;
    }
}

}  // namespace sven::linalg
