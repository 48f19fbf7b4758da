#include "linalg/blas.hpp"

#include <mutex>

// Weak symbols: only OpenBLAS has them.
extern "C" {
void openblas_set_num_threads(int threads) __attribute__((weak));
int openblas_get_num_threads(void) __attribute__((weak));
}

namespace sven::linalg {
namespace {

std::mutex guard;
int alive = 0;
int threads_before = 1;

}  // namespace

SingleThreadedBlas::SingleThreadedBlas() {
    const std::lock_guard lock(guard);
    if (alive++ > 0 || openblas_set_num_threads == nullptr) return;
    threads_before = openblas_get_num_threads();
    openblas_set_num_threads(1);
}

SingleThreadedBlas::~SingleThreadedBlas() {
    const std::lock_guard lock(guard);
    if (--alive > 0 || openblas_set_num_threads == nullptr) return;
    openblas_set_num_threads(threads_before);
}

}  // namespace sven::linalg
