#pragma once
// The same matrix in every way that a MatrixView can describe.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/two_class.hpp"
#include "sven/matrix.hpp"

namespace sven::test {

struct Storage {
    bool is_sparse = false;
    bool is_float32 = false;
    bool by_rows = false;
    bool has_long_indices = false;
    bool has_long_offsets = false;
};

inline std::vector<Storage> every_storage() {
    std::vector<Storage> all;
    for (const bool is_float32 : {false, true}) {
        for (const bool by_rows : {false, true}) {
            all.push_back({false, is_float32, by_rows, false, false});
            for (const bool long_indices : {false, true}) {
                for (const bool long_offsets : {false, true}) {
                    all.push_back({true, is_float32, by_rows, long_indices, long_offsets});
                }
            }
        }
    }
    return all;
}

inline std::string storage_name(const testing::TestParamInfo<Storage>& info) {
    const Storage& s = info.param;
    std::string name = s.is_sparse ? (s.by_rows ? "csr" : "csc") : (s.by_rows ? "rows" : "columns");
    name += s.is_float32 ? "_float32" : "_float64";
    if (s.is_sparse) {
        name += s.has_long_indices ? "_index64" : "_index32";
        name += s.has_long_offsets ? "_offset64" : "_offset32";
    }
    return name;
}

class Stored {
  public:
    Stored(const TwoClass& data, const Storage& storage)
        : storage_(storage), rows_(data.samples), cols_(data.features) {
        const Index lines = storage.by_rows ? rows_ : cols_;
        const Index length = storage.by_rows ? cols_ : rows_;
        stride_ = length + 3;  // dense lines need not touch
        push_offset(0);
        for (Index line = 0; line < lines; ++line) {
            for (Index k = 0; k < (storage.is_sparse ? length : stride_); ++k) {
                const double value = k >= length       ? 99
                                     : storage.by_rows ? data.X[line * cols_ + k]
                                                       : data.X[k * cols_ + line];
                if (storage.is_sparse && value == 0) continue;
                doubles_.push_back(value);
                floats_.push_back(static_cast<float>(value));
                short_indices_.push_back(static_cast<std::int32_t>(k));
                long_indices_.push_back(k);
            }
            push_offset(static_cast<Index>(doubles_.size()));
        }
    }

    MatrixView view() const {
        const Scalar scalar = storage_.is_float32 ? Scalar::float32 : Scalar::float64;
        const void* values = storage_.is_float32 ? static_cast<const void*>(floats_.data())
                                                 : static_cast<const void*>(doubles_.data());
        if (!storage_.is_sparse) {
            return DenseView{
                values, scalar, storage_.by_rows ? Layout::row_major : Layout::column_major,
                rows_,  cols_,  stride_};
        }
        const void* indices = storage_.has_long_indices
                                  ? static_cast<const void*>(long_indices_.data())
                                  : static_cast<const void*>(short_indices_.data());
        const void* offsets = storage_.has_long_offsets
                                  ? static_cast<const void*>(long_offsets_.data())
                                  : static_cast<const void*>(short_offsets_.data());
        return SparseView{values,
                          indices,
                          offsets,
                          scalar,
                          storage_.has_long_indices ? IndexWidth::int64 : IndexWidth::int32,
                          storage_.has_long_offsets ? IndexWidth::int64 : IndexWidth::int32,
                          storage_.by_rows ? Compression::rows : Compression::columns,
                          rows_,
                          cols_};
    }

  private:
    void push_offset(Index offset) {
        short_offsets_.push_back(static_cast<std::int32_t>(offset));
        long_offsets_.push_back(offset);
    }

    Storage storage_;
    Index rows_;
    Index cols_;
    Index stride_ = 0;
    std::vector<double> doubles_;
    std::vector<float> floats_;
    std::vector<std::int32_t> short_indices_;
    std::vector<std::int64_t> long_indices_;
    std::vector<std::int32_t> short_offsets_;
    std::vector<std::int64_t> long_offsets_;
};

}  // namespace sven::test
