#pragma once
// Reads the files that the program writes: models, paths and cross-validations.

#include <string>
#include <string_view>
#include <vector>

#include "cli/document.hpp"
#include "cli/variants.hpp"

namespace sven::cli {

struct Model {
    std::string target;                 // empty: unnamed
    std::vector<std::string> features;  // empty: unnamed
    Index feature_count = 0;
    std::string offset;  // the column that is added to predictions; empty: none
    double intercept = 0;
    std::vector<Coefficient> coefficients;
    io::Encoding encoding;
    Family family = Family::gaussian;
    Classes classes;                // of a binomial target with names
    std::string failures;           // the column beside that of the successes; empty: none
    std::vector<Variant> variants;  // with a coefficient, of genotypes
};

// Both throw ParseError: on damage, on another kind of file, on an unknown version.
Model read_model(const std::string& path);
Model parse_model(const std::string& path, std::string_view text);

// A path or a cross-validation, with all fields of a report checked.
Json read_results(const std::string& path);
Json parse_results(const std::string& path, std::string_view text);

}  // namespace sven::cli
