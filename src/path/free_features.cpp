#include "path/free_features.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"

namespace sven::path {
namespace {

using linalg::Buffer;
using linalg::narrow;

// A column of unit length this close to the span of others is in it; a support refuses it too.
constexpr double dependent_distance = 1e-13;
// Squared distances above this are seen in the Gram matrix without doubt.
constexpr double clear_pivot = 1e-10;

// Columns of unit length; false where one is zero, or only rounding of its mean.
bool normalize(const Workspace& workspace, std::span<const Index> features,
               Buffer<double>& columns) {
    const Index n = workspace.rows();
    for (std::size_t k = 0; k < features.size(); ++k) {
        double* column = columns.data() + static_cast<Index>(k) * n;
        const double norm = std::sqrt(linalg::dot(n, column, column));
        if (!(norm > dependent_distance * workspace.columns.norms[features[k]])) return false;
        for (Index i = 0; i < n; ++i) column[i] /= norm;
    }
    return true;
}

// Whether the Gram matrix of the columns is far from singular; one block of rows at a time, so
// that a cancel is seen.
bool are_clearly_independent(const Workspace& workspace, const Buffer<double>& columns, Index k) {
    const Index n = workspace.rows();
    Buffer<double> gram(k * k);
    std::fill_n(gram.data(), k * k, 0.0);
    const Index block = std::max<Index>(64, 4'000'000 / (k * k));
    for (Index begin = 0; begin < n; begin += block) {
        workspace.execution.check();
        cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, narrow(k),
                    narrow(std::min(block, n - begin)), 1, columns.data() + begin, narrow(n), 1,
                    gram.data(), narrow(k));
    }
    std::vector<int> pivots(static_cast<std::size_t>(k));
    int rank = 0;
    LAPACKE_dpstrf(LAPACK_COL_MAJOR, 'L', narrow(k), gram.data(), narrow(k), pivots.data(), &rank,
                   clear_pivot);
    return rank == k;
}

// By an orthogonal factor of the columns themselves, which it overwrites.
bool are_dependent(Index n, Buffer<double>& columns, Index k) {
    std::vector<int> pivots(static_cast<std::size_t>(k), 0);
    std::vector<double> tau(static_cast<std::size_t>(k));
    LAPACKE_dgeqp3(LAPACK_COL_MAJOR, narrow(n), narrow(k), columns.data(), narrow(n), pivots.data(),
                   tau.data());
    return !(std::abs(columns[(k - 1) * n + k - 1]) > dependent_distance);
}

}  // namespace

bool free_features_depend(Workspace& workspace) {
    std::vector<Index> features;
    for (Index j = 0; j < workspace.cols(); ++j)
        if (workspace.penalties.is_free(j)) features.push_back(j);
    const auto k = static_cast<Index>(features.size());
    if (k == 0) return false;
    const Index n = workspace.rows();
    if (k > n - (workspace.problem->intercept ? 1 : 0)) return true;
    const linalg::ScaledDesign X =
        problem::scale_design(*workspace.design, *workspace.problem, workspace.response,
                              workspace.columns, workspace.moments);
    Buffer<double> columns(n * k);
    X.gather(features, workspace.execution, columns.data(), n);
    if (!normalize(workspace, features, columns)) return true;
    return !are_clearly_independent(workspace, columns, k) && are_dependent(n, columns, k);
}

}  // namespace sven::path
