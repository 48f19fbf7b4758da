// OpenBLAS asks for its buffers, 128 MiB a thread, before main begins and where a team first calls
// it. Where the system refuses, under a limit on the address space, version 0.3.21 asks for ever
// and the program would spin; later ones end it after ten times with a line of their own. Nobody
// else asks several times in a row for what it does not get. The environment cannot be changed
// before OpenBLAS reads it, and a look at the limits could not tell what a team will need: so the
// calls are watched.

#if defined(__linux__) && defined(__LP64__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "cli/interrupt.hpp"

extern "C" {

// Stands before the C library's for every library of the program.
void* mmap(void* address, size_t length, int protection, int flags, int descriptor,
           off_t offset) noexcept {
    constexpr int patience = 8;
    thread_local int refused = 0;
    const long place = ::syscall(SYS_mmap, address, length, protection, flags, descriptor, offset);
    if (place != -1) {
        refused = 0;
        return reinterpret_cast<void*>(place);  // NOLINT(performance-no-int-to-ptr)
    }
    if (errno == ENOMEM && address == nullptr && ++refused == patience)
        sven::cli::end_for_lack_of_memory();
    return MAP_FAILED;
}

void* mmap64(void*, size_t, int, int, int, off_t) noexcept __attribute__((alias("mmap")));

}  // extern "C"

#endif
