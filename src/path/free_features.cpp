#include "path/free_features.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/cholesky.hpp"
#include "linalg/dense.hpp"
#include "path/column_span.hpp"
#include "path/tuning.hpp"
#include "path/workspace.hpp"

namespace sven::path {
namespace {

using linalg::Buffer;

// The Gram matrix of the scaled columns, one block of rows at a time, so that a cancel is seen.
std::vector<double> gram_of(const Workspace& workspace, std::span<const Index> features) {
    const auto k = static_cast<Index>(features.size());
    const Index n = workspace.rows();
    const linalg::ScaledDesign X =
        problem::scale_design(*workspace.design, *workspace.problem, workspace.response,
                              workspace.columns, workspace.moments);
    Buffer<double> columns(n * k);
    X.gather(features, workspace.execution, columns.data(), n);
    std::vector<double> gram(static_cast<std::size_t>(k * k), 0.0);
    const Index block = std::max(tuning::fewest_gram_rows, tuning::free_gram_operations / (k * k));
    for (Index begin = 0; begin < n; begin += block) {
        workspace.execution.check();
        linalg::multiply<double>({k, k, std::min(block, n - begin), 1,
                                  linalg::by_rows<double>(columns.data() + begin, n),
                                  linalg::by_columns<double>(columns.data() + begin, n),
                                  gram.data(), k, linalg::Part::upper});
    }
    return gram;
}

}  // namespace

FreeSpace::FreeSpace(std::vector<Index> features, std::span<double> gram)
    : features_(std::move(features)) {
    const auto k = static_cast<Index>(features_.size());
    for (Index j = 0; j < k; ++j) lengths_.push_back(std::sqrt(gram[j * k + j]));
    for (Index j = 0; j < k; ++j)
        for (Index i = 0; i <= j; ++i) gram[j * k + i] /= lengths_[i] * lengths_[j];
    if (k == 0 || !linalg::cholesky_upper(k, gram.data(), k, {})) return;
    for (Index j = 0; j < k; ++j)
        if (!(gram[j * k + j] * gram[j * k + j] > tuning::clear_pivot)) return;
    factor_.assign(gram.begin(), gram.end());
    std::vector<double> inverse(factor_.size());
    if (!linalg::invert_upper<double>({k, factor_.data(), k}, inverse.data(), k)) return;
    double squares = 0;
    for (Index j = 0; j < k; ++j)
        for (Index i = 0; i <= j; ++i) squares += inverse[j * k + i] * inverse[j * k + i];
    inverse_norm_ = std::sqrt(squares);
}

double FreeSpace::projection(std::span<const double> products, double noise) const {
    if (features_.empty()) return 0;
    if (factor_.empty()) return std::numeric_limits<double>::infinity();
    const auto k = static_cast<Index>(features_.size());
    std::vector<double> solved(products.begin(), products.end());
    for (Index j = 0; j < k; ++j) solved[j] /= lengths_[j];
    linalg::solve_upper_transposed({k, factor_.data(), k}, solved.data());
    const double length = std::sqrt(linalg::dot(k, solved.data(), solved.data()));
    // what the factor itself may be off by, at its pivots
    return tuning::factor_excess * (length + noise * inverse_norm_);
}

std::vector<Index> list_free_features(const Workspace& workspace) {
    std::vector<Index> features;
    for (Index j = 0; j < workspace.cols(); ++j)
        if (workspace.penalties.is_free(j)) features.push_back(j);
    return features;
}

std::vector<Index> list_limited_unpenalised(const Workspace& workspace) {
    const problem::Penalties& penalties = workspace.penalties;
    std::vector<Index> features;
    for (Index j = 0; j < workspace.cols() && penalties.has_limits(); ++j)
        if (penalties.l1_factor(j) == 0 && !penalties.excluded[j] && penalties.is_limited(j))
            features.push_back(j);
    return features;
}

FreeSpace survey_free_features(const Workspace& workspace) {
    return span_of(workspace, list_free_features(workspace));
}

FreeSpace survey_free_features(const problem::ScaledGram& gram, const Workspace& workspace) {
    return span_of(gram, list_free_features(workspace));
}

FreeSpace span_of(const Workspace& workspace, std::vector<Index> features) {
    if (features.empty()) return {};
    std::vector<double> gram = gram_of(workspace, features);
    return {std::move(features), gram};
}

FreeSpace span_of(const problem::ScaledGram& gram, std::vector<Index> features) {
    std::vector<double> values;
    for (const Index j : features)
        for (const Index i : features) values.push_back((*gram.values)[j * gram.features + i]);
    return {std::move(features), values};
}

bool free_features_depend(const Workspace& workspace) {
    const FreeSpace& free = workspace.free;
    if (free.is_clearly_independent()) return false;
    const auto k = static_cast<Index>(free.features().size());
    if (k > workspace.rows() - (workspace.problem->intercept ? 1 : 0)) return true;
    // sums cannot tell, and nothing is certified beside such features
    if (!workspace.design->has_rows()) return false;
    ColumnSpan span(workspace);
    for (const Index j : free.features())
        if (!span.add(j)) return true;
    return false;
}

}  // namespace sven::path
