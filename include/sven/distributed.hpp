#pragma once
// Rows on several machines: each rank sums up its own, and one reduction adds the statistics up. It
// is over any transport; sven::mpi (mpi.hpp) is the one of clusters.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sven/export.h"
#include "sven/statistics.hpp"

namespace sven {

// What is asked of a transport: messages between ranks, in the order in which they were sent. It
// may throw anything; calls do not return otherwise before their message has gone or come.
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

}  // namespace sven
