#pragma once
// The span of the unpenalised features of either sign. A dual point must be orthogonal to it; how
// far a residual is from that follows from its products with them (maths.md, "Free features").

#include <span>
#include <vector>

#include "problem/scaled_gram.hpp"
#include "sven/matrix.hpp"

namespace sven::path {

struct Workspace;

class FreeSpace {
  public:
    FreeSpace() = default;
    // From the Gram matrix of the features, k x k by columns; overwritten.
    FreeSpace(std::vector<Index> features, std::span<double> gram);

    std::span<const Index> features() const { return features_; }
    // Whether the Gram matrix tells that no feature depends on the others.
    bool is_clearly_independent() const { return !factor_.empty() || features_.empty(); }
    // At least the length of the projection of a vector v on the space, from its products with the
    // features, each known up to noise times the length of its column. Infinite where the
    // columns are too close to dependent for the Gram matrix to tell.
    double projection(std::span<const double> products, double noise) const;

  private:
    std::vector<Index> features_;
    std::vector<double> lengths_;
    std::vector<double> factor_;  // U'U = Gram matrix of the columns at unit length
    double inverse_norm_ = 0;     // Frobenius norm of U^-1
};

std::vector<Index> list_free_features(const Workspace& workspace);
// Unpenalised features that are not free, since their coefficients have limits.
std::vector<Index> list_limited_unpenalised(const Workspace& workspace);
// From the columns themselves, or from the Gram matrix of all features.
FreeSpace survey_free_features(const Workspace& workspace);
FreeSpace survey_free_features(const problem::ScaledGram& gram, const Workspace& workspace);
// The span of any features.
FreeSpace span_of(const Workspace& workspace, std::vector<Index> features);
FreeSpace span_of(const problem::ScaledGram& gram, std::vector<Index> features);
// Whether unpenalised features depend on each other exactly, so that their coefficients are not
// unique whatever the setting; decided from the columns in twofold precision.
bool free_features_depend(const Workspace& workspace);

}  // namespace sven::path
