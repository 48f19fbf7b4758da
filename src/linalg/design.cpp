#include "linalg/design.hpp"

#include <array>
#include <stdexcept>

#include "linalg/kernels.hpp"
#include "linalg/sparse_design.hpp"

namespace sven::linalg {

void Design::accumulate_sparse_gram(RowWeights, const Execution&, double*, Index) const {
    throw std::logic_error("accumulate_sparse_gram on a dense design");
}

std::vector<double> Design::near_means() const {
    const Index p = cols();
    const Index panels = (p + gram_width - 1) / gram_width;
    const Index samples = std::min<Index>(rows(), 256);
    const std::vector<double> zero(static_cast<std::size_t>(p));
    std::vector<double> mean(static_cast<std::size_t>(p));
    Buffer<double> packed(panels * gram_width);
    for (Index s = 0; s < samples; ++s) {
        const Index row = rows() * s / samples;
        pack_rows(row, row + 1, zero, nullptr, packed.data());
        for (Index j = 0; j < p; ++j) mean[j] += packed[j];
    }
    for (double& m : mean) m /= static_cast<double>(samples);
    return mean;
}

bool Design::sum_gram(const GramRequest&, const Execution&, std::span<GramSums>) const {
    return false;
}

// Through gathered columns, a dozen at a time.
void Design::correlate_list(std::span<const Index> columns, const Panel& Q,
                            const Execution& execution, double* out) const {
    constexpr Index group = 12;
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
    if (const auto* dense = std::get_if<DenseView>(&X)) return make_dense_design(*dense);
    const auto& sparse = std::get<SparseView>(X);
    return sparse.compression == Compression::columns ? make_csc_design(sparse)
                                                      : make_csr_design(sparse);
}

}  // namespace sven::linalg
