#include "cli/matrix_lines.hpp"

namespace sven::cli {

namespace {

Index index_at(const void* array, IndexWidth width, Index at) {
    return width == IndexWidth::int32 ? Index{static_cast<const std::int32_t*>(array)[at]}
                                      : static_cast<const Index*>(array)[at];
}

double number_at(const void* array, Scalar scalar, Index at) {
    if (scalar == Scalar::int8) return static_cast<const std::int8_t*>(array)[at];
    return scalar == Scalar::float64 ? static_cast<const double*>(array)[at]
                                     : double{static_cast<const float*>(array)[at]};
}

Index offset(const SparseView& X, Index line) {
    return index_at(X.offsets, X.offset_width, line);
}

}  // namespace

Lines::Lines(const MatrixView& X, Compression along)
    : X_(X),
      along_(along),
      count_(along == Compression::rows ? rows(X) : cols(X)),
      length_(along == Compression::rows ? cols(X) : rows(X)) {
    const auto* const sparse = std::get_if<SparseView>(&X);
    if (sparse == nullptr) return;
    is_along_ = sparse->compression == along;
    if (!is_along_) turn(*sparse);
}

void Lines::turn(const SparseView& X) {
    offsets_.assign(static_cast<std::size_t>(count_) + 1, 0);
    const Index stored = offset(X, length_);
    for (Index k = 0; k < stored; ++k) ++offsets_[index_at(X.indices, X.index_width, k) + 1];
    for (Index k = 0; k < count_; ++k) offsets_[k + 1] += offsets_[k];
    entries_.resize(static_cast<std::size_t>(stored));
    std::vector<Index> next(offsets_.begin(), offsets_.end() - 1);
    for (Index line = 0; line < length_; ++line) {
        for (Index k = offset(X, line); k < offset(X, line + 1); ++k) {
            const Index to = next[index_at(X.indices, X.index_width, k)]++;
            entries_[to] = {line, number_at(X.values, X.scalar, k)};
        }
    }
}

void Lines::read(Index k, std::vector<Entry>& entries) const {
    entries.clear();
    const auto keep = [&](Index position, double value) {
        if (value != 0) entries.push_back({position, value});
    };
    if (const auto* const dense = std::get_if<DenseView>(&X_)) {
        const bool is_contiguous =
            (dense->layout == Layout::row_major) == (along_ == Compression::rows);
        for (Index i = 0; i < length_; ++i) {
            const Index at = is_contiguous ? k * dense->stride + i : i * dense->stride + k;
            keep(i, number_at(dense->data, dense->scalar, at));
        }
    } else if (is_along_) {
        const auto& X = std::get<SparseView>(X_);
        for (Index at = offset(X, k); at < offset(X, k + 1); ++at)
            keep(index_at(X.indices, X.index_width, at), number_at(X.values, X.scalar, at));
    } else {
        for (Index at = offsets_[k]; at < offsets_[k + 1]; ++at)
            keep(entries_[at].position, entries_[at].value);
    }
}

Index Lines::stored() const {
    Index total = 0;
    std::vector<Entry> line;
    for (Index k = 0; k < count_; ++k) {
        read(k, line);
        total += static_cast<Index>(line.size());
    }
    return total;
}

}  // namespace sven::cli
