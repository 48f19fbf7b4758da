#pragma once
// User-defined matrices: entries that are computed on demand, packed bits, a file of blocks. Derive
// from CustomMatrix and pass a std::shared_ptr to it to `fit`, `solve_path`, `cross_validate` or
// `predict` as X (examples/interactions.cpp):
//
//     problem.X = std::make_shared<const Interactions>(...);
//
// Three functions are required: rows, cols and read. The others are optional, for matrices that
// compute them faster than the library does from read(). Each call covers thousands of entries if X
// has as many. Calls are concurrent, so the functions must not modify shared state. An exception
// ends the solve and reaches its caller. Entries must not change during a solve.

#include <span>

#include "sven/export.h"
#include "sven/index.hpp"

namespace sven {

class SVEN_API CustomMatrix {
  public:
    struct Rows {  // [begin, end)
        Index begin = 0;
        Index end = 0;
    };
    // Vectors of rows() numbers, side by side: entry i of vector k is values[i * count + k]. Their
    // number is one or a multiple of eight, of which the last may be zero.
    struct Vectors {
        const double* values = nullptr;
        Index count = 0;
    };

    CustomMatrix() = default;
    virtual ~CustomMatrix() = default;
    CustomMatrix(const CustomMatrix&) = delete;
    CustomMatrix& operator=(const CustomMatrix&) = delete;

    [[nodiscard]] virtual Index rows() const = 0;
    [[nodiscard]] virtual Index cols() const = 0;

    // out[(i - rows.begin) + c * stride] = entry (i, columns[c]), for every row of the range.
    virtual void read(Rows rows, std::span<const Index> columns, double* out,
                      Index stride) const = 0;

    // Products with columns, out[c * q.count + k] = sum over i of entry (i, columns[c]) times entry
    // i of vector k. Returns true if done; false leaves it to the library, which reads the columns.
    // The certificate relies on sums in double precision over the entries of read(), in any order.
    // Not called for columns whose mean is far from zero: they are read.
    virtual bool correlate(std::span<const Index> /*columns*/, Vectors /*q*/,
                           double* /*out*/) const {
        return false;
    }
    // Combinations of columns, out[i - rows.begin] = sum over c of values[c] times entry (i,
    // columns[c]), under the same conditions.
    virtual bool multiply(Rows /*rows*/, std::span<const Index> /*columns*/,
                          std::span<const double> /*values*/, double* /*out*/) const {
        return false;
    }
    // The cost of a product with all columns, in entries. The choice between the columns and the
    // Gram matrix, and the number of threads, depend on it.
    [[nodiscard]] virtual double entries() const {
        return static_cast<double>(rows()) * static_cast<double>(cols());
    }
};

}  // namespace sven
