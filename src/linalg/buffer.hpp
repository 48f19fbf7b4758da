#pragma once
// Memory for numbers: aligned to a cache line, grown in steps, not initialised.

#include <algorithm>
#include <memory>

#include "linalg/execution.hpp"
#include "linalg/memory.hpp"
#include "linalg/tuning.hpp"

namespace sven::linalg {

template <class T>
class Buffer {
  public:
    Buffer() = default;
    explicit Buffer(Index size) { reserve(size); }

    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }
    T& operator[](Index i) { return data_.get()[i]; }
    const T& operator[](Index i) const { return data_.get()[i]; }
    Index capacity() const { return capacity_; }

    // Makes room; the contents are lost.
    void reserve(Index size) {
        if (size <= capacity_) return;
        data_.reset();
        capacity_ = 0;  // in case the allocation throws
        allocate(size);
    }

    // Makes room and keeps the first `kept` entries. Polls the cancel token, since new memory is
    // slow to touch.
    void grow(Index size, Index kept, const Execution& execution) {
        if (size <= capacity_) return;
        Buffer grown(std::max(size, capacity_ + capacity_ / 2));
        for (Index begin = 0; begin < kept; begin += poll_entries) {
            execution.check();
            std::copy_n(data() + begin, std::min(poll_entries, kept - begin), grown.data() + begin);
        }
        swap(grown);
    }

    void swap(Buffer& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(capacity_, other.capacity_);
    }

  private:
    struct Free {
        std::size_t bytes = 0;
        void operator()(T* pointer) const { release(pointer, bytes); }
    };
    using Pointer = std::unique_ptr<T, Free>;

    void allocate(Index size) {
        const auto bytes = static_cast<std::size_t>(size) * sizeof(T);
        data_ = Pointer(static_cast<T*>(linalg::allocate(bytes)), Free{bytes});
        capacity_ = size;
    }

    Pointer data_;
    Index capacity_ = 0;
};

}  // namespace sven::linalg
