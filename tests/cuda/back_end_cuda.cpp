#include <gtest/gtest.h>

#include <iostream>

#include "cuda/streamed.hpp"
#include "linalg/devices.hpp"
#include "support/back_end.hpp"
#include "sven/device.hpp"

namespace sven::test {
namespace {

// Every test of the program is skipped, by name and with the reason, where no GPU can be used.
class NeedsDevice : public testing::Environment {
  public:
    void SetUp() override {
        if (why_no_device().empty()) return;
        std::cout << "[  SKIPPED ] " << why_no_device() << "\n";  // for ctest, which looks for it
        GTEST_SKIP() << why_no_device();
    }
};

const testing::Environment* const needs_device = testing::AddGlobalTestEnvironment(new NeedsDevice);

}  // namespace

std::vector<TestedDesign> tested_designs(const MatrixView& X) {
    std::vector<TestedDesign> designs;
    if (!why_no_device().empty()) return designs;
    designs.push_back({" sent", nullptr, linalg::make_device_design(X)});
    if (std::holds_alternative<GenotypeView>(X)) return designs;  // always sent
    if (const auto* dense = std::get_if<DenseView>(&X))
        designs.push_back({" streamed", nullptr, cuda::make_streamed_design(*dense, 40000)});
    const auto resident = std::make_shared<DeviceMatrix>(X);
    designs.push_back({" resident", resident, linalg::make_device_design(resident->view())});
    return designs;
}

Device tested_device() {
    return Device::cuda;
}

double tested_tolerance() {
    return 1e-9;
}

}  // namespace sven::test
