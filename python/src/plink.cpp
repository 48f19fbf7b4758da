#include "plink.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "interpreter.hpp"
#include "sven/error.hpp"
#include "sven/io.hpp"

namespace svenet {
namespace {

sven::io::Dataset dataset_of(const std::string& path, const sven::io::ReadOptions& options) {
    const WithoutGil released;
    try {
        return sven::io::read(path, options);
    } catch (const sven::ParseError& error) {
        throw sven::InvalidArgument(error.what());
    }
}

// Keeps the mapped file as long as Python keeps the object.
nb::object owner_of(std::shared_ptr<const void> storage) {
    using Storage = std::shared_ptr<const void>;
    auto owned = std::make_unique<Storage>(std::move(storage));
    return nb::capsule(owned.release(),
                       [](void* kept) noexcept { delete static_cast<Storage*>(kept); });
}

}  // namespace

nb::dict read_plink(const std::string& path, const PlinkTables& tables, bool counts_second,
                    bool has_target) {
    sven::io::ReadOptions options;
    options.format = sven::io::Format::plink;
    options.has_response = has_target;
    options.counted_allele = counts_second ? sven::Allele::a2 : sven::Allele::a1;
    options.phenotypes = tables.phenotypes;
    options.phenotype_name = tables.phenotype_name;
    options.covariates = tables.covariates;
    sven::io::Dataset data = dataset_of(path, options);
    std::vector<std::pair<std::string, std::string>> alleles;
    for (const sven::io::Alleles& pair : data.alleles)
        alleles.emplace_back(pair.counted, pair.other);
    nb::dict fields;
    fields["shape"] = nb::make_tuple(sven::rows(data.X), sven::cols(data.X));
    fields["matrix"] = nb::cast(Matrix{data.X, {owner_of(data.storage)}});
    fields["y"] = has_target ? to_numpy(std::move(data.y)) : nb::none();
    fields["feature_names"] = nb::cast(data.feature_names);
    fields["row_names"] = nb::cast(data.row_names);
    fields["alleles"] = nb::cast(alleles);
    fields["covariates"] = nb::cast(data.covariates);
    fields["remarks"] = nb::cast(data.remarks);
    return fields;
}

}  // namespace svenet
