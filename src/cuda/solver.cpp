#include "cuda/solver.hpp"

#include <cusolverDn.h>

#include <mutex>
#include <string>

#include "cuda/library.hpp"

namespace sven::cuda {
namespace {

class Library {
  public:
    Library() : library_("cuSOLVER", "libcusolver.so." + std::to_string(CUSOLVER_VER_MAJOR)) {
        decltype(&cusolverDnCreate) create = nullptr;
        library_.load(create, "cusolverDnCreate");
        library_.load(set_stream, "cusolverDnSetStream");
        library_.load(potrf_size, "cusolverDnDpotrf_bufferSize");
        library_.load(potrf, "cusolverDnDpotrf");
        library_.load(potrs, "cusolverDnDpotrs");
        check(create(&handle), "cusolverDnCreate");
    }
    void check(cusolverStatus_t status, const char* call) const {
        library_.check(status, CUSOLVER_STATUS_SUCCESS, call);
    }

    cusolverDnHandle_t handle = nullptr;
    std::mutex mutex;  // the handle is not thread-safe
    decltype(&cusolverDnSetStream) set_stream = nullptr;
    decltype(&cusolverDnDpotrf_bufferSize) potrf_size = nullptr;
    decltype(&cusolverDnDpotrf) potrf = nullptr;
    decltype(&cusolverDnDpotrs) potrs = nullptr;

  private:
    DynamicLibrary library_;
};

// Never destroyed: the driver may be unloaded before static objects are.
Library& library() {
    static auto* loaded = new Library;
    return *loaded;
}

// The library, for one call in this stream.
class Call {
  public:
    explicit Call(const Stream& stream) : solver(library()), lock_(solver.mutex) {
        solver.check(solver.set_stream(solver.handle, stream), "cusolverDnSetStream");
    }
    Library& solver;

  private:
    std::lock_guard<std::mutex> lock_;
};

int narrow(Index value) {
    return static_cast<int>(value);
}

}  // namespace

Index cholesky_scratch(const Stream& stream, const Triangle& A) {
    const Call call(stream);
    int size = 0;
    call.solver.check(call.solver.potrf_size(call.solver.handle, CUBLAS_FILL_MODE_LOWER,
                                             narrow(A.size), A.values, narrow(A.stride), &size),
                      "cusolverDnDpotrf_bufferSize");
    return size;
}

void cholesky(const Stream& stream, const Triangle& A, double* scratch, Index scratch_size,
              int* info) {
    const Call call(stream);
    call.solver.check(
        call.solver.potrf(call.solver.handle, CUBLAS_FILL_MODE_LOWER, narrow(A.size), A.values,
                          narrow(A.stride), scratch, narrow(scratch_size), info),
        "cusolverDnDpotrf");
}

void solve_cholesky(const Stream& stream, const Triangle& L, double* x, int* info) {
    const Call call(stream);
    call.solver.check(call.solver.potrs(call.solver.handle, CUBLAS_FILL_MODE_LOWER, narrow(L.size),
                                        1, L.values, narrow(L.stride), x, narrow(L.size), info),
                      "cusolverDnDpotrs");
}

}  // namespace sven::cuda
