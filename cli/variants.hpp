#pragma once
// What a model has to know of its variants.

#include <span>
#include <string>
#include <vector>

#include "sven/sven.hpp"

namespace sven::cli {

struct Variant {
    std::string name;
    io::Alleles alleles;
    double mean = 0;  // of the counted allele: what a missing genotype is taken for
};

// Of the variants with a coefficient; none where the table has no genotypes.
std::vector<Variant> variants_of(const io::Dataset& table,
                                 std::span<const Coefficient> coefficients);

}  // namespace sven::cli
