#include "cuda/blas.hpp"

#include <cublas_v2.h>
#include <dlfcn.h>

#include <array>
#include <mutex>
#include <string>

#include "sven/error.hpp"

namespace sven::cuda {
namespace {

void check_blas(cublasStatus_t status, const char* call) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    throw DeviceError("the GPU failed: cuBLAS status " + std::to_string(status) + " (" + call +
                      ")");
}

// Where the loader looks, then where the toolkit was when this was built.
void* open_library() {
    const std::string name = "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR);
    for (const std::string& path : {name, std::string(SVEN_CUDA_LIBRARIES) + "/" + name})
        if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    throw DeviceError("cuBLAS cannot be loaded: " + std::string(dlerror()));
}

class Library {
  public:
    Library() : library_(open_library()) {
        load(create_, "cublasCreate_v2");
        load(set_stream, "cublasSetStream_v2");
        load(dgemm, "cublasDgemm_v2_64");
        load(dgemm_batched, "cublasDgemmBatched_64");
        load(dsyrk, "cublasDsyrk_v2_64");
        check_blas(create_(&handle), "cublasCreate");
    }

    cublasHandle_t handle = nullptr;
    std::mutex mutex;  // the handle serves one call at a time
    decltype(&cublasSetStream_v2) set_stream = nullptr;
    decltype(&cublasDgemm_v2_64) dgemm = nullptr;
    decltype(&cublasDgemmBatched_64) dgemm_batched = nullptr;
    decltype(&cublasDsyrk_v2_64) dsyrk = nullptr;

  private:
    template <class Function>
    void load(Function& function, const char* name) {
        function = reinterpret_cast<Function>(dlsym(library_, name));
        if (function == nullptr) throw DeviceError(std::string("cuBLAS lacks ") + name);
    }

    void* library_;
    decltype(&cublasCreate_v2) create_ = nullptr;
};

// Kept to the end of the process: the driver may be gone before the last static object.
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
    check_blas(blas.set_stream(blas.handle, stream), "cublasSetStream");
    check_blas(blas.dgemm(blas.handle, operation(c.transpose_a), operation(c.transpose_b), c.m, c.n,
                          c.k, &one, c.A, c.lda, c.B, c.ldb, &c.beta, c.C, c.ldc),
               "cublasDgemm");
}

void gemm_batch(const Stream& stream, const GemmBatch& batch) {
    Library& blas = library();
    const Gemm& c = batch.shape;
    const std::lock_guard lock(blas.mutex);
    check_blas(blas.set_stream(blas.handle, stream), "cublasSetStream");
    check_blas(blas.dgemm_batched(blas.handle, operation(c.transpose_a), operation(c.transpose_b),
                                  c.m, c.n, c.k, &one, batch.A, c.lda, batch.B, c.ldb, &c.beta,
                                  batch.C, c.ldc, batch.count),
               "cublasDgemmBatched");
}

void syrk(const Stream& stream, const Gemm& c) {
    Library& blas = library();
    const std::lock_guard lock(blas.mutex);
    check_blas(blas.set_stream(blas.handle, stream), "cublasSetStream");
    check_blas(blas.dsyrk(blas.handle, CUBLAS_FILL_MODE_LOWER, operation(c.transpose_a), c.n, c.k,
                          &one, c.A, c.lda, &c.beta, c.C, c.ldc),
               "cublasDsyrk");
}

}  // namespace sven::cuda
