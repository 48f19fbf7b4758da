#pragma once
// A CUDA library that is loaded at first use: a program built with CUDA starts without it.

#include <dlfcn.h>

#include <string>

#include "sven/error.hpp"

namespace sven::cuda {

class DynamicLibrary {
  public:
    // Looks for `file` in the loader's path, then in the toolkit of the build; `name` is for
    // messages.
    DynamicLibrary(std::string name, const std::string& file) : name_(std::move(name)) {
        for (const std::string& path : {file, std::string(SVEN_CUDA_LIBRARIES) + "/" + file})
            if ((library_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) != nullptr) return;
        throw DeviceError(name_ + " cannot be loaded: " + dlerror());
    }

    template <class Function>
    void load(Function& function, const char* symbol) const {
        function = reinterpret_cast<Function>(dlsym(library_, symbol));
        if (function == nullptr) throw DeviceError(name_ + " lacks " + symbol);
    }

    // Throws DeviceError if a call did not return `success`.
    template <class Status>
    void check(Status status, Status success, const char* call) const {
        if (status == success) return;
        throw DeviceError("the GPU failed: " + name_ + " status " + std::to_string(status) + " (" +
                          call + ")");
    }

  private:
    std::string name_;
    void* library_ = nullptr;
};

}  // namespace sven::cuda
