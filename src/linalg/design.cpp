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
            kernels().correlate_f64(x.data(), size, nullptr, rows(), Q.row(0) + lane, Q.stride(),
                                    out + begin * Q.stride() + lane);
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
