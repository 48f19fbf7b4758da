#pragma once
// The edge of the C interface: an exception becomes a number, and its sentence the last error of
// the thread.

#include <string>

#include "sven/error.hpp"
#include "sven/sven.h"

namespace sven::capi {

// The number of the exception that is being handled.
int failure() noexcept;

template <class Work>
int guarded(const Work& work) noexcept {
    try {
        work();
        return SVEN_OK;
    } catch (...) {
        return failure();
    }
}

inline void require(const void* pointer, const char* name) {
    if (pointer == nullptr) throw InvalidArgument(std::string(name) + " is NULL");
}

}  // namespace sven::capi
