#include "linalg/design.hpp"

#include <array>
#include <stdexcept>

#include "linalg/kernels.hpp"
#include "linalg/sparse_design.hpp"
#include "linalg/tuning.hpp"

namespace sven::linalg {

void Design::accumulate_sparse_gram(RowWeights, const Execution&, double*, Index) const {
    throw std::logic_error("accumulate_sparse_gram on a dense design");
}

std::unique_ptr<SelectedRows> Design::select(std::span<const Index>) const {
    return nullptr;
}

RowSample Design::sample_rows() const {
    const Index p = cols();
    const Index size = std::min(rows(), sample_group_rows);
    const Index groups = size == 0 ? 0 : std::min(rows() / size, sample_groups);
    const std::vector<double> zero(static_cast<std::size_t>(p));
    RowSample sample{groups * size, {}};
    sample.values.resize(static_cast<std::size_t>(sample.count * p));
    Buffer<double> packed((p + gram_width - 1) / gram_width * gram_width * size);
    for (Index g = 0; g < groups; ++g) {
        const Index begin = (rows() - size) * g / std::max<Index>(1, groups - 1);
        pack_rows(begin, begin + size, zero, nullptr, packed.data());
        for (Index j = 0; j < p; ++j)
            for (Index i = 0; i < size; ++i)
                sample.values[j * sample.count + g * size + i] =
                    packed[(j / gram_width * size + i) * gram_width + j % gram_width];
    }
    return sample;
}

bool Design::sum_gram(const GramRequest&, const Execution&, std::span<GramSums>) const {
    return false;
}

std::unique_ptr<Systems> Design::make_systems(const ColumnScales&) const {
    return nullptr;
}

std::unique_ptr<Systems> Design::make_systems(Index, const double*) const {
    return nullptr;
}

std::unique_ptr<LaneTable> Design::make_table(const TableColumns&) const {
    return nullptr;
}

void Design::tabulate(const Panel&, const Execution&, std::span<LaneTable* const>) const {
    throw std::logic_error("tabulate by a design that makes no tables");
}

// By gathered columns.
void Design::correlate_list(std::span<const Index> columns, const Panel& Q,
                            const Execution& execution, double* out) const {
    constexpr Index group = gathered_columns;
    Buffer<double> gathered(group * rows());
    std::array<const double*, group> x{};
    const auto count = static_cast<Index>(columns.size());
    for (Index begin = 0; begin < count; begin += group) {
        const Index size = std::min(group, count - begin);
        gather(columns.subspan(begin, size), execution, gathered.data(), rows());
        for (Index c = 0; c < size; ++c) x[c] = gathered.data() + c * rows();
        std::fill_n(out + begin * Q.stride(), size * Q.stride(), 0.0);
        for (Index lane = 0; lane < Q.stride(); lane += lane_group)
            kernels().correlate_f64(x.data(), size, 0, nullptr, rows(), Q.row(0) + lane, Q.stride(),
                                    out + begin * Q.stride() + lane);
    }
}

namespace {

// Groups of rows with values of their own, those of column c at values[c * count].
struct RowGroups {
    std::span<const Index> group;  // of each row; negative: none
    Index count;
    const double* values;
};

// One product after the other, of which each keeps the rows of its group.
void select_products(const Design& X, std::span<const Index> columns, const RowGroups& groups,
                     const Execution& execution, double* out) {
    std::vector<double> own(columns.size());
    std::vector<double> product(static_cast<std::size_t>(X.rows()));
    for (Index g = 0; g < groups.count; ++g) {
        for (std::size_t c = 0; c < columns.size(); ++c)
            own[c] = groups.values[static_cast<Index>(c) * groups.count + g];
        X.multiply(columns, own, execution, product.data());
        for (Index i = 0; i < X.rows(); ++i)
            if (groups.group[i] == g) out[i] = product[i];
    }
}

// out[i] += the combination of Width columns, `stride` apart, for rows [first, last).
template <Index Width>
void combine_groups(const double* x, Index stride, const RowGroups& groups, Index first, Index last,
                    double* out) {
    for (Index i = first; i < last; ++i) {
        const Index g = groups.group[i];
        if (g < 0) continue;
        double sum = out[i];
        for (Index c = 0; c < Width; ++c)
            sum += x[c * stride + i] * groups.values[c * groups.count + g];
        out[i] = sum;
    }
}

}  // namespace

// Each column is read once. Where entries are few, or are not here, products are the lesser work.
void Design::multiply_groups(std::span<const Index> columns, std::span<const double> values,
                             std::span<const Index> group, const Execution& execution,
                             double* out) const {
    std::fill_n(out, rows(), 0.0);
    if (columns.empty()) return;
    RowGroups groups{group, static_cast<Index>(values.size() / columns.size()), values.data()};
    if (is_sparse() || is_on_device())
        return select_products(*this, columns, groups, execution, out);
    constexpr Index width = gathered_columns;
    Buffer<double> gathered(width * rows());
    const auto count = static_cast<Index>(columns.size());
    for (Index begin = 0; begin < count; begin += width) {
        const Index size = std::min(width, count - begin);
        gather(columns.subspan(begin, size), execution, gathered.data(), rows());
        const double work = 2 * static_cast<double>(size) * static_cast<double>(rows());
        parallel_pieces(execution, work, rows(), combined_rows, [&](Index first, Index last) {
            RowGroups own = groups;
            Index c = 0;
            for (; c + 4 <= size; c += 4, own.values += 4 * groups.count)
                combine_groups<4>(gathered.data() + c * rows(), rows(), own, first, last, out);
            for (; c < size; ++c, own.values += groups.count)
                combine_groups<1>(gathered.data() + c * rows(), rows(), own, first, last, out);
        });
        groups.values += size * groups.count;
    }
}

std::unique_ptr<Design> make_design(const MatrixView& X) {
    if (const auto* custom = std::get_if<SharedMatrix>(&X)) return make_custom_design(*custom);
    if (const auto* genotypes = std::get_if<GenotypeView>(&X))
        return make_genotype_design(*genotypes);
    if (const auto* dense = std::get_if<DenseView>(&X)) return make_dense_design(*dense);
    const auto& sparse = std::get<SparseView>(X);
    return sparse.compression == Compression::columns ? make_csc_design(sparse)
                                                      : make_csr_design(sparse);
}

}  // namespace sven::linalg
