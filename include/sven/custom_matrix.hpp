#pragma once
// A kind of matrix of your own: entries that are computed when they are asked for, packed bits, a
// file of blocks. Derive from CustomMatrix and hand a std::shared_ptr to it to `fit`, `solve_path`,
// `cross_validate` or `predict` as X (examples/interactions.cpp):
//
//     problem.X = std::make_shared<const Interactions>(...);
//
// Three verbs must be given: rows, cols and read. The others are for kinds that are faster at them
// than the library is with what it reads. A call is a large piece of work: thousands of entries,
// where X has as many. Calls come from several threads at once: a verb may change nothing that
// others see. What a verb throws ends the solve and reaches its caller. The numbers are the same in
// every call of a solve.

#include <span>

#include "sven/index.hpp"

namespace sven {

class CustomMatrix {
  public:
    struct Rows {  // [begin, end)
        Index begin = 0;
        Index end = 0;
    };
    // Vectors of rows() numbers, side by side: entry i of vector k is values[i * count + k]. There
    // is one, or there are a multiple of eight, of which the last may be zero.
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
    // i of vector k. True where that is done; false leaves it to the library, which reads the
    // columns. The certificate counts on sums in double precision over the entries that read()
    // gives, in whatever order. Not asked for columns whose mean is far from zero: they are read.
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
    // What a product with all columns costs, in entries: the choice between the columns and the
    // Gram matrix, and of the number of threads, rests on it.
    [[nodiscard]] virtual double entries() const {
        return static_cast<double>(rows()) * static_cast<double>(cols());
    }
};

}  // namespace sven
