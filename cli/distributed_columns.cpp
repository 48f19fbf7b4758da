#include <fmt/format.h>

#include <unordered_set>

#include "cli/checks.hpp"
#include "cli/column_share.hpp"
#include "cli/distributed.hpp"
#include "cli/interrupt.hpp"

namespace sven::cli {

namespace {

bool is_mapped(const std::string& path) {
    const io::Format format = io::format_of(path);
    return format == io::Format::npy || format == io::Format::plink;
}

// What a rank has: of one file that all read its share, of a list its own file.
struct Part {
    LoadedData data;  // on rank 0; of the others the table alone
    ColumnShare share;
    std::vector<std::string> names;  // of the columns of a list; empty: unnamed
};

Part share_of_file(const DataArguments& own, SolverArguments solver, const Communicator& ranks) {
    if (ranks.rank() != 0) solver.device = Device::cpu;  // rank 0 says what there is to say of it
    Part part;
    part.data = load(own, solver);
    if (part.data.statistics)
        throw InvalidArgument(part.data.path + " holds statistics, which have no columns");
    const Index all = cols(part.data.table.X);
    const bool stays = is_mapped(own.data);
    part.share = share_of_columns(part.data.table.X, all * ranks.rank() / ranks.size(),
                                  all * (ranks.rank() + 1) / ranks.size(), stays);
    // rank 0 looks at single columns of a mapped file; of others it has its share alone
    if (part.share.storage == nullptr) return part;
    part.data.table.X = part.share.X;
    part.data.table.storage = part.share.storage;
    return part;
}

// Of the files of a list the first has the response, and what else there is of the rows.
Part own_file(DataArguments own, const SolverArguments& solver, const Communicator& ranks) {
    if (io::format_of(own.data) == io::Format::plink)
        throw InvalidArgument(own.data + ": .bed files of a list are not read by columns");
    own.penalty_factors.reset();
    own.unpenalized.clear();
    own.lower.reset();
    own.upper.reset();
    own.limits.reset();
    Part part;
    if (ranks.rank() == 0) {
        part.data = load(own, solver);
    } else {
        io::ReadOptions options = read_options(own);
        options.target.reset();
        options.has_response = false;
        options.threads = solver.threads.value_or(0);
        part.data.table = read_table(own, options);
    }
    if (!part.data.table.encoding.empty())
        throw InvalidArgument(own.data +
                              ": texts and missing values of a list of files are not filled in");
    part.names = part.data.table.feature_names;
    part.share.X = part.data.table.X;
    return part;
}

// Names of columns, one behind each.
std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += name + '\0';
    return text;
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> names;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\0', at);
        names.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return names;
}

// Rank 0 has all names, or none where not every rank has some.
void collect_names(const std::vector<Index>& counts, std::vector<std::string> own,
                   Communicator& ranks, std::vector<std::string>& all) {
    if (ranks.rank() != 0) return ranks.send(0, joined(own));
    bool are_named = static_cast<Index>(own.size()) == counts[0];
    all = std::move(own);
    for (int rank = 1; rank < ranks.size(); ++rank) {
        const std::vector<std::string> names = split(ranks.receive(rank));
        are_named = are_named && static_cast<Index>(names.size()) == counts[rank];
        all.insert(all.end(), names.begin(), names.end());
    }
    if (!are_named) all.clear();
}

void refuse_twice(const std::vector<std::string>& names, const std::string& path) {
    std::unordered_set<std::string_view> known;
    for (const std::string& name : names)
        if (!known.insert(name).second)
            throw InvalidArgument(fmt::format("{}: the feature \"{}\" is there twice", path, name));
}

}  // namespace

LoadedData load_columns(const DataArguments& arguments, const SolverArguments& solver,
                        const std::shared_ptr<Communicator>& ranks) {
    Traffic traffic;
    Part part;
    const bool is_list = is_list_of_files(arguments);
    const DataArguments own = whole_file_of(arguments, *ranks);
    const std::vector<Index> counts = gather_on_all(
        *ranks,
        [&] {
            part = is_list ? own_file(own, solver, *ranks) : share_of_file(own, solver, *ranks);
            return cols(part.share.X);
        },
        traffic);
    std::vector<std::string> names;
    if (is_list) collect_names(counts, std::move(part.names), *ranks, names);
    Options of_ranks = options(solver);
    of_ranks.cancel = nullptr;
    if (ranks->rank() != 0) pass_over_signals(true);
    const auto X = join_columns(
        ranks, [&] { return part.share.X; }, of_ranks, traffic);
    if (X == nullptr) throw Bystander{};
    LoadedData data = std::move(part.data);
    data.columns = X;
    data.ranks = ranks;
    data.rank_count = ranks->size();
    if (!is_list) return data;
    refuse_twice(names, arguments.data);
    data.table.feature_names = std::move(names);
    take_features(arguments, data);
    return data;
}

void note_traffic(LoadedData& data) {
    if (data.columns == nullptr) return;
    const Traffic traffic = data.columns->traffic();
    data.notes.push_back(fmt::format("columns of {} {}, which sent {} messages of {} bytes in all",
                                     data.rank_count, data.rank_count == 1 ? "rank" : "ranks",
                                     traffic.messages, traffic.bytes));
}

}  // namespace sven::cli
