#pragma once
// Accelerators: which there are, and matrices that live on one. A build without CUDA has none, and
// says so when it is asked for one.

#include <memory>
#include <string>
#include <vector>

#include "sven/matrix.hpp"

namespace sven {

struct DeviceInfo {
    std::string name;
    Index memory = 0;       // bytes
    Index free_memory = 0;  // bytes
};

// The devices that a solve can run on; the first is the one that is used.
[[nodiscard]] std::vector<DeviceInfo> devices();
// Why there are none: built without CUDA, no driver, no device. Empty where there is one.
[[nodiscard]] std::string why_no_device();

// A copy of a matrix in the memory of the device, for several calls on the same data; compressed
// rows become compressed columns. Throws DeviceError where there is no device or too little memory.
class DeviceMatrix {
  public:
    explicit DeviceMatrix(const MatrixView& X);
    ~DeviceMatrix();
    DeviceMatrix(DeviceMatrix&&) noexcept;
    DeviceMatrix& operator=(DeviceMatrix&&) noexcept;

    // Valid as long as this object; for calls with Options::device cuda or automatic.
    [[nodiscard]] MatrixView view() const;

    class Storage;  // what holds the memory; a device's own business

  private:
    std::unique_ptr<Storage> storage_;
};

}  // namespace sven
