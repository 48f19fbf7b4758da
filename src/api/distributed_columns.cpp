#include <numeric>

#include "api/validate.hpp"
#include "linalg/devices.hpp"
#include "linalg/remote_design.hpp"
#include "linalg/remote_part.hpp"
#include "sven/distributed.hpp"
#include "sven/error.hpp"

namespace sven {
namespace {

void check_rows(const std::vector<Index>& rows) {
    for (std::size_t rank = 1; rank < rows.size(); ++rank)
        if (rows[rank] != rows[0])
            throw InvalidArgument("rank " + std::to_string(rank) + " has columns of " +
                                  std::to_string(rows[rank]) + " rows, rank 0 of " +
                                  std::to_string(rows[0]));
}

}  // namespace

std::shared_ptr<const DistributedColumns> join_columns(
    const std::shared_ptr<Communicator>& ranks, const std::function<MatrixView()>& of_this_rank,
    const Options& options, Traffic& traffic) {
    std::unique_ptr<linalg::Design> own;
    const auto make = [&] {
        const MatrixView X = of_this_rank();
        api::validate(X);
        own = linalg::make_design(X, options.device);
        return own->rows();
    };
    const std::vector<Index> rows = gather_on_all(*ranks, make, traffic);
    check_rows(rows);
    linalg::ColumnShares shares;
    shares.rows = rows.front();
    shares.cols = gather_on_all(
        *ranks, [&] { return own->cols(); }, traffic);
    const std::vector<Index> entries = gather_on_all(
        *ranks, [&] { return static_cast<Index>(own->entries()); }, traffic);
    shares.entries = static_cast<double>(std::accumulate(entries.begin(), entries.end(), Index{0}));
    if (ranks->rank() == 0)
        return linalg::make_remote_matrix(linalg::make_rank_owners(ranks, std::move(own)), shares);
    linalg::serve(*ranks, *own, {linalg::resolve_threads(options.threads), nullptr});
    return nullptr;
}

std::shared_ptr<const DistributedColumns> ask_for_columns(std::shared_ptr<ColumnTasks> tasks,
                                                          Index rows, std::span<const Index> cols) {
    if (cols.empty()) throw InvalidArgument("X has no parts");
    for (const Index count : cols)
        if (count < 1) throw InvalidArgument("a part of X has no columns");
    if (rows < 1) throw InvalidArgument("X has no rows");
    linalg::ColumnShares shares;
    shares.rows = rows;
    shares.cols.assign(cols.begin(), cols.end());
    const Index all = std::accumulate(cols.begin(), cols.end(), Index{0});
    shares.entries = static_cast<double>(rows) * static_cast<double>(all);
    return linalg::make_remote_matrix(linalg::make_task_owners(std::move(tasks), cols.size()),
                                      shares);
}

std::string answer_for_columns(const MatrixView& X, const std::string& message,
                               const std::string& common, const Options& options) {
    api::validate(X);
    const auto part = linalg::make_design(X, options.device);
    return linalg::answer_task(*part, message, common,
                               {linalg::resolve_threads(options.threads), options.cancel});
}

}  // namespace sven
