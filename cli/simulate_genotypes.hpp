#pragma once
// Genotypes of people, as PLINK 1 keeps them, and a phenotype with known coefficients.

#include <string>

#include "cli/simulation.hpp"

namespace sven::cli {

// Alleles of 5 to 50 %, of which neighbours are correlated, some missing. X of the table is a
// GenotypeView; its y is X b + noise, where missing genotypes have the mean of their variant.
Simulation simulate_genotypes(const SimulationPlan& plan);

// The three files, as they are written.
std::string bed_text(const Simulation& simulation);
std::string bim_text(const Simulation& simulation);
std::string fam_text(const Simulation& simulation);

}  // namespace sven::cli
