#include "cli/match_variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "cli/csv_text.hpp"
#include "cli/load.hpp"

namespace sven::cli {

namespace {

// What the matched view points into.
struct Storage {
    std::shared_ptr<const void> table;
    std::vector<double> means;
};

bool are_same(const io::Alleles& a, const io::Alleles& b) {
    return a.counted == b.counted && a.other == b.other;
}
bool are_turned(const io::Alleles& a, const io::Alleles& b) {
    return a.counted == b.other && a.other == b.counted;
}

// The columns of the data that have a name of the model's.
using Places = std::unordered_map<std::string, std::vector<Index>>;

Places find_places(const Model& model, const io::Dataset& table) {
    Places places;
    for (const Coefficient& coefficient : model.coefficients)
        places[model.features[static_cast<std::size_t>(coefficient.feature)]];
    for (std::size_t j = 0; j < table.feature_names.size(); ++j) {
        const auto found = places.find(table.feature_names[j]);
        if (found != places.end()) found->second.push_back(static_cast<Index>(j));
    }
    return places;
}

class Matching {
  public:
    Matching(const PredictArguments& arguments, const Model& model, Matched& matched)
        : model_(model),
          matched_(matched),
          path_(arguments.data.data),
          places_(find_places(model, matched.table)),
          means_(matched.table.alleles.size(), std::numeric_limits<double>::quiet_NaN()) {
        for (const Variant& variant : model.variants) variants_.emplace(variant.name, &variant);
    }

    std::vector<double> run() {
        for (const Coefficient& coefficient : model_.coefficients) {
            const std::string& name =
                model_.features[static_cast<std::size_t>(coefficient.feature)];
            const auto known = variants_.find(name);
            if (known == variants_.end())
                take_covariate(name, coefficient);
            else
                take_variant(*known->second, coefficient);
        }
        refuse(missing_, "column", "not there");
        refuse(others_, "variant", "there with other alleles");
        if (turned_ > 0)
            matched_.notes.push_back(
                fmt::format("{} {} the other allele of the model's: taken as two less their number",
                            turned_, turned_ == 1 ? "variant counts" : "variants count"));
        return std::move(means_);
    }

  private:
    void take_covariate(const std::string& name, Coefficient coefficient) {
        const auto variants = static_cast<Index>(matched_.table.alleles.size());
        for (const Index j : places_[name])
            if (j >= variants) {
                coefficient.feature = j;
                matched_.coefficients.push_back(coefficient);
                return;
            }
        missing_.push_back(name);
    }

    void take_variant(const Variant& variant, Coefficient coefficient) {
        const auto& alleles = matched_.table.alleles;
        const auto variants = static_cast<Index>(alleles.size());
        for (const Index j : places_[variant.name]) {
            if (j >= variants) continue;
            const bool is_turned = are_turned(alleles[j], variant.alleles);
            if (!is_turned && !are_same(alleles[j], variant.alleles)) continue;
            coefficient.feature = j;
            means_[j] = is_turned ? 2 - variant.mean : variant.mean;
            if (is_turned) {  // b x = 2 b - b (2 - x)
                matched_.moved_intercept += 2 * coefficient.value;
                coefficient.value = -coefficient.value;
                ++turned_;
            }
            matched_.coefficients.push_back(coefficient);
            return;
        }
        (places_[variant.name].empty() ? missing_ : others_).push_back(variant.name);
    }

    void refuse(const std::vector<std::string>& names, const char* what, const char* why) const {
        if (names.empty()) return;
        throw InvalidArgument(fmt::format("{}: the model needs {} {}{} that {} {}: {}", path_,
                                          names.size(), what, names.size() == 1 ? "" : "s",
                                          names.size() == 1 ? "is" : "are", why, first_few(names)));
    }

    const Model& model_;
    Matched& matched_;
    const std::string& path_;
    Places places_;
    std::unordered_map<std::string, const Variant*> variants_;
    std::vector<double> means_;
    std::vector<std::string> missing_;
    std::vector<std::string> others_;
    Index turned_ = 0;
};

}  // namespace

Matched match_variants(const PredictArguments& arguments, const Model& model) {
    if (model.features.empty() || (model.variants.empty() && !model.coefficients.empty()))
        throw InvalidArgument(fmt::format("{}: the model was not fitted to genotypes, which {} has",
                                          arguments.model, arguments.data.data));
    io::ReadOptions options = read_options(arguments.data);
    options.threads = arguments.threads.value_or(0);
    options.weights_column = arguments.weights_column;
    options.target_may_be_missing = true;
    Matched matched;
    matched.table = read_table(arguments.data, options);
    const auto& y = matched.table.y;
    if (std::all_of(y.begin(), y.end(), [](double value) { return std::isnan(value); }))
        matched.table.y.clear();
    auto storage = std::make_shared<Storage>();
    storage->means = Matching(arguments, model, matched).run();
    storage->table = matched.table.storage;
    std::get<GenotypeView>(matched.table.X).means = storage->means.data();
    matched.table.storage = std::move(storage);
    for (const std::string& remark : matched.table.remarks) matched.notes.push_back(remark);
    return matched;
}

}  // namespace sven::cli
