#pragma once
// Room for a matrix that grows by columns and rows, half of which is in use. Memory that was never
// touched costs nothing, new memory is slow to touch: there is room for twice the order, in which
// columns are moved apart where they lie.

#include <algorithm>
#include <new>

#include "linalg/buffer.hpp"

namespace sven::linalg {

enum class Triangle { lower, upper };

// Columns of at least `order` entries, and as many; those of the first `kept` columns and rows that
// belong to the triangle stay. `stride` is what the columns are apart, before and after.
template <class T>
void grow_square(Index order, Index kept, Triangle triangle, const Execution& execution,
                 Buffer<T>& values, Index& stride) {
    if (order <= stride) return;
    // an odd number of cache lines: columns that begin alike would share few places of a cache
    constexpr Index line = 64 / sizeof(T);
    const Index lines = (std::max(order, stride + stride / 4) + line - 1) / line;
    const Index apart = (lines | 1) * line;
    const auto move = [&](Index column, T* from, T* to) {
        const Index first = triangle == Triangle::lower ? column : 0;
        const Index end = triangle == Triangle::lower ? kept : column + 1;
        from += column * stride;
        to += column * apart;
        std::copy_backward(from + first, from + end, to + end);
    };
    if (apart * apart <= values.capacity()) {
        // from the last to the first: nothing is written over that is still to be moved
        for (Index column = kept; column-- > 0;) move(column, values.data(), values.data());
        stride = apart;
        return;
    }
    Buffer<T> grown;
    try {
        grown.reserve(4 * apart * apart);
    } catch (const std::bad_alloc&) {
        grown.reserve(apart * apart);
    }
    for (Index column = 0; column < kept; ++column) {
        execution.check();
        move(column, values.data(), grown.data());
    }
    values.swap(grown);
    stride = apart;
}

}  // namespace sven::linalg
