#include "cuda/blas.hpp"

#include <cublas_v2.h>

#include <string>

#include "cuda/handles.hpp"
#include "cuda/library.hpp"

namespace sven::cuda {
namespace {

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

    Handles<cublasHandle_t> handles;
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

cublasHandle_t handle_of(const Stream& stream) {
    Library& blas = library();
    const auto make = [&] {
        cublasHandle_t handle = nullptr;
        blas.check(blas.create(&handle), "cublasCreate");
        return handle;
    };
    return blas.handles.of(stream.blas(), make, [&](cublasHandle_t handle) {
        blas.check(blas.set_stream(handle, stream), "cublasSetStream");
    });
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
