#include "io/transpose.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include "io/csv_columns.hpp"
#include "io/encode.hpp"
#include "io/fault.hpp"

namespace sven::io {

namespace {

DenseView turned(DenseView X) {
    std::swap(X.rows, X.cols);
    X.layout = X.layout == Layout::column_major ? Layout::row_major : Layout::column_major;
    return X;
}

SparseView turned(SparseView X) {
    std::swap(X.rows, X.cols);
    X.compression =
        X.compression == Compression::columns ? Compression::rows : Compression::columns;
    return X;
}

SharedMatrix turned(const SharedMatrix&) {
    throw std::logic_error("no file holds a matrix of a kind of the caller's own");
}

GenotypeView turned(const GenotypeView&) {
    throw std::logic_error("genotypes have people in their rows by definition");
}

void refuse_bad_names(const Source& source, const std::vector<std::string>& names) {
    std::unordered_map<std::string_view, std::size_t> seen;
    for (std::size_t k = 0; k < names.size(); ++k) {
        if (names[k].empty())
            raise(source.path(), {0, 0, "row " + std::to_string(k + 1) + " has no name"});
        const auto [first, is_new] = seen.emplace(names[k], k);
        if (!is_new)
            raise(source.path(),
                  {0, 0,
                   "the name " + in_quotes(names[k]) + " of row " + std::to_string(k + 1) +
                       " is taken by row " + std::to_string(first->second + 1)});
    }
}

// Removes rows from a column-major table of doubles.
class RowTaker {
  public:
    RowTaker(const Source& source, Dataset& table)
        : path_(source.path()),
          names_(table.row_names),
          block_(static_cast<double*>(const_cast<void*>(std::get<DenseView>(table.X).data))),
          rows_(rows(table.X)),
          cols_(cols(table.X)),
          is_feature_(static_cast<std::size_t>(rows_), 1) {}

    std::string take(const std::string& wanted, std::vector<double>& out,
                     bool may_be_missing = false) {
        const Index k = find_name(path_, names_, wanted, "row");
        drop(k);
        for (Index s = 0; s < cols_; ++s) {
            const double value = block_[s * rows_ + k];
            if (std::isnan(value) && !may_be_missing)
                raise(path_, {0, 0,
                              "a value of the row " +
                                  in_quotes(names_[static_cast<std::size_t>(k)]) + " is missing",
                              FaultKind::missing_value});
            out.push_back(value);
        }
        return names_[static_cast<std::size_t>(k)];
    }

    void drop(const std::string& wanted) { drop(find_name(path_, names_, wanted, "row")); }
    void drop(Index row) { is_feature_[static_cast<std::size_t>(row)] = 0; }

    void keep(const std::vector<std::string>& features) {
        const std::unordered_set<std::string_view> wanted(features.begin(), features.end());
        for (Index k = 0; k < rows_; ++k)
            if (!wanted.contains(names_[static_cast<std::size_t>(k)])) drop(k);
    }

    bool has(const std::string& name) const {
        return std::find(names_.begin(), names_.end(), name) != names_.end();
    }
    Index last_feature() const {
        Index k = rows_ - 1;
        while (k > 0 && !is_feature_[static_cast<std::size_t>(k)]) --k;
        return k;
    }

    // Closes the gaps; returns the number of remaining features.
    Index compact(std::vector<std::string>& names) {
        std::vector<Index> kept;
        for (Index k = 0; k < rows_; ++k) {
            if (!is_feature_[static_cast<std::size_t>(k)]) continue;
            kept.push_back(k);
            names.push_back(names_[static_cast<std::size_t>(k)]);
        }
        double* to = block_;
        for (Index s = 0; s < cols_; ++s)
            for (const Index k : kept) *to++ = block_[s * rows_ + k];
        return static_cast<Index>(kept.size());
    }

    double* block() { return block_; }
    Index samples() const { return cols_; }

  private:
    const std::string& path_;
    const std::vector<std::string>& names_;
    double* block_;
    Index rows_;
    Index cols_;
    std::vector<char> is_feature_;
};

}  // namespace

MatrixView transposed(const MatrixView& X) {
    return std::visit([](const auto& view) { return MatrixView(turned(view)); }, X);
}

Dataset transpose_table(const Source& source, const ReadOptions& options, Dataset table) {
    refuse_bad_names(source, table.row_names);
    RowTaker rows(source, table);
    Dataset data;
    for (const std::string& name : options.drop) rows.drop(name);
    if (options.weights_column) {
        (void)rows.take(*options.weights_column, data.weights);
        if (*std::min_element(data.weights.begin(), data.weights.end()) < 0)
            raise(source.path(), {0, 0, "a weight is negative"});
    }
    if (options.fold_column) (void)rows.take(*options.fold_column, data.folds);
    if (options.offset_column) (void)rows.take(*options.offset_column, data.offset);
    const bool takes_target = options.has_response && (options.needs_target || !options.target ||
                                                       rows.has(*options.target));
    if (takes_target) {
        data.target_was_guessed = !options.target;
        const std::string target = options.target.value_or(std::to_string(rows.last_feature()));
        data.target_name = rows.take(target, data.y, options.target_may_be_missing);
        if (options.failures_column)
            (void)rows.take(*options.failures_column, data.failures, options.target_may_be_missing);
    }
    if (options.features != nullptr) rows.keep(*options.features);
    const Index features = rows.compact(data.feature_names);
    if (features == 0 && options.features == nullptr)
        raise(source.path(), {0, 0, "there is no row left for a feature"});
    data.row_names = std::move(table.feature_names);
    data.storage = table.storage;
    if (options.impute_mean || options.encoding != nullptr) {
        impute_means(source, {rows.block(), rows.samples(), features, Layout::row_major},
                     options.encoding, data);
    }
    data.X = row_major(rows.block(), rows.samples(), features);
    return data;
}

}  // namespace sven::io
