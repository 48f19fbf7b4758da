#include "columns.hpp"

#include <cblas.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>

namespace rivals {

Columns::Columns(const MatrixBuffers& X, int threads) : X_(X), threads_(std::max(threads, 1)) {
    if (X.layout == layout_rows) throw std::invalid_argument("X has to be stored by columns");
}

Columns::Column Columns::column(Index j) const {
    if (X_.layout != layout_csc) return {X_.values + j * X_.rows, nullptr, X_.rows};
    const Index first = X_.offsets[j];
    return {X_.values + first, X_.indices + first, X_.offsets[j + 1] - first};
}

double Columns::dot(Index j, const double* r) const {
    const Column x = column(j);
    double sum = 0;
    if (x.indices == nullptr) {
#pragma omp simd reduction(+ : sum)
        for (Index i = 0; i < x.count; ++i) sum += x.values[i] * r[i];
    } else {
        for (Index k = 0; k < x.count; ++k) sum += x.values[k] * r[x.indices[k]];
    }
    return sum;
}

void Columns::add(Index j, double scale, double* r) const {
    const Column x = column(j);
    if (x.indices == nullptr) {
#pragma omp simd
        for (Index i = 0; i < x.count; ++i) r[i] += scale * x.values[i];
    } else {
        for (Index k = 0; k < x.count; ++k) r[x.indices[k]] += scale * x.values[k];
    }
}

void Columns::add_shared(Index j, double scale, double* r) const {
    const Column x = column(j);
    for (Index k = 0; k < x.count; ++k) {
        const Index i = x.indices == nullptr ? k : x.indices[k];
        std::atomic_ref<double>(r[i]).fetch_add(scale * x.values[k], std::memory_order_relaxed);
    }
}

std::vector<double> Columns::squares() const {
    std::vector<double> result(static_cast<std::size_t>(cols()));
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (Index j = 0; j < cols(); ++j) {
        const Column x = column(j);
        double sum = 0;
#pragma omp simd reduction(+ : sum)
        for (Index k = 0; k < x.count; ++k) sum += x.values[k] * x.values[k];
        result[static_cast<std::size_t>(j)] = sum;
    }
    return result;
}

void Columns::multiply(const double* b, double* out) const {
    if (X_.layout == layout_csc) return multiply_sparse(b, out);
    cblas_dgemv(CblasColMajor, CblasNoTrans, static_cast<int>(rows()), static_cast<int>(cols()), 1,
                X_.values, static_cast<int>(rows()), b, 1, 0, out, 1);
}

// Each thread sums its columns in a vector of its own.
void Columns::multiply_sparse(const double* b, double* out) const {
    std::fill_n(out, rows(), 0.0);
#pragma omp parallel num_threads(threads_)
    {
        std::vector<double> own(static_cast<std::size_t>(rows()), 0.0);
#pragma omp for schedule(static)
        for (Index j = 0; j < cols(); ++j)
            if (b[j] != 0) add(j, b[j], own.data());
#pragma omp critical
        for (Index i = 0; i < rows(); ++i) out[i] += own[static_cast<std::size_t>(i)];
    }
}

void Columns::correlate(const double* r, double* out) const {
    if (X_.layout != layout_csc) {
        cblas_dgemv(CblasColMajor, CblasTrans, static_cast<int>(rows()), static_cast<int>(cols()),
                    1, X_.values, static_cast<int>(rows()), r, 1, 0, out, 1);
        return;
    }
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (Index j = 0; j < cols(); ++j) out[j] = dot(j, r);
}

}  // namespace rivals
