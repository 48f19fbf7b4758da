#include "cli/simulation.hpp"

#include <algorithm>
#include <cmath>

#include "cli/draws.hpp"

namespace sven::cli {

namespace {

struct SparseStorage {
    std::vector<double> values;
    std::vector<std::int32_t> rows;
    std::vector<Index> offsets = {0};
};

// Autoregressive columns: corr(x_j, x_k) = rho^|j - k|.
void make_dense(const SimulationPlan& plan, Draws& random, io::Dataset& table) {
    auto block =
        std::make_shared<std::vector<double>>(static_cast<std::size_t>(plan.rows * plan.features));
    const double rest = std::sqrt(1 - plan.correlation * plan.correlation);
    for (Index j = 0; j < plan.features; ++j) {
        double* const column = block->data() + j * plan.rows;
        for (Index i = 0; i < plan.rows; ++i) {
            const double fresh = random.normal();
            column[i] = j == 0 ? fresh : plan.correlation * (column - plan.rows)[i] + rest * fresh;
        }
    }
    table.X = column_major(block->data(), plan.rows, plan.features);
    table.storage = block;
}

void make_sparse(const SimulationPlan& plan, Draws& random, io::Dataset& table) {
    auto storage = std::make_shared<SparseStorage>();
    // Gaps between entries are geometric, so that zeros cost no random numbers.
    const double log_empty = std::log1p(-plan.density);
    const auto gap = [&] { return std::floor(std::log(random.uniform()) / log_empty); };
    for (Index j = 0; j < plan.features; ++j) {
        double at = gap();
        while (at < static_cast<double>(plan.rows)) {
            storage->rows.push_back(static_cast<std::int32_t>(at));
            storage->values.push_back(random.normal());
            at += 1 + gap();
        }
        storage->offsets.push_back(static_cast<Index>(storage->values.size()));
    }
    table.X = SparseView{.values = storage->values.data(),
                         .indices = storage->rows.data(),
                         .offsets = storage->offsets.data(),
                         .scalar = Scalar::float64,
                         .index_width = IndexWidth::int32,
                         .offset_width = IndexWidth::int64,
                         .compression = Compression::columns,
                         .rows = plan.rows,
                         .cols = plan.features};
    table.storage = storage;
}

}  // namespace

std::vector<Coefficient> choose_truth(const SimulationPlan& plan, Draws& random) {
    std::vector<Index> places(static_cast<std::size_t>(plan.features));
    for (Index j = 0; j < plan.features; ++j) places[j] = j;
    std::vector<Coefficient> truth;
    for (Index k = 0; k < plan.nonzero; ++k) {
        std::swap(places[k], places[k + random.below(plan.features - k)]);
        const double size = 0.5 + 1.5 * random.uniform();
        truth.push_back({places[k], k % 2 == 0 ? size : -size, 0});
    }
    std::sort(truth.begin(), truth.end(),
              [](const Coefficient& a, const Coefficient& b) { return a.feature < b.feature; });
    return truth;
}

Simulation simulate(const SimulationPlan& plan) {
    Draws random(plan.seed);
    Simulation result;
    if (plan.density < 1)
        make_sparse(plan, random, result.table);
    else
        make_dense(plan, random, result.table);
    result.truth = choose_truth(plan, random);
    result.table.y = predict(result.table.X, 0, result.truth);
    for (double& value : result.table.y) value += plan.noise * random.normal();
    result.table.first_feature_number = 1;
    result.table.target_name.assign(1, 'y');
    return result;
}

}  // namespace sven::cli
