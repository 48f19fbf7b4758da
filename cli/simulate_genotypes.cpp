#include "cli/simulate_genotypes.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>

#include "cli/draws.hpp"

namespace sven::cli {

namespace {

constexpr double rarest = 0.05;
constexpr double commonest = 0.5;
constexpr std::array<const char*, 4> bases{"A", "C", "G", "T"};

// z with P(normal < z) = share, by bisection.
double normal_quantile(double share) {
    double low = -10, high = 10;
    for (int step = 0; step < 60; ++step) {
        const double middle = (low + high) / 2;
        (std::erfc(-middle / std::numbers::sqrt2) / 2 < share ? low : high) = middle;
    }
    return low;
}

// The alleles that a person has from both sides: 1 where a hidden normal number, correlated with
// that of the variant before, is below the quantile of the allele's frequency.
class Haplotypes {
  public:
    Haplotypes(const SimulationPlan& plan, Draws& random)
        : random_(random),
          correlation_(plan.correlation),
          hidden_(static_cast<std::size_t>(2 * plan.rows)) {
        for (double& z : hidden_) z = random.normal();
    }
    void next_variant(double frequency) {
        limit_ = normal_quantile(frequency);
        const double rest = std::sqrt(1 - correlation_ * correlation_);
        for (double& z : hidden_) z = correlation_ * z + rest * random_.normal();
    }
    int alleles(Index person) const {
        const auto at = static_cast<std::size_t>(2 * person);
        return (hidden_[at] < limit_ ? 1 : 0) + (hidden_[at + 1] < limit_ ? 1 : 0);
    }

  private:
    Draws& random_;
    double correlation_;
    double limit_ = 0;
    std::vector<double> hidden_;
};

}  // namespace

Simulation simulate_genotypes(const SimulationPlan& plan) {
    Draws random(plan.seed);
    Haplotypes people(plan, random);
    GenotypeView X;
    X.people = plan.rows;
    X.variants = plan.features;
    X.stride = (plan.rows + 3) / 4;
    auto bytes = std::make_shared<std::vector<unsigned char>>(
        static_cast<std::size_t>(X.stride * X.variants));
    Simulation result;
    for (Index j = 0; j < plan.features; ++j) {
        people.next_variant(rarest + (commonest - rarest) * random.uniform());
        for (Index i = 0; i < plan.rows; ++i) {
            const int alleles = people.alleles(i);
            const bool is_missing = random.uniform() < plan.missing;
            const int code = is_missing ? 1 : alleles == 2 ? 0 : 3 - alleles;
            auto& byte = (*bytes)[static_cast<std::size_t>(j * X.stride + i / 4)];
            byte = static_cast<unsigned char>(byte | code << (2 * (i % 4)));
        }
        const Index first = random.below(4);
        const Index second = (first + 1 + random.below(3)) % 4;
        result.table.alleles.push_back({bases[first], bases[second]});
        result.table.feature_names.push_back(fmt::format("rs{}", j + 1));
    }
    X.data = bytes->data();
    result.table.X = X;
    result.table.storage = std::move(bytes);
    result.truth = choose_truth(plan, random);
    result.table.y = predict(result.table.X, 0, result.truth);
    for (double& value : result.table.y) value += plan.noise * random.normal();
    return result;
}

std::string bed_text(const Simulation& simulation) {
    const auto& X = std::get<GenotypeView>(simulation.table.X);
    std::string text = "\x6c\x1b\x01";
    text.append(static_cast<const char*>(X.data), static_cast<std::size_t>(X.stride * X.variants));
    return text;
}

std::string bim_text(const Simulation& simulation) {
    std::string text;
    for (std::size_t j = 0; j < simulation.table.alleles.size(); ++j) {
        const io::Alleles& alleles = simulation.table.alleles[j];
        fmt::format_to(std::back_inserter(text), "1\t{}\t0\t{}\t{}\t{}\n",
                       simulation.table.feature_names[j], 1000 * (j + 1), alleles.counted,
                       alleles.other);
    }
    return text;
}

std::string fam_text(const Simulation& simulation) {
    std::string text;
    for (std::size_t i = 0; i < simulation.table.y.size(); ++i)
        fmt::format_to(std::back_inserter(text), "F{0}\tP{0}\t0\t0\t{1}\t{2}\n", i + 1, 1 + i % 2,
                       simulation.table.y[i]);
    return text;
}

}  // namespace sven::cli
