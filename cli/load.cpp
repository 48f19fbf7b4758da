#include "cli/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "cli/advice.hpp"
#include "cli/checks.hpp"
#include "cli/csv_text.hpp"
#include "cli/help_text.hpp"
#include "cli/interrupt.hpp"
#include "cli/json_reader.hpp"
#include "cli/limits.hpp"
#include "cli/probable_mistakes.hpp"

namespace sven::cli {

namespace {

void check_length(const std::string& path, std::size_t length, const std::string& data,
                  Index wanted, const char* of_what) {
    if (static_cast<Index>(length) == wanted) return;
    throw InvalidArgument(fmt::format("{} has {}, but {} has {}", path,
                                      counted(static_cast<Index>(length), "number"), data,
                                      counted(wanted, of_what)));
}

// Of numbers beside the rows of a file, those of the part that was read.
std::vector<double> in_part(std::vector<double> numbers, const std::string& path,
                            const TableArguments& arguments, const io::Dataset& table) {
    const bool is_whole = arguments.parts == 1;
    if (!is_whole && table.all_rows == 0)
        throw InvalidArgument(path + ": numbers beside a table of text are not read in parts");
    const Index rows = sven::rows(table.X);
    check_length(path, numbers.size(), arguments.data, is_whole ? rows : table.all_rows, "row");
    if (is_whole) return numbers;
    const auto begin = numbers.begin() + table.first_row;
    return {begin, begin + rows};
}

void take_response(const DataArguments& arguments, LoadedData& data) {
    if (arguments.y) {
        data.y = in_part(io::read_vector(*arguments.y, {.comment = arguments.comment}),
                         *arguments.y, arguments, data.table);
        data.target_description = "target from " + shown_path(*arguments.y);
        return;
    }
    if (data.table.y.empty() && sven::rows(data.table.X) > 0) {
        throw UsageError(
            fmt::format("{} holds no target; give it with --y FILE", shown_path(arguments.data)));
    }
    data.y = std::move(data.table.y);
    data.target = data.table.target_name;
    data.target_description =
        data.target.empty() ? "target: the first number of each line" : "target " + data.target;
    if (data.table.target_was_guessed)
        data.target_description += " (the last column; --target names another)";
}

// Classes become 0 and 1, counts become shares with their trials as weights.
void take_outcome(const DataArguments& arguments, LoadedData& data) {
    data.table.y = std::move(data.y);
    BinomialTarget target = binomial_target(data.table, data.path, arguments.positive.value_or(""));
    data.table.y.clear();
    data.y = std::move(target.y);
    data.classes = std::move(target.classes);
    if (!data.classes.empty())
        data.notes.push_back(
            fmt::format("classes {} and {}: probabilities are of {}; --positive names the other",
                        data.classes[0], data.classes[1], data.classes[1]));
    if (target.trials.empty()) return;
    data.target_description += fmt::format(" of {} and {}", data.target, data.failures_name);
    if (data.weights.empty()) data.weights.assign(data.y.size(), 1.0);
    for (std::size_t i = 0; i < data.y.size(); ++i) data.weights[i] *= target.trials[i];
}

void take_weights(const DataArguments& arguments, LoadedData& data) {
    std::string source = arguments.data;
    if (arguments.weights) {
        source = *arguments.weights;
        data.weights =
            in_part(io::read_vector(source, {.nonnegative = true, .comment = arguments.comment}),
                    source, arguments, data.table);
    } else {
        data.weights = std::move(data.table.weights);
    }
    const bool any =
        std::any_of(data.weights.begin(), data.weights.end(), [](double w) { return w > 0; });
    // a part may have none
    if (!data.weights.empty() && !any && arguments.parts == 1)
        throw InvalidArgument(source + ": the weights are all zero");
}

void take_factors(const DataArguments& arguments, LoadedData& data) {
    if (arguments.penalty_factors) {
        data.factors = io::read_vector(
            *arguments.penalty_factors,
            {.nonnegative = true, .allow_infinity = true, .comment = arguments.comment});
        check_length(*arguments.penalty_factors, data.factors.size(), arguments.data, data.cols(),
                     "feature");
    }
    if (arguments.unpenalized.empty() && !arguments.unpenalized_covariates) return;
    if (data.factors.empty()) data.factors.assign(static_cast<std::size_t>(data.cols()), 1.0);
    if (arguments.unpenalized_covariates)
        std::fill(data.factors.end() - data.table.covariates, data.factors.end(), 0.0);
    std::unordered_map<std::string, std::size_t> positions;
    for (Index j = 0; j < data.cols(); ++j) {
        positions.emplace(io::feature_name(data.table, j), static_cast<std::size_t>(j));
    }
    for (const std::string& name : arguments.unpenalized) {
        const auto found = positions.find(name);
        if (found == positions.end()) {
            throw InvalidArgument(
                fmt::format("{}: there is no feature \"{}\" to leave unpenalised{}", arguments.data,
                            name, did_you_mean(name, data.table.feature_names)));
        }
        data.factors[found->second] = 0;
    }
}

// Decisions made by default.
void take_notes(LoadedData& data) {
    if (data.table.has_row_names)
        data.notes.emplace_back("the first column has no name: taken as row names");
    if (data.table.dropped_rows > 0)
        data.notes.push_back(fmt::format("{} {} left out for lack of a value",
                                         data.table.dropped_rows,
                                         data.table.dropped_rows == 1 ? "row was" : "rows were"));
    if (data.table.imputed > 0)
        data.notes.push_back(
            fmt::format("{} missing {} filled in by the mean of the column, over all rows",
                        data.table.imputed, data.table.imputed == 1 ? "value" : "values"));
    if (const auto* const genotypes = std::get_if<GenotypeView>(&data.table.X))
        data.notes.push_back(fmt::format(
            "genotypes count allele {} of the .bim file, missing ones take the mean of their "
            "variant",
            genotypes->counted == Allele::a1 ? "A1" : "A2"));
    for (const std::string& remark : data.table.remarks) data.notes.push_back(remark);
    for (const io::Encoding::Levels& text : data.table.encoding.one_hot)
        data.notes.push_back(
            fmt::format("{}: {} {}, a feature for each{}", text.column, text.levels.size(),
                        text.levels.size() == 1 ? "text" : "texts",
                        text.has_reference ? " but the first, " + text.levels.front() : ""));
}

// The first value of a mapped matrix that is not finite. The library detects such a column when it
// sums it; only then is the matrix searched for the position.
struct Place {
    Index row = 0;
    Index column = 0;
    double value = 0;
};

template <class Number>
std::optional<Place> find_not_finite(const DenseView& X) {
    const auto* const numbers = static_cast<const Number*>(X.data);
    const bool by_columns = X.layout == Layout::column_major;
    const Index lines = by_columns ? X.cols : X.rows;
    const Index length = by_columns ? X.rows : X.cols;
    for (Index line = 0; line < lines; ++line) {
        for (Index k = 0; k < length; ++k) {
            const auto value = static_cast<double>(numbers[line * X.stride + k]);
            if (std::isfinite(value)) continue;
            return by_columns ? Place{k, line, value} : Place{line, k, value};
        }
    }
    return std::nullopt;
}

std::optional<Place> find_not_finite(const MatrixView& X) {
    const auto* const dense = std::get_if<DenseView>(&X);
    if (dense == nullptr || dense->scalar == Scalar::int8) return std::nullopt;
    return dense->scalar == Scalar::float64 ? find_not_finite<double>(*dense)
                                            : find_not_finite<float>(*dense);
}

}  // namespace

std::string describe_refusal(const LoadedData& data, const InvalidArgument& error) {
    if (const auto place = find_not_finite(data.table.X)) {
        return fmt::format("{}: row {}, column {} (counted from 0) is {}, which is not finite",
                           data.path, place->row, place->column, place->value);
    }
    return fmt::format("{}: {}", data.path, error.what());
}

io::ReadOptions read_options(const TableArguments& arguments) {
    io::ReadOptions options;
    options.target = arguments.target;
    options.id_column = arguments.id;
    options.drop = arguments.drop;
    options.has_response = !arguments.y.has_value();
    options.transpose = arguments.transpose;
    options.impute_mean = arguments.impute_mean;
    options.one_hot = arguments.one_hot;
    options.one_hot_columns = arguments.one_hot_columns;
    options.one_hot_drop_first = arguments.one_hot_drop_first;
    options.drop_missing = arguments.drop_missing;
    options.dates = arguments.dates;
    options.decimal = arguments.decimal;
    options.thousands = arguments.thousands;
    options.zero_based = arguments.zero_based;
    options.comment = arguments.comment;
    options.part = arguments.part;
    options.parts = arguments.parts;
    options.counted_allele = arguments.count_allele;
    options.phenotypes = arguments.phenotypes;
    options.phenotype_name = arguments.phenotype_name;
    options.covariates = arguments.covariates;
    return options;
}

io::Dataset read_table(const TableArguments& arguments, const io::ReadOptions& options) {
    try {
        io::Dataset table = io::read(arguments.data, options);
        if (arguments.zero_based && io::format_of(arguments.data) != io::Format::svmlight &&
            !std::holds_alternative<SparseView>(table.X)) {
            throw UsageError(
                fmt::format("--zero-based is for svmlight files, which {} is not", arguments.data));
        }
        return table;
    } catch (const ParseError& error) {
        const std::string advice = advice_on(error, arguments.data, options);
        if (advice.empty()) throw;
        throw ParseError(error.what() + advice);
    }
}

std::vector<double> read_response(const TableArguments& arguments, Index rows) {
    std::vector<double> y = io::read_vector(*arguments.y, {.comment = arguments.comment});
    check_length(*arguments.y, y.size(), arguments.data, rows, "row");
    return y;
}

void take_features(const DataArguments& arguments, LoadedData& data) {
    take_factors(arguments, data);
    take_limits(arguments, data);
}

LoadedData statistics_in_place(const DataArguments& arguments, Statistics statistics) {
    LoadedData data;
    data.path = shown_path(arguments.data);
    data.statistics = std::move(statistics);
    data.table.feature_names = data.statistics->feature_names();
    data.target = data.statistics->target_name();
    data.target_description =
        data.target.empty() ? "target from the statistics" : "target " + data.target;
    take_features(arguments, data);
    data.notes.push_back(fmt::format("sums of the rows, known up to {:.2g} of their size",
                                     data.statistics->rounding()));
    return data;
}

LoadedData load(const DataArguments& arguments, const SolverArguments& solver) {
    if (io::holds_statistics(arguments.data)) {
        refuse_rows(arguments);
        return statistics_in_place(arguments, io::read_statistics(arguments.data));
    }
    LoadedData data;
    data.path = shown_path(arguments.data);
    io::ReadOptions options = read_options(arguments);
    options.weights_column = arguments.weights_column;
    options.fold_column = arguments.fold_column ? arguments.fold_column : arguments.groups_column;
    options.offset_column = arguments.offset;
    options.threads = solver.threads.value_or(0);
    // what is solved needs memory too
    if (solver.memory) options.load_limit = static_cast<Index>(*solver.memory / 4);
    if (solver.family == Family::binomial) {
        options.target_may_be_text = !arguments.y;
        const auto [successes, failures] = split_counts(arguments.target.value_or(""));
        data.failures_name = failures;
        if (!failures.empty()) {
            options.target = successes;
            options.failures_column = failures;
        }
    }
    data.table = read_table(arguments, options);
    take_response(arguments, data);
    take_weights(arguments, data);
    if (solver.family == Family::binomial) take_outcome(arguments, data);
    take_features(arguments, data);
    data.offset = std::move(data.table.offset);
    data.offset_name = arguments.offset.value_or("");
    take_notes(data);
    data.warnings = probable_mistakes(data, solver.family);
    const std::string numbers = arguments.transpose ? "" : numbers_as_names(data.table);
    if (!numbers.empty()) data.warnings.push_back(numbers);
    // the user asked for a GPU if available
    const std::string missing =
        solver.device == Device::automatic ? why_no_device() : std::string();
    if (!missing.empty()) fmt::print(stderr, "sven: computing on the CPU: {}\n", missing);
    return data;
}

Problem problem(const LoadedData& data, const SolverArguments& solver) {
    Problem problem;
    problem.X = data.matrix();
    if (data.statistics) problem.statistics = &*data.statistics;
    problem.y = data.y;
    problem.weights = data.weights;
    problem.penalty_factors = data.factors;
    problem.nonnegative = solver.nonnegative;
    problem.lower = data.lower;
    problem.upper = data.upper;
    problem.offset = data.offset;
    problem.family = solver.family;
    problem.intercept = !solver.no_intercept;
    problem.standardize = !solver.no_standardize;
    return problem;
}

std::vector<double> fitted_means(const LoadedData& data, Family family, const Solution& solution) {
    if (data.statistics) return {};
    std::vector<double> fitted = predict(data.matrix(), solution);
    for (std::size_t i = 0; i < data.offset.size(); ++i) fitted[i] += data.offset[i];
    transform_predictions(family, Prediction::response, fitted);
    return fitted;
}

Options options(const SolverArguments& solver) {
    Options options;
    options.method = solver.method;
    options.svm = solver.svm;
    // What LIBLINEAR reaches in double precision with its own stopping rule.
    if (options.svm == Svm::liblinear) options.tolerance = 1e-8;
    options.tolerance = solver.tolerance.value_or(options.tolerance);
    options.threads = solver.threads.value_or(0);
    options.cancel = &cancel_token();
    options.device = solver.device;
    options.proofs = !solver.memory;  // a byte for each feature and setting
    return options;
}

}  // namespace sven::cli
