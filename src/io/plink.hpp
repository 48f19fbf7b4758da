#pragma once
// PLINK 1: packed genotypes (.bed), their variants (.bim) and people (.fam), and tables about the
// people.

#include <memory>
#include <string>
#include <vector>

#include "io/source.hpp"
#include "sven/io.hpp"

namespace sven::io {

// A person of a .fam file. The phenotype is NaN if it is missing: -9, NA, or 0 beside 1 and 2.
struct People {
    std::vector<std::string> ids;  // within their families
    std::vector<double> phenotypes;
};
People read_fam(const Source& source);

struct Variants {
    std::vector<std::string> names;
    std::vector<Alleles> alleles;
};
Variants read_bim(const Source& source);

bool has_bed_magic(const Source& source);

// The view of a whole .bed file, for as many people and variants as the other files have.
GenotypeView view_of_bed(const Source& bed, Index people, Index variants);

// A table with a line for each person: numbers by the name of their column, NaN if missing. Fields
// are separated by commas, tabs or blanks; a column IID has the names of the people.
struct PeopleTable {
    std::string path;
    std::vector<std::string> ids;
    std::vector<std::string> columns;
    std::vector<std::vector<double>> values;  // by column
};
PeopleTable read_people(const Source& source);

// The .bim and .fam files lie beside the .bed file.
Dataset read_plink(const std::shared_ptr<const Source>& bed, const ReadOptions& options);

}  // namespace sven::io
