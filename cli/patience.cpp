// LIBLINEAR brings the system's BLAS. OpenBLAS allocates its buffers, 128 MiB per thread, when it
// is loaded and at the first call of a team. If the system refuses, under a limit on the address
// space, version 0.3.21 retries for ever and the program would hang; later versions end it after
// ten attempts with their own message. No other library repeats a failed request. The environment
// cannot be changed before OpenBLAS reads it, and the limits do not tell what a team will need, so
// the calls are counted. Other C libraries declare the function in other ways, and are left alone.

#include <cerrno>

#if defined(__GLIBC__) && defined(__LP64__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/interrupt.hpp"

extern "C" {

// Overrides the C library's function for the whole program.
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
