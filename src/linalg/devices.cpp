#include "linalg/devices.hpp"

#include <algorithm>

#include "linalg/tuning.hpp"
#include "sven/device.hpp"
#include "sven/error.hpp"

namespace sven::linalg {
namespace {

// Whether the device pays for an X that has yet to be sent.
bool pays(const Design& X) {
    if (std::min(X.rows(), X.cols()) >= device_support) return true;
    const bool is_tall = X.rows() > X.cols();
    return X.entries() * 8 >= device_bytes && (!is_tall || X.cols() >= device_columns);
}

}  // namespace

std::unique_ptr<Design> make_design(const MatrixView& X, Device device, Passes passes) {
    const auto* const dense = std::get_if<DenseView>(&X);
    const bool is_int8 = dense != nullptr && dense->scalar == Scalar::int8;
    const bool has_kernels = !is_int8 && !std::holds_alternative<SharedMatrix>(X);
    if (is_int8 && device == Device::cuda) throw InvalidArgument("X of int8 is for the CPU");
    if (is_on_device(X) || device == Device::cuda) return make_device_design(X);
    std::unique_ptr<Design> on_host = make_design(X);
    if (device == Device::cpu || !has_kernels) return on_host;
    if (!pays(*on_host) || !why_no_device().empty()) return on_host;
    try {
        if (passes == Passes::many && !fits_device(X)) return on_host;
        return make_device_design(X);
    } catch (const DeviceError&) {  // too little memory: use the CPU
        return on_host;
    }
}

}  // namespace sven::linalg
