#include "cli/distributed.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <numeric>

#include "cli/checks.hpp"
#include "cli/fold_choice.hpp"
#include "cli/interrupt.hpp"
#include "cli/json_reader.hpp"

namespace sven::cli {

namespace {

// The rows that a rank reads.
DataArguments part_of(const DataArguments& arguments, const Communicator& ranks) {
    DataArguments own = whole_file_of(arguments, ranks);
    if (is_list_of_files(arguments)) return own;
    own.part = ranks.rank();
    own.parts = ranks.size();
    return own;
}

// Text of which the number of rows of a table is guessed.
constexpr std::uintmax_t looked_at_bytes = std::uintmax_t{1} << 20;

// What passes between the ranks: sums of p^2 numbers a fold, or n numbers a product with X and a
// selected feature, of which there are at most n and p. Files that have no rows of their own are
// read by columns; so are those that are wrong, by the ranks that will say so.
bool has_more_columns(const DataArguments& arguments, const SolverArguments& solver) {
    const io::Format format = io::format_of(arguments.data);
    if (format == io::Format::plink || format == io::Format::npz ||
        format == io::Format::svmlight || format == io::Format::matrix_market)
        return true;
    try {
        DataArguments first = arguments;
        first.distribution = Distribution::none;
        const std::uintmax_t size = std::filesystem::file_size(arguments.data);
        first.parts = static_cast<Index>(std::max<std::uintmax_t>(1, size / looked_at_bytes));
        const LoadedData data = load(first, solver);
        const Index rows = std::max(data.table.all_rows, data.rows() * first.parts);
        return data.cols() > rows;
    } catch (const std::exception&) {
        return true;
    }
}

// Rank 0 looks, and all do the same.
Distribution chosen(const DataArguments& arguments, const SolverArguments& solver,
                    const DealtFolds& folds, Communicator& ranks) {
    if (arguments.distribution != Distribution::automatic) return arguments.distribution;
    Traffic traffic;
    const std::vector<Index> verdict = gather_on_all(
        ranks,
        [&]() -> Index {
            if (ranks.rank() != 0) return 0;
            return !folds.do_sums_serve || has_more_columns(arguments, solver) ? 1 : 0;
        },
        traffic);
    return verdict.front() == 1 ? Distribution::columns : Distribution::rows;
}

// Of the rows from `first` on, as one file of `all` rows would be dealt out.
std::vector<Index> dealt_out(const DealtFolds& folds, Index all, Index first, Index rows) {
    std::vector<Index> fold_of_row(static_cast<std::size_t>(rows));
    const std::vector<Fold> dealt = make_folds(all, *folds.count, folds.seed.value_or(1));
    for (std::size_t k = 0; k < dealt.size(); ++k)
        for (const Index i : dealt[k].test)
            if (i >= first && i < first + rows) fold_of_row[i - first] = static_cast<Index>(k);
    return fold_of_row;
}

// Rank 0 goes on alone. When it ends first, mpirun ends the others by a signal: nothing to tell.
[[noreturn]] void stand_by() {
    pass_over_signals(true);
    throw Bystander{};
}

LoadedData summed(const DataArguments& arguments, const SolverArguments& solver,
                  const DealtFolds& folds, Communicator& ranks) {
    Traffic traffic;
    LoadedData mine;
    const std::vector<Index> rows = gather_on_all(
        ranks,
        [&] {
            mine = load(part_of(arguments, ranks), solver);
            return mine.rows();
        },
        traffic);
    const Index all = std::accumulate(rows.begin(), rows.end(), Index{0});
    const Index first = std::accumulate(rows.begin(), rows.begin() + ranks.rank(), Index{0});
    const auto sum_up = [&] {
        if (mine.rows() == 0) return Statistics();
        std::vector<Index> fold_of_row;
        if (folds.count) fold_of_row = dealt_out(folds, all, first, mine.rows());
        if (arguments.fold_column) fold_of_row = summable_folds(mine, *arguments.fold_column);
        return refusing_with_the_place(mine, [&] {
            Statistics statistics(problem(mine, solver), fold_of_row, options(solver));
            statistics.set_names(mine.table.feature_names, mine.target);
            return statistics;
        });
    };
    const Statistics total = sum_on_root(ranks, sum_up, traffic);
    if (ranks.rank() != 0) stand_by();
    if (total.cols() == 0) throw InvalidArgument(arguments.data + ": there are no rows");
    LoadedData data = statistics_in_place(arguments, total);
    data.notes.push_back(fmt::format("rows of {} {}, which sent {} messages of {} bytes in all",
                                     ranks.size(), ranks.size() == 1 ? "rank" : "ranks",
                                     traffic.messages, traffic.bytes));
    return data;
}

}  // namespace

DataArguments whole_file_of(const DataArguments& arguments, const Communicator& ranks) {
    DataArguments own = arguments;
    own.distribution = Distribution::none;
    const std::string mark = "{rank}";
    const std::size_t at = own.data.find(mark);
    if (at != std::string::npos) own.data.replace(at, mark.size(), std::to_string(ranks.rank()));
    return own;
}

LoadedData load_distributed(const DataArguments& arguments, const SolverArguments& solver,
                            const DealtFolds& folds) {
    std::shared_ptr<Communicator> ranks = all_ranks();
    try {
        if (chosen(arguments, solver, folds, *ranks) == Distribution::columns)
            return load_columns(arguments, solver, ranks);
        LoadedData data = summed(arguments, solver, folds, *ranks);
        data.ranks = std::move(ranks);  // which end together
        return data;
    } catch (const InvalidArgument&) {  // known to all, told by one
        if (ranks->rank() != 0) stand_by();
        throw;
    }
}

}  // namespace sven::cli
