#include "cli/variants.hpp"

namespace sven::cli {

namespace {

double mean_of(const GenotypeView& X, Index j) {
    if (X.means != nullptr && X.means[j] == X.means[j]) return X.means[j];
    const auto* const codes = static_cast<const unsigned char*>(X.data) + j * X.stride;
    Index known = 0;
    Index of_a2 = 0;
    for (Index i = 0; i < rows(X); ++i) {
        const Index person = X.selection != nullptr ? X.selection[i] : i;
        const unsigned code = (codes[person / 4] >> (2 * (person % 4))) & 3U;
        if (code == 1) continue;
        ++known;
        of_a2 += code == 3 ? 2 : code / 2;
    }
    const Index alleles = X.counted == Allele::a2 ? of_a2 : 2 * known - of_a2;
    return known == 0 ? 0 : static_cast<double>(alleles) / static_cast<double>(known);
}

}  // namespace

std::vector<Variant> variants_of(const io::Dataset& table,
                                 std::span<const Coefficient> coefficients) {
    std::vector<Variant> variants;
    const auto* const X = std::get_if<GenotypeView>(&table.X);
    if (X == nullptr) return variants;
    for (const Coefficient& coefficient : coefficients) {
        const Index j = coefficient.feature;
        if (j < X->variants)
            variants.push_back({io::feature_name(table, j), table.alleles[j], mean_of(*X, j)});
    }
    return variants;
}

}  // namespace sven::cli
