#pragma once
// Room for a matrix that grows by columns and rows, half of which is in use.

#include <algorithm>

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
    const Index lines = (order + line - 1) / line;
    const Index apart = (lines | 1) * line;
    Buffer<T> grown(apart * apart);
    for (Index column = 0; column < kept; ++column) {
        execution.check();
        const Index first = triangle == Triangle::lower ? column : 0;
        const Index end = triangle == Triangle::lower ? kept : column + 1;
        std::copy_n(values.data() + column * stride + first, end - first,
                    grown.data() + column * apart + first);
    }
    values.swap(grown);
    stride = apart;
}

}  // namespace sven::linalg
