#include <fmt/format.h>

#include "cli/checks.hpp"
#include "cli/fold_choice.hpp"
#include "cli/interrupt.hpp"
#include "cli/json_reader.hpp"
#include "cli/load.hpp"
#include "cli/output_file.hpp"
#include "cli/run.hpp"

namespace sven::cli {

namespace {

// The fold of each row; empty where none were asked for.
std::vector<Index> folds_of_rows(const LoadedData& data, const GramArguments& arguments) {
    if (arguments.data.fold_column) return summable_folds(data, *arguments.data.fold_column);
    std::vector<Index> fold_of_row;
    if (!arguments.folds) return fold_of_row;
    CvArguments asked;
    asked.folds = arguments.folds;
    asked.seed = arguments.seed;
    const std::vector<Fold> folds = choose_folds(data, asked);
    fold_of_row.resize(data.y.size());
    for (std::size_t k = 0; k < folds.size(); ++k)
        for (const Index i : folds[k].test) fold_of_row[i] = static_cast<Index>(k);
    return fold_of_row;
}

Statistics sum_up_part(const DataArguments& source, const GramArguments& arguments) {
    SolverArguments solver;
    solver.threads = arguments.threads;
    const LoadedData data = load(source, solver);
    if (data.rows() == 0) return {};  // of a table that has fewer lines than parts
    const std::vector<Index> folds = folds_of_rows(data, arguments);
    return refusing_with_the_place(data, [&] {
        Statistics statistics(problem(data, solver), folds, options(solver));
        statistics.set_names(data.table.feature_names, data.target);
        return statistics;
    });
}

Statistics sum_up(const std::string& path, const GramArguments& arguments) {
    if (arguments.merges || io::holds_statistics(path)) return io::read_statistics(path);
    DataArguments source = arguments.data;
    source.data = path;
    source.parts = arguments.parts.value_or(1);
    Statistics total;
    for (; source.part < source.parts; ++source.part) total += sum_up_part(source, arguments);
    if (total.cols() == 0) throw InvalidArgument(shown_path(path) + ": there are no rows");
    return total;
}

std::string counted(Index count, const char* one, const char* several) {
    return fmt::format("{} {}", count, count == 1 ? one : several);
}

}  // namespace

int run(const GramArguments& arguments) {
    check(arguments);
    const Interruptible scope;
    OutputFiles files;
    OutputFile* const file = files.open(arguments.output);
    Statistics total;
    for (const std::string& path : arguments.files) {
        const Statistics statistics = sum_up(path, arguments);
        try {
            total += statistics;
        } catch (const InvalidArgument& error) {
            throw InvalidArgument(fmt::format("{}: {}", shown_path(path), error.what()));
        }
    }
    file->write(io::encode(total));
    std::string text = fmt::format(
        "{}: {} of {}, {}, {}", arguments.output, counted(total.rows(), "row", "rows"),
        counted(static_cast<Index>(arguments.files.size()), "file", "files"),
        counted(total.cols(), "feature", "features"),
        total.target_name().empty() ? "target unnamed" : "target " + total.target_name());
    if (!total.folds().empty())
        text +=
            fmt::format(", {}", counted(static_cast<Index>(total.folds().size()), "fold", "folds"));
    files.commit(text + fmt::format("; sums known up to {:.2g} of their size\n", total.rounding()));
    return 0;
}

}  // namespace sven::cli
