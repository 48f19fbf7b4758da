#include "cuda/solver.hpp"

#include <cusolverDn.h>

#include <string>

#include "cuda/handles.hpp"
#include "cuda/library.hpp"

namespace sven::cuda {
namespace {

class Library {
  public:
    Library() : library_("cuSOLVER", "libcusolver.so." + std::to_string(CUSOLVER_VER_MAJOR)) {
        library_.load(create, "cusolverDnCreate");
        library_.load(set_stream, "cusolverDnSetStream");
        library_.load(potrf_size, "cusolverDnDpotrf_bufferSize");
        library_.load(potrf, "cusolverDnDpotrf");
        library_.load(potrs, "cusolverDnDpotrs");
    }
    void check(cusolverStatus_t status, const char* call) const {
        library_.check(status, CUSOLVER_STATUS_SUCCESS, call);
    }

    Handles<cusolverDnHandle_t> handles;
    decltype(&cusolverDnCreate) create = nullptr;
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

cusolverDnHandle_t handle_of(const Stream& stream) {
    Library& solver = library();
    const auto make = [&] {
        cusolverDnHandle_t handle = nullptr;
        solver.check(solver.create(&handle), "cusolverDnCreate");
        return handle;
    };
    return solver.handles.of(stream.solver(), make, [&](cusolverDnHandle_t handle) {
        solver.check(solver.set_stream(handle, stream), "cusolverDnSetStream");
    });
}

int narrow(Index value) {
    return static_cast<int>(value);
}

}  // namespace

Index cholesky_scratch(const Stream& stream, const Triangle& A) {
    Library& solver = library();
    int size = 0;
    solver.check(solver.potrf_size(handle_of(stream), CUBLAS_FILL_MODE_LOWER, narrow(A.size),
                                   A.values, narrow(A.stride), &size),
                 "cusolverDnDpotrf_bufferSize");
    return size;
}

void cholesky(const Stream& stream, const Triangle& A, double* scratch, Index scratch_size,
              int* info) {
    Library& solver = library();
    solver.check(solver.potrf(handle_of(stream), CUBLAS_FILL_MODE_LOWER, narrow(A.size), A.values,
                              narrow(A.stride), scratch, narrow(scratch_size), info),
                 "cusolverDnDpotrf");
}

void solve_cholesky(const Stream& stream, const Triangle& L, double* x, int* info) {
    Library& solver = library();
    solver.check(solver.potrs(handle_of(stream), CUBLAS_FILL_MODE_LOWER, narrow(L.size), 1,
                              L.values, narrow(L.stride), x, narrow(L.size), info),
                 "cusolverDnDpotrs");
}

}  // namespace sven::cuda
