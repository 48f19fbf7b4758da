#pragma once
// Genotypes on the device, two bits each.

#include <memory>

#include "linalg/design.hpp"
#include "sven/matrix.hpp"

namespace sven::cuda {

// Sends them.
std::unique_ptr<linalg::Design> make_genotype_design(const GenotypeView& X);

}  // namespace sven::cuda
