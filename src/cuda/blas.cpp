#include "cuda/blas.hpp"

#include <cublas_v2.h>

#include <mutex>
#include <string>

#include "cuda/library.hpp"

namespace sven::cuda {
namespace {

class Library {
  public:
    Library() : library_("cuBLAS", "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR)) {
        decltype(&cublasCreate_v2) create = nullptr;
        library_.load(create, "cublasCreate_v2");
        library_.load(set_stream, "cublasSetStream_v2");
        library_.load(dgemm, "cublasDgemm_v2_64");
        library_.load(dgemm_batched, "cublasDgemmBatched_64");
        library_.load(dsyrk, "cublasDsyrk_v2_64");
        check(create(&handle), "cublasCreate");
    }
    void check(cublasStatus_t status, const char* call) const {
        library_.check(status, CUBLAS_STATUS_SUCCESS, call);
    }

    cublasHandle_t handle = nullptr;
    std::mutex mutex;  // the handle is not thread-safe
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

cublasOperation_t operation(bool transposes) {
    return transposes ? CUBLAS_OP_T : CUBLAS_OP_N;
}

constexpr double one = 1;

}  // namespace

void gemm(const Stream& stream, const Gemm& c) {
    Library& blas = library();
    const std::lock_guard lock(blas.mutex);
    blas.check(blas.set_stream(blas.handle, stream), "cublasSetStream");
    blas.check(blas.dgemm(blas.handle, operation(c.transpose_a), operation(c.transpose_b), c.m, c.n,
                          c.k, &one, c.A, c.lda, c.B, c.ldb, &c.beta, c.C, c.ldc),
               "cublasDgemm");
}

void gemm_batch(const Stream& stream, const GemmBatch& batch) {
    Library& blas = library();
    const Gemm& c = batch.shape;
    const std::lock_guard lock(blas.mutex);
    blas.check(blas.set_stream(blas.handle, stream), "cublasSetStream");
    blas.check(blas.dgemm_batched(blas.handle, operation(c.transpose_a), operation(c.transpose_b),
                                  c.m, c.n, c.k, &one, batch.A, c.lda, batch.B, c.ldb, &c.beta,
                                  batch.C, c.ldc, batch.count),
               "cublasDgemmBatched");
}

void syrk(const Stream& stream, const Gemm& c) {
    Library& blas = library();
    const std::lock_guard lock(blas.mutex);
    blas.check(blas.set_stream(blas.handle, stream), "cublasSetStream");
    blas.check(blas.dsyrk(blas.handle, CUBLAS_FILL_MODE_LOWER, operation(c.transpose_a), c.n, c.k,
                          &one, c.A, c.lda, &c.beta, c.C, c.ldc),
               "cublasDsyrk");
}

}  // namespace sven::cuda
