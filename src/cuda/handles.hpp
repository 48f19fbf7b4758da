#pragma once
// Handles of a library, made when all that there are are in use and kept for the next stream.

#include <mutex>
#include <new>
#include <vector>

#include "cuda/runtime.hpp"

namespace sven::cuda {

template <class Handle>
class Handles {
  public:
    // `make` gives a new one.
    template <class Make>
    Handle take(const Make& make) {
        {
            const std::lock_guard lock(mutex_);
            if (!idle_.empty()) {
                const Handle handle = idle_.back();
                idle_.pop_back();
                return handle;
            }
        }
        return make();
    }
    void give_back(Handle handle) noexcept {
        const std::lock_guard lock(mutex_);
        try {
            idle_.push_back(handle);
        } catch (const std::bad_alloc&) {  // it is lost
        }
    }

  private:
    std::mutex mutex_;
    std::vector<Handle> idle_;
};

}  // namespace sven::cuda
