#include "cli/column_share.hpp"

#include <algorithm>
#include <vector>

#include "cli/matrix_lines.hpp"

namespace sven::cli {

namespace {

struct SparseColumns {
    std::vector<Index> offsets, indices;
    std::vector<double> values;
};

ColumnShare copied(const SparseView& X, Index begin, Index end) {
    auto own = std::make_shared<SparseColumns>();
    const Lines columns(X, Compression::columns);
    std::vector<Entry> entries;
    own->offsets.push_back(0);
    for (Index j = begin; j < end; ++j) {
        columns.read(j, entries);
        for (const Entry& entry : entries) {
            own->indices.push_back(entry.position);
            own->values.push_back(entry.value);
        }
        own->offsets.push_back(static_cast<Index>(own->values.size()));
    }
    const SparseView view{.values = own->values.data(),
                          .indices = own->indices.data(),
                          .offsets = own->offsets.data(),
                          .scalar = Scalar::float64,
                          .index_width = IndexWidth::int64,
                          .offset_width = IndexWidth::int64,
                          .compression = Compression::columns,
                          .rows = X.rows,
                          .cols = end - begin};
    return {view, own};
}

DenseView cut(DenseView X, Index begin, Index end) {
    const Index entry = bytes_of(X.scalar);
    const Index line = X.layout == Layout::column_major ? X.stride : 1;
    if (X.data != nullptr) X.data = static_cast<const char*>(X.data) + begin * line * entry;
    X.cols = end - begin;
    return X;
}

GenotypeView cut(GenotypeView X, Index begin, Index end) {
    const Index all = X.variants;
    const Index first = std::min(begin, all);
    X.data = static_cast<const char*>(X.data) + first * X.stride;
    X.variants = std::min(end, all) - first;
    if (X.means != nullptr) X.means += first;
    if (X.beside.cols > 0)
        X.beside = cut(X.beside, std::max(begin, all) - all, std::max(end, all) - all);
    return X;
}

ColumnShare copied(const DenseView& X) {
    if (X.layout != Layout::column_major || X.scalar != Scalar::float64) return {X, nullptr};
    auto own = std::make_shared<std::vector<double>>();
    const auto* const from = static_cast<const double*>(X.data);
    for (Index j = 0; j < X.cols; ++j)
        own->insert(own->end(), from + j * X.stride, from + j * X.stride + X.rows);
    return {column_major(own->data(), X.rows, X.cols), own};
}

}  // namespace

ColumnShare share_of_columns(const MatrixView& X, Index begin, Index end, bool is_mapped) {
    if (const auto* const sparse = std::get_if<SparseView>(&X)) return copied(*sparse, begin, end);
    if (const auto* const genotypes = std::get_if<GenotypeView>(&X))
        return {cut(*genotypes, begin, end), nullptr};
    const DenseView own = cut(std::get<DenseView>(X), begin, end);
    return is_mapped ? ColumnShare{own, nullptr} : copied(own);
}

}  // namespace sven::cli
