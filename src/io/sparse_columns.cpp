#include "io/sparse_columns.hpp"

#include <algorithm>

namespace sven::io {

SparseView SparseColumns::view(Index row_count, Index column_count) const {
    return {.values = values.get(),
            .indices = rows.get(),
            .offsets = offsets.data(),
            .scalar = Scalar::float64,
            .index_width = IndexWidth::int32,
            .offset_width = IndexWidth::int64,
            .compression = Compression::columns,
            .rows = row_count,
            .cols = column_count};
}

std::shared_ptr<SparseColumns> compress(const std::vector<Triplet>& entries, Index columns,
                                        const Triplet*& repeated) {
    repeated = nullptr;
    auto result = std::make_shared<SparseColumns>();
    auto& offsets = result->offsets;
    offsets.assign(static_cast<std::size_t>(columns) + 1, 0);
    for (const Triplet& entry : entries) ++offsets[static_cast<std::size_t>(entry.column) + 1];
    for (std::size_t j = 1; j < offsets.size(); ++j) offsets[j] += offsets[j - 1];
    std::vector<const Triplet*> order(entries.size());
    std::vector<Index> next(offsets.begin(), offsets.end() - 1);
    for (const Triplet& entry : entries) order[next[entry.column]++] = &entry;
    result->rows.reset(new std::int32_t[entries.size()]);
    result->values.reset(new double[entries.size()]);
    for (Index j = 0; j < columns; ++j) {
        const auto first = order.begin() + offsets[j];
        const auto last = order.begin() + offsets[j + 1];
        const auto is_before = [](const Triplet* a, const Triplet* b) { return a->row < b->row; };
        if (!std::is_sorted(first, last, is_before)) std::stable_sort(first, last, is_before);
        for (auto at = first; at != last; ++at) {
            if (at != first && (*at)->row == (*(at - 1))->row && repeated == nullptr)
                repeated = *at;
            result->rows[at - order.begin()] = (*at)->row;
            result->values[at - order.begin()] = (*at)->value;
        }
    }
    return result;
}

}  // namespace sven::io
