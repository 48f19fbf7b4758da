// A build without CUDA: there is no device, and errors say so.

#include "linalg/devices.hpp"
#include "sven/device.hpp"
#include "sven/error.hpp"

namespace sven {

class DeviceMatrix::Storage {};

std::vector<DeviceInfo> devices() {
    return {};
}

std::string why_no_device() {
    return "sven was built without CUDA";
}

std::unique_ptr<linalg::Design> linalg::make_device_design(const MatrixView&) {
    throw DeviceError("no GPU can be used: " + why_no_device());
}

bool linalg::fits_device(const MatrixView&) {
    return false;
}

bool linalg::device_has_started() {
    return false;
}

DeviceMatrix::DeviceMatrix(const MatrixView&) {
    throw DeviceError("no GPU can be used: " + why_no_device());
}
DeviceMatrix::~DeviceMatrix() = default;
DeviceMatrix::DeviceMatrix(DeviceMatrix&&) noexcept = default;
DeviceMatrix& DeviceMatrix::operator=(DeviceMatrix&&) noexcept = default;

MatrixView DeviceMatrix::view() const {
    return {};
}

}  // namespace sven
