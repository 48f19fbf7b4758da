#pragma once
// Data whose rows lie with several ranks of mpirun: each reads its part and sums it up, rank 0
// solves and writes.

#include <memory>
#include <optional>

#include "cli/load.hpp"
#include "sven/distributed.hpp"

namespace sven::cli {

// A rank that has done its part: it says nothing and ends well, whatever the outcome, which is for
// the first to tell. Were it to end otherwise, mpirun would kill that one before it has.
struct Bystander {};

// All ranks, for as long as it lives. Throws UsageError in a build without MPI.
std::unique_ptr<Communicator> all_ranks();

// How rows are dealt out to folds: all ranks together, as one file would be.
struct DealtFolds {
    std::optional<int> count;  // none: no folds, or those of a column
    std::optional<std::uint64_t> seed;
};

// The statistics of all rows, on rank 0; the others throw Bystander. A rank reads its part of
// --distributed rows, or the file whose name has its number in the place of {rank}.
LoadedData load_distributed(const DataArguments& arguments, const SolverArguments& solver,
                            const DealtFolds& folds);

}  // namespace sven::cli
