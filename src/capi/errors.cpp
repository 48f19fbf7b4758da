#include "capi/errors.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include "capi/tuning.hpp"

namespace sven::capi {
namespace {

// An array: it is written where memory has run out too.
thread_local std::array<char, tuning::longest_message + 1> last_error{};

int remember(SvenError error, const char* message) noexcept {
    const std::size_t length = std::min(std::strlen(message), tuning::longest_message);
    std::copy_n(message, length, last_error.data());
    last_error[length] = '\0';
    return error;
}

}  // namespace

int failure() noexcept {
    try {
        throw;
    } catch (const InvalidArgument& error) {
        return remember(SVEN_INVALID_ARGUMENT, error.what());
    } catch (const Interrupted& error) {
        return remember(SVEN_INTERRUPTED, error.what());
    } catch (const DeviceError& error) {
        return remember(SVEN_DEVICE_ERROR, error.what());
    } catch (const std::bad_alloc&) {
        return remember(SVEN_OUT_OF_MEMORY, "not enough memory");
    } catch (const std::length_error&) {  // of a vector that no memory could hold
        return remember(SVEN_OUT_OF_MEMORY, "not enough memory");
    } catch (const std::exception& error) {
        return remember(SVEN_INTERNAL_ERROR, error.what());
    } catch (...) {
        return remember(SVEN_INTERNAL_ERROR, "an unknown error");
    }
}

}  // namespace sven::capi

const char* sven_last_error(void) {
    return sven::capi::last_error.data();
}
