#include "cli/distributed.hpp"
#include "sven/mpi.hpp"

namespace sven::cli {

std::unique_ptr<Communicator> all_ranks() {
    return mpi::world();
}

}  // namespace sven::cli
