#pragma once
// Columns that lie with several ranks as one Design: rank 0 asks, every rank answers for the
// columns that it has, rank 0 among them. What is the same for all, a panel of residuals or the
// weights of the rows, goes down a tree; requests and answers go straight. Tasks of a scheduler may
// stand in the place of the ranks (remote_owners.hpp).

#include <memory>
#include <vector>

#include "linalg/design.hpp"
#include "linalg/remote_owners.hpp"
#include "sven/distributed.hpp"

namespace sven::linalg {

// What rank 0 knows of all.
struct ColumnShares {
    Index rows = 0;
    std::vector<Index> cols;  // of each rank
    double entries = 0;       // of all together
};

// For rank 0, or who solves.
std::shared_ptr<const DistributedColumns> make_remote_matrix(std::unique_ptr<Owners> owners,
                                                             const ColumnShares& shares);

// For the others: answers for `part` until rank 0 wants no more.
void serve(Communicator& ranks, Design& part, const Execution& execution);

// Null where X is not of several ranks.
std::unique_ptr<Design> make_remote_design(const SharedMatrix& X);

}  // namespace sven::linalg
