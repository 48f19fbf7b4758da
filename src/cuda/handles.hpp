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
    // The handle of a lease, which takes one when it has none: make() gives a new one, and
    // bind(handle) is called once.
    template <class Make, class Bind>
    Handle of(Lease& lease, const Make& make, const Bind& bind) {
        if (lease.get() == nullptr) {
            const Handle handle = take(make);
            try {
                bind(handle);
            } catch (...) {
                give_back(handle);
                throw;
            }
            lease.set(handle, this, [](void* pool, void* used) {
                static_cast<Handles*>(pool)->give_back(static_cast<Handle>(used));
            });
        }
        return static_cast<Handle>(lease.get());
    }

  private:
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

    std::mutex mutex_;
    std::vector<Handle> idle_;
};

}  // namespace sven::cuda
