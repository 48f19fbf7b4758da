#include <numeric>

#include "api/validate.hpp"
#include "linalg/devices.hpp"
#include "linalg/remote_design.hpp"
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
    if (ranks->rank() == 0) return linalg::make_remote_matrix(ranks, shares, std::move(own));
    linalg::serve(*ranks, *own, {linalg::resolve_threads(options.threads), nullptr});
    return nullptr;
}

}  // namespace sven
