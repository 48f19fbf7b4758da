#pragma once
// Data on several machines. Rows: each rank sums up its own, and one reduction adds the statistics
// up. Columns: rank 0 solves over an X whose columns the other ranks, or tasks of a scheduler,
// answer for. All are over any transport; sven::mpi (mpi.hpp) is the one of clusters.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sven/custom_matrix.hpp"
#include "sven/export.h"
#include "sven/statistics.hpp"

namespace sven {

// What is asked of a transport: messages between ranks, in the order in which they were sent. It
// may throw anything; calls do not return otherwise before their message has gone or come. They are
// made by one thread at a time, but not always the same.
class SVEN_API Communicator {
  public:
    Communicator() = default;
    virtual ~Communicator() = default;
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    [[nodiscard]] virtual int rank() const = 0;  // 0 .. size() - 1
    [[nodiscard]] virtual int size() const = 0;
    virtual void send(int to, const std::string& bytes) = 0;
    [[nodiscard]] virtual std::string receive(int from) = 0;
};

// Of all ranks together.
struct Traffic {
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
};

// The statistics of all ranks, on rank 0; of no rows on the others. Neighbours are merged in pairs,
// then pairs of pairs, in the order of the ranks: log2 of their number rounds. `of_this_rank` may
// throw: then the call throws InvalidArgument on every rank, with the words of the first that did.
// Statistics of no rows are those of a rank that has none. All ranks must call it.
[[nodiscard]] SVEN_API Statistics sum_on_root(Communicator& ranks,
                                              const std::function<Statistics()>& of_this_rank,
                                              Traffic& traffic);

// The same on every rank: a session on each needs it.
[[nodiscard]] SVEN_API Statistics sum_on_all(Communicator& ranks,
                                             const std::function<Statistics()>& of_this_rank,
                                             Traffic& traffic);

// The number of each rank, known to all. One that throws is refused as above.
[[nodiscard]] SVEN_API std::vector<Index> gather_on_all(Communicator& ranks,
                                                        const std::function<Index()>& of_this_rank,
                                                        Traffic& traffic);

// An X whose columns lie with several ranks, those of rank 0 first.
class SVEN_API DistributedColumns : public CustomMatrix {
  public:
    // What it has cost so far.
    [[nodiscard]] virtual Traffic traffic() const = 0;
};

// On rank 0: the X of a problem, for fit, path, cross-validation and prediction there. The call
// returns on the other ranks, with null, when the last copy of it has gone; until then they answer
// for their columns. Of the options the threads and the device of a rank's own columns count; the
// solver on rank 0 is on the CPU. The columns stay where they are but for those that the solver
// works with, which rank 0 keeps copies of: ask for Method::primal, since a Gram matrix of all
// features would take them all there.
//
// `of_this_rank` may throw, as above; so does the call, on every rank, where the numbers of rows
// differ. What it views must live until the call has returned on the rank, or on rank 0 until X has
// gone. All ranks must call it.
[[nodiscard]] SVEN_API std::shared_ptr<const DistributedColumns> join_columns(
    const std::shared_ptr<Communicator>& ranks, const std::function<MatrixView()>& of_this_rank,
    const Options& options, Traffic& traffic);

// Tasks of a scheduler, such as Dask's, in the place of ranks: each is a question about one part of
// the columns. It holds all that the answer depends on, so that it may be run anywhere, and again
// if a machine is lost.
class SVEN_API ColumnTasks {
  public:
    struct Task {
        Index part = 0;
        std::string message;
    };

    ColumnTasks() = default;
    virtual ~ColumnTasks() = default;
    ColumnTasks(const ColumnTasks&) = delete;
    ColumnTasks& operator=(const ColumnTasks&) = delete;

    // What `answer_for_columns` returns for each task and the columns of its part; `common` is the
    // same for all. It may throw anything, and return anything once `is_cancelled()`. Called by one
    // thread at a time, but not always the same.
    [[nodiscard]] virtual std::vector<std::string> run(
        std::span<const Task> tasks, const std::string& common,
        const std::function<bool()>& is_cancelled) = 0;
};

// The X of a problem whose part k is the next cols[k] columns, as `join_columns` has it. For X with
// more columns than rows: a Gram matrix of all features would bring all of them here.
[[nodiscard]] SVEN_API std::shared_ptr<const DistributedColumns> ask_for_columns(
    std::shared_ptr<ColumnTasks> tasks, Index rows, std::span<const Index> cols);

// The work of a task, where its part is. Of the options threads, device and cancel count.
[[nodiscard]] SVEN_API std::string answer_for_columns(const MatrixView& X,
                                                      const std::string& message,
                                                      const std::string& common,
                                                      const Options& options);

}  // namespace sven
