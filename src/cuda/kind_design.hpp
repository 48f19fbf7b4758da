#pragma once
// Designs that launch the kernels of one kind of data.

#include <memory>
#include <utility>

#include "cuda/blas.hpp"
#include "cuda/design.hpp"

namespace sven::cuda {

// Kinds that are not cuBLAS's.
template <class Data>
bool try_gemm(const Data&, const ColumnSet&, const PanelData&, double*, const Stream&) {
    return false;
}

// cuBLAS reads X at nearly the speed of a copy, eight lanes wide or many. It cannot do float32 with
// sums in double, a shift, or a list of columns: our own kernels do. They also take eight lanes
// where they are faster.
inline bool try_gemm(const DenseData<double>& X, const ColumnSet& columns, const PanelData& Q,
                     double* out, const Stream& stream) {
    if (columns.list != nullptr || columns.shift != nullptr) return false;
    if (Q.stride == 8 && reads_faster_than_blas(X)) return false;
    const bool by_columns = X.row_step == 1;
    Gemm call;
    call.transpose_b = !by_columns;
    call.m = Q.stride;
    call.n = columns.count;
    call.k = X.rows;
    call.A = Q.values;
    call.lda = Q.stride;
    call.B = X.data + columns.begin * X.column_step;
    call.ldb = by_columns ? X.column_step : X.row_step;
    call.C = out;
    call.ldc = Q.stride;
    gemm(stream, call);
    return true;
}

template <class Data>
const DenseData<double>* as_doubles(const Data&) {
    return nullptr;
}
inline const DenseData<double>* as_doubles(const DenseData<double>& X) {
    return &X;
}

// Launches on one kind of data.
template <class Data>
class KindDesign : public CudaDesign {
  public:
    KindDesign(const Data& data, std::unique_ptr<linalg::Design> host)
        : CudaDesign(data.rows, data.cols, std::move(host)), data_(data) {}

  protected:
    bool is_resident() const override { return true; }
    void make_resident(const linalg::Execution&, Index, const OnRows&) const override {}
    void launch_correlate(const ColumnSet& columns, const PanelData& Q, double* out,
                          double* partial) const override {
        if (try_gemm(data_, columns, Q, out, stream())) return;
        cuda::correlate(data_, columns, Q, out, partial, stream());
    }
    void launch_dot(const ColumnSet& columns, const double* q, double* out,
                    const Stream& stream) const override {
        cuda::dot(data_, columns, q, out, stream);
    }
    void launch_gather(const ColumnSet& columns, double* out, const Stream& stream) const override {
        cuda::gather(data_, columns, out, stream);
    }
    void launch_multiply(const ColumnSet& columns, const double* values, double* out,
                         double* partial, const Stream& stream) const override {
        cuda::multiply(data_, columns, values, out, partial, stream);
    }
    void launch_moments(const RowInputs& rows, const MomentsOut& out,
                        double* partial) const override {
        cuda::moments(data_, rows, out, partial, stream());
    }
    void launch_fill(const RowBlock& block, double* out) const override {
        cuda::fill_rows(data_, block, out, stream());
    }

    const DenseData<double>* doubles() const override { return as_doubles(data_); }

    Data data_;
};

}  // namespace sven::cuda
