#include "linalg/design.hpp"

#include <stdexcept>

namespace sven::linalg {

void Design::accumulate_sparse_gram(RowWeights, const Execution&, double*, Index) const {
    throw std::logic_error("accumulate_sparse_gram on a dense design");
}

std::unique_ptr<Design> make_design(const MatrixView& X) {
    if (const auto* dense = std::get_if<DenseView>(&X)) return make_dense_design(*dense);
    return make_sparse_design(std::get<SparseView>(X));
}

}  // namespace sven::linalg
