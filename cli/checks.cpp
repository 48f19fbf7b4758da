#include "cli/checks.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cli/checkpoint_file.hpp"
#include "cli/write_table.hpp"

namespace sven::cli {

namespace {

void refuse_both(bool one, const char* one_name, bool other, const char* other_name) {
    if (one && other)
        throw UsageError(fmt::format("{} and {} exclude each other", one_name, other_name));
}

void check_nonnegative(const std::optional<double>& value, const char* name,
                       bool may_be_infinite = false) {
    if (!value) return;
    if (std::isnan(*value) || (std::isinf(*value) && !(may_be_infinite && *value > 0))) {
        throw UsageError(fmt::format("{} is {}, but it must be a finite number", name, *value));
    }
    if (*value < 0)
        throw UsageError(fmt::format("{} is {}, but it must not be negative", name, *value));
}

void check_alpha(const std::optional<double>& alpha) {
    if (alpha && !(*alpha >= 0 && *alpha <= 1)) {
        throw UsageError(fmt::format("--alpha is {}, but it must lie between 0 and 1", *alpha));
    }
}

void check_relax(const RelaxArguments& relax, bool takes_several) {
    if (!relax.gammas.empty() && !relax.is_asked) throw UsageError("--gamma needs --relax too");
    if (relax.gammas.size() > 1 && !takes_several)
        throw UsageError("--gamma takes one number here; sven cv chooses among several");
    for (const double gamma : relax.gammas)
        if (!(gamma >= 0 && gamma <= 1))
            throw UsageError(fmt::format("--gamma is {}, but it must lie between 0 and 1", gamma));
}

void check_table(const TableArguments& table) {
    refuse_both(table.transpose, "--transpose", table.one_hot, "--one-hot");
    refuse_both(table.transpose, "--transpose", table.drop_missing, "--drop-missing");
    refuse_both(table.transpose, "--transpose", !table.dates.empty(), "--date");
    if (table.decimal == table.thousands)
        throw UsageError("--decimal and --thousands cannot be the same character");
    const bool is_plink = io::format_of(table.data) == io::Format::plink;
    for (const auto& [is_given, name] :
         {std::pair(table.phenotypes.has_value(), "--pheno"),
          std::pair(table.covariates.has_value(), "--covariates"),
          std::pair(table.count_allele != Allele::a1, "--count-allele")})
        if (is_given && !is_plink)
            throw UsageError(
                fmt::format("{} is for PLINK .bed files, which {} is not", name, table.data));
    if (table.phenotype_name && !table.phenotypes)
        throw UsageError("--pheno-name needs --pheno too");
    refuse_both(table.phenotypes.has_value(), "--pheno", table.y.has_value(), "--y");
    if (table.one_hot_drop_first && !table.one_hot)
        throw UsageError("--one-hot-drop-first needs --one-hot too");
}

void check_data(const DataArguments& data) {
    check_table(data);
    refuse_both(data.target.has_value(), "--target", data.y.has_value(), "--y");
    if (data.unpenalized_covariates && !data.covariates)
        throw UsageError("--unpenalized-covariates needs --covariates too");
    refuse_both(data.weights.has_value(), "--weights", data.weights_column.has_value(),
                "--weights-column");
}

void check_target(const DataArguments& data, const SolverArguments& solver) {
    if (data.positive && solver.family != Family::binomial)
        throw UsageError("--positive is for --family binomial");
}

void check_output_format(const std::string& path) {
    const io::Format format = io::format_of(path);
    if (format == io::Format::automatic || format == io::Format::hdf5)
        throw UsageError(
            fmt::format("the ending of {} names no format; .csv .tsv .svm .mtx .npy "
                        "and .npz do",
                        path));
}

void check_threads(const std::optional<int>& threads) {
    if (threads && *threads < 1)
        throw UsageError(fmt::format("--threads is {}, but it must be at least 1", *threads));
}

void check_solver(const SolverArguments& solver) {
    if (solver.tolerance && !(*solver.tolerance > 0 && std::isfinite(*solver.tolerance))) {
        throw UsageError(
            fmt::format("--tolerance is {}, but it must be above zero", *solver.tolerance));
    }
    check_threads(solver.threads);
    if (solver.svm == Svm::liblinear && !has_liblinear()) {
        throw UsageError("--svm liblinear is not in this build");
    }
}

// The options of different forms exclude each other.
void check_form(const SettingArguments& given) {
    refuse_both(given.t.has_value(), "--t", given.lambda1.has_value(), "--lambda1");
    refuse_both(given.t.has_value(), "--t", given.lambda.has_value(), "--lambda");
    refuse_both(given.lambda1.has_value(), "--lambda1", given.lambda.has_value(), "--lambda");
    if (!given.t && !given.lambda1 && !given.lambda) {
        throw UsageError(
            "give a setting: --t T --lambda2 L, or --lambda1 L --lambda2 L, or --lambda L");
    }
    if (given.lambda) {
        refuse_both(true, "--lambda", given.lambda2.has_value(), "--lambda2");
        return;
    }
    const char* const form = given.t ? "--t" : "--lambda1";
    refuse_both(true, form, given.alpha.has_value(), "--alpha");
    refuse_both(true, form, given.glmnet, "--glmnet");
    if (!given.lambda2)
        throw UsageError(fmt::format("{} needs --lambda2 too, 0 for the Lasso", form));
}

void check_grid(const GridArguments& grid) {
    refuse_both(grid.lambdas.has_value(), "--lambdas", grid.settings.has_value(), "--settings");
    if (grid.n_lambda || grid.lambda_min_ratio) {
        const char* const name = grid.n_lambda ? "--n-lambda" : "--lambda-min-ratio";
        refuse_both(true, name, grid.lambdas.has_value(), "--lambdas");
        refuse_both(true, name, grid.settings.has_value(), "--settings");
    }
    refuse_both(grid.settings.has_value(), "--settings", grid.glmnet, "--glmnet");
    if (grid.n_lambda && *grid.n_lambda < 1) {
        throw UsageError(
            fmt::format("--n-lambda is {}, but it must be at least 1", *grid.n_lambda));
    }
    const auto& ratio = grid.lambda_min_ratio;
    if (ratio && !(*ratio > 0 && *ratio < 1)) {
        throw UsageError(
            fmt::format("--lambda-min-ratio is {}, but it must lie between 0 and 1", *ratio));
    }
}

void check_hold_out(const HoldOutArguments& hold_out) {
    refuse_both(hold_out.file.has_value(), "--test", hold_out.share.has_value(), "--test-share");
    if (hold_out.share && !(*hold_out.share > 0 && *hold_out.share < 1))
        throw UsageError(
            fmt::format("--test-share is {}, but it must lie between 0 and 1", *hold_out.share));
}

void check_folds(const CvArguments& given) {
    const bool has_column = given.data.fold_column.has_value();
    const bool has_groups = given.data.groups_column.has_value();
    refuse_both(has_column, "--fold-column", given.folds.has_value(), "--folds");
    refuse_both(has_column, "--fold-column", has_groups, "--folds-by");
    for (const auto& [is_given, name] : {std::pair(has_column, "--fold-column"),
                                         std::pair(given.time_ordered, "--time-ordered")}) {
        refuse_both(is_given, name, given.stratified, "--stratified");
        refuse_both(is_given, name, given.repeats.has_value(), "--repeats");
        if (!given.hold_out.share) refuse_both(is_given, name, given.seed.has_value(), "--seed");
    }
    refuse_both(has_column, "--fold-column", given.time_ordered, "--time-ordered");
    refuse_both(has_groups, "--folds-by", given.time_ordered, "--time-ordered");
    refuse_both(has_groups, "--folds-by", given.stratified, "--stratified");
    refuse_both(given.repeats.has_value(), "--repeats", given.ungrouped, "--ungrouped");
    if (given.folds && *given.folds < 2)
        throw UsageError(fmt::format("--folds is {}, but it must be at least 2", *given.folds));
    if (given.repeats && *given.repeats < 1)
        throw UsageError(fmt::format("--repeats is {}, but it must be at least 1", *given.repeats));
}

void check_measure(Measure measure, Family family) {
    const bool needs_classes = measure == Measure::classification || measure == Measure::auc;
    if (needs_classes && family != Family::binomial)
        throw UsageError(fmt::format("--measure {} is for --family binomial", name(measure)));
}

}  // namespace

void check(const FitArguments& arguments) {
    check_data(arguments.data);
    check_distribution(arguments);
    check_hold_out(arguments.hold_out);
    refuse_both(arguments.output.json, "--json", arguments.hold_out.file.has_value(), "--test");
    refuse_both(arguments.output.json, "--json", arguments.hold_out.share.has_value(),
                "--test-share");
    if (arguments.seed && !arguments.hold_out.share) throw UsageError("--seed is for --test-share");
    check_solver(arguments.solver);
    check_target(arguments.data, arguments.solver);
    check_relax(arguments.relax, false);
    const SettingArguments& given = arguments.setting;
    check_form(given);
    check_nonnegative(given.t, "--t", true);
    check_nonnegative(given.lambda1, "--lambda1");
    check_nonnegative(given.lambda2, "--lambda2");
    check_nonnegative(given.lambda, "--lambda");
    check_alpha(given.alpha);
}

void check(const PathArguments& arguments) {
    check_data(arguments.data);
    check_distribution(arguments);
    check_solver(arguments.solver);
    check_target(arguments.data, arguments.solver);
    check_relax(arguments.relax, false);
    const GridArguments& grid = arguments.grid;
    check_grid(grid);
    refuse_both(grid.settings.has_value(), "--settings", grid.alpha.has_value(), "--alpha");
    refuse_both(grid.distinct.has_value(), "--distinct", grid.settings.has_value(), "--settings");
    refuse_both(grid.distinct.has_value(), "--distinct", grid.lambdas.has_value(), "--lambdas");
    if (grid.distinct && *grid.distinct < 1) {
        throw UsageError(
            fmt::format("--distinct is {}, but it must be at least 1", *grid.distinct));
    }
    check_alpha(grid.alpha);
    check_checkpoint(arguments.output, arguments.solver.svm, {arguments.csv});
}

void check(const CvArguments& arguments) {
    check_data(arguments.data);
    check_distribution(arguments);
    check_solver(arguments.solver);
    check_target(arguments.data, arguments.solver);
    check_grid(arguments.grid);
    check_hold_out(arguments.hold_out);
    if (arguments.solver.svm != Svm::newton)
        throw UsageError("--svm liblinear is for fit and path, not for cv");
    check_measure(arguments.measure, arguments.solver.family);
    for (const double alpha : arguments.alphas) check_alpha(alpha);
    check_relax(arguments.relax, true);
    check_folds(arguments);
    check_checkpoint(arguments.output, arguments.solver.svm, {arguments.save, arguments.oof});
}

void check(const PredictArguments& arguments) {
    check_table(arguments.data);
    refuse_both(arguments.data.target.has_value(), "--target", arguments.data.y.has_value(), "--y");
    check_threads(arguments.threads);
}

void check(const AssessArguments& arguments) {
    check(arguments.rows);
}

void check(const ConvertArguments& arguments) {
    check_table(arguments.table);
    refuse_both(arguments.table.target.has_value(), "--target", arguments.table.y.has_value(),
                "--y");
    check_threads(arguments.threads);
    if (io::format_of(arguments.table.data) == io::Format::plink ||
        io::format_of(arguments.output) == io::Format::plink)
        throw UsageError("PLINK files are not converted here; plink2 --export and --import do");
    check_output_format(arguments.output);
}

void check(const GramArguments& arguments) {
    check_data(arguments.data);
    check_threads(arguments.threads);
    refuse_both(arguments.data.fold_column.has_value(), "--fold-column",
                arguments.folds.has_value(), "--folds");
    if (arguments.seed && !arguments.folds) throw UsageError("--seed is for --folds");
    if (arguments.parts && *arguments.parts < 1)
        throw UsageError(fmt::format("--parts is {}, but it must be at least 1", *arguments.parts));
    if (arguments.folds && arguments.parts.value_or(1) > 1)
        throw UsageError("--folds deals out whole files; beside --parts give --fold-column");
    if (arguments.folds && *arguments.folds < 2)
        throw UsageError(fmt::format("--folds is {}, but it must be at least 2", *arguments.folds));
    const std::vector<std::pair<bool, const char*>> for_one_file = {
        {arguments.data.y.has_value(), "--y"},
        {arguments.data.weights.has_value(), "--weights"},
        {arguments.data.impute_mean, "--impute"}};
    for (const auto& [is_given, name] : for_one_file)
        if (is_given && arguments.files.size() > 1)
            throw UsageError(fmt::format("{} is for one data file, not for several", name));
    for (const char* const option : data_options(arguments.data))
        refuse_both(arguments.merges, "--merge", true, option);
    refuse_both(arguments.merges, "--merge", arguments.folds.has_value(), "--folds");
    if (arguments.output != "-" && io::format_of(arguments.output) != io::Format::npz)
        throw UsageError(fmt::format(
            "statistics are written to .npz files, which {} is not by its name", arguments.output));
}

void check(const SimulateArguments& arguments) {
    const bool is_plink = arguments.plink || io::format_of(arguments.output) == io::Format::plink;
    if (!is_plink) check_output_format(arguments.output);
    if (arguments.missing && !is_plink) throw UsageError("--missing needs --plink too");
    if (arguments.missing && !(*arguments.missing >= 0 && *arguments.missing < 1))
        throw UsageError(fmt::format("--missing is {}, but it must lie from 0 up to below 1",
                                     *arguments.missing));
    refuse_both(is_plink, "--plink", arguments.density.has_value(), "--density");
    const auto check_count = [](const std::optional<int>& count, const char* name, int least) {
        if (count && *count < least)
            throw UsageError(
                fmt::format("{} is {}, but it must be at least {}", name, *count, least));
    };
    check_count(arguments.rows, "--rows", 1);
    check_count(arguments.features, "--features", 1);
    check_count(arguments.nonzero, "--nonzero", 0);
    check_nonnegative(arguments.noise, "--noise");
    if (arguments.nonzero && *arguments.nonzero > arguments.features.value_or(20))
        throw UsageError("--nonzero is more than there are features");
    const auto& density = arguments.density;
    if (density && !(*density > 0 && *density <= 1))
        throw UsageError(
            fmt::format("--density is {}, but it must lie above 0 and up to 1", *density));
    const auto& correlation = arguments.correlation;
    if (correlation && !(*correlation > -1 && *correlation < 1))
        throw UsageError(
            fmt::format("--correlation is {}, but it must lie between -1 and 1", *correlation));
    refuse_both(density.value_or(1) < 1, "--density", correlation.has_value(), "--correlation");
    if (!is_plink && !arguments.y_output && !has_place_for_target(io::format_of(arguments.output)))
        throw UsageError(
            fmt::format("{} has no place for the target; give --y-out FILE", arguments.output));
}

Setting setting(const SettingArguments& given) {
    if (given.t) return Budget{.t = *given.t, .l2 = *given.lambda2};
    if (given.lambda1) return Penalty{.l1 = *given.lambda1, .l2 = *given.lambda2};
    return Mixing{.lambda = *given.lambda,
                  .alpha = given.alpha.value_or(1),
                  .convention = given.glmnet ? Convention::glmnet : Convention::documented};
}

std::string form_name(const Setting& setting) {
    if (std::holds_alternative<Budget>(setting)) return "budget";
    if (std::holds_alternative<Penalty>(setting)) return "penalty";
    return std::get<Mixing>(setting).convention == Convention::glmnet ? "glmnet" : "mixing";
}

}  // namespace sven::cli
