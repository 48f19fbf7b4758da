#include "support/back_end.hpp"
#include "support/outside_matrix.hpp"

namespace sven::test {

std::vector<TestedDesign> tested_designs(const MatrixView& X) {
    std::vector<TestedDesign> designs;
    designs.push_back({"", nullptr, linalg::make_design(X)});
    // The kind that outside kinds look at: once with what they must offer, once with all.
    const auto* dense = std::get_if<DenseView>(&X);
    if (dense == nullptr || dense->scalar != Scalar::float64 ||
        dense->layout != Layout::column_major)
        return designs;
    for (const Offer offer : {Offer::entries, Offer::products})
        designs.push_back({offer == Offer::entries ? " read" : " with products", nullptr,
                           linalg::make_design(std::make_shared<OutsideMatrix>(*dense, offer))});
    const auto outside = std::make_shared<const OutsideMatrix>(*dense, Offer::entries);
    designs.push_back(
        {" by blocks", nullptr, linalg::make_design(std::make_shared<OutsideBlocks>(outside))});
    return designs;
}

Device tested_device() {
    return Device::cpu;
}

double tested_tolerance() {
    return 1e-12;
}

}  // namespace sven::test
