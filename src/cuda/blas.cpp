#include "cuda/blas.hpp"

#include <cublas_v2.h>

#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "cuda/library.hpp"

namespace sven::cuda {
namespace {

// Handles that no stream has.
class Handles {
  public:
    // Null where there is none.
    cublasHandle_t take() {
        const std::lock_guard lock(mutex_);
        if (idle_.empty()) return nullptr;
        const cublasHandle_t handle = idle_.back();
        idle_.pop_back();
        return handle;
    }
    void give_back(cublasHandle_t handle) noexcept {
        const std::lock_guard lock(mutex_);
        try {
            idle_.push_back(handle);
        } catch (const std::bad_alloc&) {  // it is lost
        }
    }

  private:
    std::mutex mutex_;
    std::vector<cublasHandle_t> idle_;
};

class Library {
  public:
    Library() : library_("cuBLAS", "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR)) {
        library_.load(create, "cublasCreate_v2");
        library_.load(set_stream, "cublasSetStream_v2");
        library_.load(dgemm, "cublasDgemm_v2_64");
        library_.load(dgemm_batched, "cublasDgemmBatched_64");
        library_.load(dsyrk, "cublasDsyrk_v2_64");
    }
    void check(cublasStatus_t status, const char* call) const {
        library_.check(status, CUBLAS_STATUS_SUCCESS, call);
    }

    Handles idle;
    decltype(&cublasCreate_v2) create = nullptr;
    decltype(&cublasSetStream_v2) set_stream = nullptr;
    decltype(&cublasDgemm_v2_64) dgemm = nullptr;
    decltype(&cublasDgemmBatched_64) dgemm_batched = nullptr;
    decltype(&cublasDsyrk_v2_64) dsyrk = nullptr;

  private:
    DynamicLibrary library_;
};

// Never destroyed: the driver may be unloaded before static objects are.
Library& library() {
    static auto* loaded = new Library;
    return *loaded;
}

// The handle of a stream, which takes one at its first call: an idle one, or one made for it.
cublasHandle_t handle_of(const Stream& stream) {
    Library& blas = library();
    Lease& lease = stream.blas();
    if (lease.get() == nullptr) {
        cublasHandle_t handle = blas.idle.take();
        if (handle == nullptr) blas.check(blas.create(&handle), "cublasCreate");
        const cublasStatus_t status = blas.set_stream(handle, stream);
        if (status != CUBLAS_STATUS_SUCCESS) blas.idle.give_back(handle);
        blas.check(status, "cublasSetStream");
        lease.set(handle,
                  [](void* used) { library().idle.give_back(static_cast<cublasHandle_t>(used)); });
    }
    return static_cast<cublasHandle_t>(lease.get());
}

cublasOperation_t operation(bool transposes) {
    return transposes ? CUBLAS_OP_T : CUBLAS_OP_N;
}

constexpr double one = 1;

}  // namespace

void gemm(const Stream& stream, const Gemm& c) {
    Library& blas = library();
    blas.check(blas.dgemm(handle_of(stream), operation(c.transpose_a), operation(c.transpose_b),
                          c.m, c.n, c.k, &one, c.A, c.lda, c.B, c.ldb, &c.beta, c.C, c.ldc),
               "cublasDgemm");
}

void gemm_batch(const Stream& stream, const GemmBatch& batch) {
    Library& blas = library();
    const Gemm& c = batch.shape;
    blas.check(blas.dgemm_batched(handle_of(stream), operation(c.transpose_a),
                                  operation(c.transpose_b), c.m, c.n, c.k, &one, batch.A, c.lda,
                                  batch.B, c.ldb, &c.beta, batch.C, c.ldc, batch.count),
               "cublasDgemmBatched");
}

void syrk(const Stream& stream, const Gemm& c) {
    Library& blas = library();
    blas.check(blas.dsyrk(handle_of(stream), CUBLAS_FILL_MODE_LOWER, operation(c.transpose_a), c.n,
                          c.k, &one, c.A, c.lda, &c.beta, c.C, c.ldc),
               "cublasDsyrk");
}

}  // namespace sven::cuda
