#pragma once
// MPI as the transport of distributed.hpp: the library sven::mpi, where sven was built with it.

#include <memory>

#include "sven/distributed.hpp"
#include "sven/export.h"

namespace sven::mpi {

// Over a communicator of the caller's: a pointer to its MPI_Comm, which is duplicated. MPI is
// initialised, and is not finalised before the last use. Errors of MPI end the program, as MPI's
// default is.
[[nodiscard]] std::unique_ptr<Communicator> over(const void* mpi_comm);

// All ranks that mpirun started. MPI is initialised by it where nobody has, and then finalised by
// its end.
[[nodiscard]] std::unique_ptr<Communicator> world();

// Ends every rank with this exit code, at once.
[[noreturn]] void abort(int code);

}  // namespace sven::mpi
