#include <fmt/format.h>

#include "cli/checks.hpp"
#include "cli/csv_text.hpp"
#include "cli/interrupt.hpp"
#include "cli/run.hpp"
#include "cli/simulate_genotypes.hpp"
#include "cli/write_table.hpp"

namespace sven::cli {

namespace {

SimulationPlan plan_of(const SimulateArguments& arguments) {
    SimulationPlan plan;
    plan.rows = arguments.rows.value_or(static_cast<int>(plan.rows));
    plan.features = arguments.features.value_or(static_cast<int>(plan.features));
    plan.nonzero =
        arguments.nonzero.value_or(static_cast<int>(std::min(plan.nonzero, plan.features)));
    plan.correlation = arguments.correlation.value_or(plan.correlation);
    plan.noise = arguments.noise.value_or(plan.noise);
    plan.density = arguments.density.value_or(plan.density);
    plan.missing = arguments.missing.value_or(plan.missing);
    plan.seed = arguments.seed.value_or(plan.seed);
    return plan;
}

std::string truth_text(const Simulation& simulation) {
    std::string text = "feature,coefficient\n";
    for (const Coefficient& coefficient : simulation.truth)
        text += fmt::format("{},{}\n", io::feature_name(simulation.table, coefficient.feature),
                            coefficient.value);
    return text;
}

// OUT.bed, OUT.bim and OUT.fam; OUT may end in .bed already.
int run_plink(const SimulateArguments& arguments, const SimulationPlan& plan) {
    const std::string& out = arguments.output;
    const std::string stem = out.ends_with(".bed") ? out.substr(0, out.size() - 4) : out;
    const Interruptible scope;
    OutputFiles files;
    OutputFile* const bed = files.open(stem + ".bed");
    OutputFile* const bim = files.open(stem + ".bim");
    OutputFile* const fam = files.open(stem + ".fam");
    OutputFile* const y_file = files.open(arguments.y_output);
    OutputFile* const truth_file = files.open(arguments.truth);
    const Simulation simulation = simulate_genotypes(plan);
    bed->write(bed_text(simulation));
    bim->write(bim_text(simulation));
    fam->write(fam_text(simulation));
    if (y_file != nullptr) write_vector(simulation.table.y, *arguments.y_output, *y_file);
    if (truth_file != nullptr) truth_file->write(truth_text(simulation));
    files.commit(fmt::format(
        "{}.bed: {} people, {} variants, {} of them with a coefficient, {:g} % missing, noise {}, "
        "seed {}\n",
        stem, counted(plan.rows, "row"), counted(plan.features, "feature"), plan.nonzero,
        100 * plan.missing, plan.noise, plan.seed));
    return 0;
}

}  // namespace

int run(const SimulateArguments& arguments) {
    check(arguments);
    const SimulationPlan plan = plan_of(arguments);
    if (arguments.plink || io::format_of(arguments.output) == io::Format::plink)
        return run_plink(arguments, plan);
    const Interruptible scope;
    OutputFiles files;
    OutputFile* const file = files.open(arguments.output);
    OutputFile* const y_file = files.open(arguments.y_output);
    OutputFile* const truth_file = files.open(arguments.truth);
    const Simulation simulation = simulate(plan);
    const std::vector<double> nothing;
    const bool has_place = keeps_target(io::format_of(arguments.output), y_file != nullptr);
    write_table({simulation.table, has_place ? simulation.table.y : nothing, "y"}, arguments.output,
                *file);
    if (y_file != nullptr) write_vector(simulation.table.y, *arguments.y_output, *y_file);
    if (truth_file != nullptr) truth_file->write(truth_text(simulation));
    files.commit(fmt::format("{}: {}, {}, {} of them with a coefficient, noise {}, seed {}\n",
                             arguments.output, counted(plan.rows, "row"),
                             counted(plan.features, "feature"), plan.nonzero, plan.noise,
                             plan.seed));
    return 0;
}

}  // namespace sven::cli
