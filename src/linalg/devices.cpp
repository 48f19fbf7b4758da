#include "linalg/devices.hpp"

#include "sven/device.hpp"
#include "sven/error.hpp"

namespace sven::linalg {
namespace {

double bytes_of_entry(const MatrixView& X) {
    const auto width = [](Scalar scalar) { return scalar == Scalar::float64 ? 8.0 : 4.0; };
    if (const auto* const dense = std::get_if<DenseView>(&X)) return width(dense->scalar);
    if (const auto* const sparse = std::get_if<SparseView>(&X)) return width(sparse->scalar) + 4;
    return 0.25;  // genotypes
}

// Whether the device pays for an X that has yet to be sent.
bool pays(const MatrixView& X, const Design& on_host, const Workload& work) {
    const double entries = on_host.entries();
    const Extent extent{static_cast<double>(on_host.rows()), static_cast<double>(on_host.cols()),
                        entries, entries * bytes_of_entry(X), on_host.is_sparse()};
    const DeviceCosts costs = model_costs(extent, work, device_has_started());
    return costs.device < costs.host;
}

}  // namespace

std::unique_ptr<Design> make_design(const MatrixView& X, Device device, const Workload& work) {
    const auto* const dense = std::get_if<DenseView>(&X);
    const bool is_int8 = dense != nullptr && dense->scalar == Scalar::int8;
    const bool has_kernels = !is_int8 && !std::holds_alternative<SharedMatrix>(X);
    if (is_int8 && device == Device::cuda) throw InvalidArgument("X of int8 is for the CPU");
    if (is_on_device(X) || device == Device::cuda) return make_device_design(X);
    std::unique_ptr<Design> on_host = make_design(X);
    if (device == Device::cpu || !has_kernels) return on_host;
    if (!pays(X, *on_host, work) || !why_no_device().empty()) return on_host;
    try {
        if (!work.is_of_sums && !fits_device(X)) return on_host;
        return make_device_design(X);
    } catch (const DeviceError&) {  // too little memory: use the CPU
        return on_host;
    }
}

}  // namespace sven::linalg
