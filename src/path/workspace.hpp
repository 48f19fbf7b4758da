#pragma once
// The problem as the path engines see it, made once per call.

#include <memory>
#include <vector>

#include "linalg/design.hpp"
#include "linalg/execution.hpp"
#include "path/free_features.hpp"
#include "problem/certificate.hpp"
#include "problem/certified_support.hpp"
#include "problem/scaled_gram.hpp"
#include "problem/standardization.hpp"
#include "problem/target.hpp"
#include "reduction/active_set.hpp"
#include "sven/elastic_net.hpp"

namespace sven::path {

// One setting, solved, on the scale of the standardised columns.
struct Solved {
    bool is_done = false;
    Status status = Status::optimal;
    problem::Support support;
    double h = 0;  // l1/2
    double l2 = 0;
    double weighted_l1 = 0;  // sum f |beta|
    problem::Gap gap;
    GapSource gap_source = GapSource::data;
    SupportCertificate certificate;
    std::vector<Proof> proofs;             // by feature, where they are asked for
    std::vector<double> inverse_diagonal;  // (K^-1)_jj of the support, where it was computed
    Index iterations = 0;
};

struct Workspace {
    const Problem* problem = nullptr;
    const Options* options = nullptr;
    linalg::Execution execution;
    std::shared_ptr<linalg::Design> design;  // shared between the folds of a cross-validation
    problem::Response response;
    linalg::ColumnMoments moments;
    problem::Columns columns;
    std::vector<double> factors;       // effective; empty: all one
    std::vector<double> lower, upper;  // limits on the scale of the columns; empty: none
    problem::Penalties penalties;
    FreeSpace free;
    double h_max = 0;         // the smallest h at which every penalised coefficient is zero
    double largest_norm = 0;  // max ||x_j|| / f_j of the penalised features
    double rounding = 0;      // of the sums of a Gram matrix, relative to the lengths of columns

    double factor(Index j) const { return factors.empty() ? 1 : factors[j]; }
    double root_weight(Index i) const {
        return response.root_weights.empty() ? 1 : response.root_weights[i];
    }
    reduction::Limits limits() const {
        return {options->max_iterations, h_max, options->tolerance};
    }
    Index rows() const { return design->rows(); }
    Index cols() const { return design->cols(); }
};

// The coefficients of a support, by feature.
std::vector<double> expand(const Workspace& workspace, const problem::Support& support);
// ||y|| + sum ||x_j|| |b_j|: the size of what a residual is a difference of.
double length_of_terms(const Workspace& workspace, const problem::Support& support);

// The residual of a solution as a dual point, from its length and the sum of its weighted entries.
// Coefficients and intercept are rounded when they are handed out on the user's scale: that is
// counted in.
problem::DualPoint residual_point(const Workspace& workspace, const problem::Support& support,
                                  double length, double lane_sum);
// What the free features' products with the residual, by feature, say about the dual point that is
// orthogonal to them.
template <class Products>
void allow_for_free_features(const FreeSpace& free, const Products& product_of,
                             problem::DualPoint& point) {
    if (free.features().empty()) return;
    std::vector<double> products;
    for (const Index j : free.features()) products.push_back(product_of(j));
    const double length = free.projection(products, point.noise);
    point.distance += length;
    point.noise += length;
}
template <class Products>
void allow_for_free_features(const Workspace& workspace, const Products& product_of,
                             problem::DualPoint& point) {
    allow_for_free_features(workspace.free, product_of, point);
}

// What the gap proves about the features: the counts, and where it is asked for each by itself.
void certify_support(const Workspace& workspace, const problem::CertificationInput& input,
                     Solved& solved);

// Solved settings in the order of the targets, which go from strong to weak; `report` is called
// with the number of settings done. A cancelled run leaves the rest undone.
using Report = std::function<void(Index done, double gap)>;

// Begins at the standing where that is near, and leaves it where it ended.
struct Standing;
std::vector<Solved> solve_by_gram(Workspace& workspace, const problem::ScaledGram& gram,
                                  std::span<const problem::Target> targets, const Report& report,
                                  Standing& standing);

// h_max from the products with the response (free features projected out).
double largest_multiplier(const Workspace& workspace, std::span<const double> products);
// The same, which projects them out.
double largest_multiplier(Workspace& workspace, const problem::ScaledGram& gram);

}  // namespace sven::path
