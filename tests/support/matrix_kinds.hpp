#pragma once
// One matrix in every kind of storage that a view can describe.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/numbers.hpp"
#include "sven/matrix.hpp"

namespace sven::test {

struct Kind {
    bool is_sparse = false;
    bool by_columns = true;  // column-major, CSC
    Scalar scalar = Scalar::float64;
    bool is_strided = false;  // dense: lines further apart than they are long
    IndexWidth index_width = IndexWidth::int32;
    IndexWidth offset_width = IndexWidth::int32;
};

inline std::string name(const Kind& kind) {
    std::string scalar = kind.scalar == Scalar::float64 ? "_f64" : "_f32";
    if (kind.scalar == Scalar::int8) scalar = "_i8";
    if (!kind.is_sparse)
        return std::string(kind.by_columns ? "columns" : "rows") + scalar +
               (kind.is_strided ? "_strided" : "");
    return std::string(kind.by_columns ? "csc" : "csr") + scalar +
           (kind.index_width == IndexWidth::int32 ? "_i32" : "_i64") +
           (kind.offset_width == IndexWidth::int32 ? "_o32" : "_o64");
}

inline std::string kind_name(const testing::TestParamInfo<Kind>& tested) {
    return name(tested.param);
}

// The layouts: columns and rows, dense and sparse.
inline std::vector<Kind> each_layout() {
    return {{false, true}, {false, false}, {true, true}, {true, false}};
}

inline std::vector<Kind> all_kinds() {
    std::vector<Kind> kinds;
    for (const bool by_columns : {true, false})
        for (const Scalar scalar : {Scalar::float64, Scalar::float32}) {
            for (const bool is_strided : {false, true})
                kinds.push_back({false, by_columns, scalar, is_strided});
            for (const IndexWidth indices : {IndexWidth::int32, IndexWidth::int64})
                for (const IndexWidth offsets : {IndexWidth::int32, IndexWidth::int64})
                    kinds.push_back({true, by_columns, scalar, false, indices, offsets});
        }
    return kinds;
}

// For whole numbers.
inline std::vector<Kind> kinds_of_bytes() {
    std::vector<Kind> kinds;
    for (const bool by_columns : {true, false})
        for (const bool is_strided : {false, true})
            kinds.push_back({false, by_columns, Scalar::int8, is_strided});
    return kinds;
}

// Owns what its view points to. Dense padding is NaN, so that reading it shows; sparse storage
// holds some of the zeros too, as a file may.
class StoredMatrix {
  public:
    StoredMatrix(const Kind& kind, Index rows, Index cols, const std::vector<double>& column_major)
        : kind_(kind), rows_(rows), cols_(cols) {
        const Index lines = kind.by_columns ? cols : rows;
        const Index length = kind.by_columns ? rows : cols;
        const auto entry = [&](Index line, Index k) {
            return kind.by_columns ? column_major[line * rows + k] : column_major[k * rows + line];
        };
        const double padding = kind.scalar == Scalar::int8 ? 101 : nan;
        stride_ = length + (kind.is_strided ? 3 : 0);
        offsets_.push_back(0);
        for (Index line = 0; line < lines; ++line) {
            for (Index k = 0; k < (kind.is_sparse ? length : stride_); ++k) {
                const double value = k < length ? entry(line, k) : padding;
                if (kind.is_sparse && value == 0 && (line + k) % 11 != 0) continue;
                values_.push_back(value);
                if (kind.is_sparse) indices_.push_back(k);
            }
            offsets_.push_back(static_cast<Index>(values_.size()));
        }
        if (kind.scalar == Scalar::float32) narrow(values_, values32_);
        if (kind.scalar == Scalar::int8) narrow(values_, values8_);
        if (kind.index_width == IndexWidth::int32) narrow(indices_, indices32_);
        if (kind.offset_width == IndexWidth::int32) narrow(offsets_, offsets32_);
    }
    StoredMatrix(const StoredMatrix&) = delete;
    StoredMatrix& operator=(const StoredMatrix&) = delete;

    MatrixView view() const {
        const void* values = values_.data();
        if (kind_.scalar == Scalar::float32) values = values32_.data();
        if (kind_.scalar == Scalar::int8) values = values8_.data();
        if (!kind_.is_sparse)
            return DenseView{
                values, kind_.scalar, kind_.by_columns ? Layout::column_major : Layout::row_major,
                rows_,  cols_,        stride_};
        const void* indices = indices_.data();
        const void* offsets = offsets_.data();
        if (kind_.index_width == IndexWidth::int32) indices = indices32_.data();
        if (kind_.offset_width == IndexWidth::int32) offsets = offsets32_.data();
        return SparseView{values,
                          indices,
                          offsets,
                          kind_.scalar,
                          kind_.index_width,
                          kind_.offset_width,
                          kind_.by_columns ? Compression::columns : Compression::rows,
                          rows_,
                          cols_};
    }

  private:
    template <class Wide, class Narrow>
    static void narrow(std::vector<Wide>& wide, std::vector<Narrow>& out) {
        out.assign(wide.begin(), wide.end());
        wide = {};
    }

    Kind kind_;
    Index rows_;
    Index cols_;
    Index stride_ = 0;
    std::vector<double> values_;
    std::vector<float> values32_;
    std::vector<std::int8_t> values8_;
    std::vector<std::int64_t> indices_;
    std::vector<std::int32_t> indices32_;
    std::vector<std::int64_t> offsets_;
    std::vector<std::int32_t> offsets32_;
};

}  // namespace sven::test
