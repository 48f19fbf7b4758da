#pragma once
// Accelerators, and matrices stored on one. A build without CUDA has none and reports that on
// request.

#include <memory>
#include <string>
#include <vector>

#include "sven/export.h"
#include "sven/matrix.hpp"

namespace sven {

struct DeviceInfo {
    std::string name;
    Index memory = 0;       // bytes
    Index free_memory = 0;  // bytes
};

// The devices that a solve can run on; the first one is used.
[[nodiscard]] SVEN_API std::vector<DeviceInfo> devices();
// Why there are none: built without CUDA, no driver, no device. Empty if there is one.
[[nodiscard]] SVEN_API std::string why_no_device();

// A copy of a matrix in the memory of the device, for several calls on the same data; compressed
// rows become compressed columns. Throws DeviceError if there is no device or too little memory.
class SVEN_API DeviceMatrix {
  public:
    explicit DeviceMatrix(const MatrixView& X);
    ~DeviceMatrix();
    DeviceMatrix(DeviceMatrix&&) noexcept;
    DeviceMatrix& operator=(DeviceMatrix&&) noexcept;

    // Valid as long as this object; for calls with Options::device cuda or automatic.
    [[nodiscard]] MatrixView view() const;

    class Storage;  // owns the memory; defined by the device

  private:
    std::unique_ptr<Storage> storage_;
};

}  // namespace sven
