#pragma once
// Genotypes of PLINK files, which stay in the file's two bits.

#include <optional>
#include <string>

#include "arrays.hpp"

namespace svenet {

struct PlinkTables {
    std::optional<std::string> phenotypes;
    std::optional<std::string> phenotype_name;
    std::optional<std::string> covariates;
};

// The matrix, and what the files say about its rows and columns. Throws sven::InvalidArgument.
nb::dict read_plink(const std::string& path, const PlinkTables& tables, bool counts_second,
                    bool has_target);

}  // namespace svenet
