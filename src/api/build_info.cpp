#include "linalg/execution.hpp"
#include "linalg/kernels.hpp"
#include "sven/build.hpp"
#include "sven/device.hpp"
#include "sven/elastic_net.hpp"
#include "sven/version.hpp"

namespace sven {

BuildInfo build_info() {
    BuildInfo info;
    info.version = SVEN_VERSION;
#if defined(__clang__)
    info.compiler = "Clang " __clang_version__;
#else
    info.compiler = "GCC " __VERSION__;
#endif
    info.build_type = SVEN_BUILD_TYPE;
    info.blas = "none";
    info.kernels = linalg::kernels().name;
    info.threads = default_threads();
    info.has_liblinear = has_liblinear();
    for (const DeviceInfo& device : devices()) info.devices.push_back(device.name);
    return info;
}

int default_threads() {
    return linalg::default_threads();
}

int usable_processors() {
    return linalg::usable_processors();
}

}  // namespace sven
