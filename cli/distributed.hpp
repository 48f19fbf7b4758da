#pragma once
// Data that lie with several ranks of mpirun. Rows: each reads its part and sums it up. Columns:
// each answers for those that it has. Rank 0 solves and writes.

#include <memory>
#include <optional>

#include "cli/checks.hpp"
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
    bool do_sums_serve = true;  // what is asked
};

// The statistics of all rows, or X by its columns, on rank 0; the others throw Bystander, in the
// second case when rank 0 needs them no more. A rank reads its part of the file, or the file whose
// name has its number in the place of {rank}.
LoadedData load_distributed(const DataArguments& arguments, const SolverArguments& solver,
                            const DealtFolds& folds);
LoadedData load_columns(const DataArguments& arguments, const SolverArguments& solver,
                        const std::shared_ptr<Communicator>& ranks);

// The file of a rank, not distributed any further.
DataArguments whole_file_of(const DataArguments& arguments, const Communicator& ranks);

// Adds what the ranks of columns have sent.
void note_traffic(LoadedData& data);

// The data of a command, wherever they lie.
template <class Arguments>
LoadedData load_anywhere(const Arguments& arguments, DealtFolds folds = {}) {
    if (arguments.data.distribution == Distribution::none)
        return load(arguments.data, arguments.solver);
    folds.do_sums_serve = do_sums_serve(arguments);
    return load_distributed(arguments.data, arguments.solver, folds);
}

// The arguments as they are for the solver: where ranks answer for columns it is on the CPU, and
// does not collect them all for a Gram matrix unless it was asked to.
template <class Arguments>
Arguments for_solver(Arguments arguments, const LoadedData& data) {
    if (data.columns == nullptr) return arguments;
    arguments.solver.device = Device::cpu;
    if (arguments.solver.method == Method::automatic) arguments.solver.method = Method::primal;
    return arguments;
}

}  // namespace sven::cli
