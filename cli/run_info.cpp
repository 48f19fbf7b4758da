#include <fmt/format.h>

#include "cli/document.hpp"
#include "cli/run.hpp"
#include "sven/build.hpp"
#include "sven/device.hpp"
#include "sven/io.hpp"

namespace sven::cli {

int run(const InfoArguments& arguments) {
    const BuildInfo info = build_info();
    if (arguments.json) {
        Json object;
        object["version"] = info.version;
        object["compiler"] = info.compiler;
        object["build"] = info.build_type;
        object["blas"] = info.blas;
        object["kernels"] = info.kernels;
        object["threads"] = info.threads;
        object["processors"] = usable_processors();
        object["liblinear"] = info.has_liblinear;
        object["hdf5"] = io::has_hdf5();
        object["devices"] = info.devices;
        print(text_of(object));
        return 0;
    }
    print(fmt::format(
        "version    {}\ncompiler   {}, {}\nkernels    {}\n"
        "threads    {} in a pool of its own, for {} processors\nLIBLINEAR  {}\n"
        "HDF5       {}\ndevices    {}\n",
        info.version, info.compiler, info.build_type, info.kernels, info.threads,
        usable_processors(), info.has_liblinear ? "yes" : "no", io::has_hdf5() ? "yes" : "no",
        info.devices.empty() ? fmt::format("none ({})", why_no_device())
                             : fmt::format("{}", fmt::join(info.devices, ", "))));
    return 0;
}

}  // namespace sven::cli
