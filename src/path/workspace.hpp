#pragma once
// The problem as the path engines see it, made once per call.

#include <memory>
#include <vector>

#include "linalg/design.hpp"
#include "linalg/execution.hpp"
#include "problem/certificate.hpp"
#include "problem/standardization.hpp"
#include "reduction/active_set.hpp"
#include "sven/elastic_net.hpp"

namespace sven::path {

// One setting, solved, on the scale of the standardised columns.
struct Solved {
    bool is_done = false;
    Status status = Status::optimal;
    reduction::Support support;
    double h = 0;  // l1/2
    double l2 = 0;
    double use = 0;  // sum f |beta|
    problem::Gap gap;
    GapSource gap_source = GapSource::data;
    SupportCertificate certificate;
    std::vector<double> inverse_diagonal;  // (K^-1)_jj of the support, where it was computed
    Index iterations = 0;
};

// Without a ridge, coefficients are proven non-zero through K^-1, which costs as much as a factor:
// in a path only for supports up to this size.
inline constexpr Index largest_inverted_support = 256;

struct Workspace {
    const Problem* problem = nullptr;
    const Options* options = nullptr;
    linalg::Execution execution;
    std::shared_ptr<linalg::Design> design;  // shared between the folds of a cross-validation
    problem::Response response;
    linalg::ColumnMoments moments;
    problem::Columns columns;
    std::vector<double> factors;  // effective; empty: all one
    reduction::Penalties penalties;
    double h_max = 0;  // the smallest h at which every penalised coefficient is zero

    double factor(Index j) const { return factors.empty() ? 1 : factors[j]; }
    Index rows() const { return design->rows(); }
    Index cols() const { return design->cols(); }
};

// Whether the penalties are too small for a dual point to tell anything: least squares does then.
inline bool is_least_squares(const Workspace& workspace, const problem::GapInput& input,
                             const problem::GapSums& sums, const problem::Gap& gap) {
    const double tolerance = workspace.options->tolerance;
    return !input.is_budget && gap.relative > tolerance &&
           problem::penalty_terms(input, sums) <= 0.1 * tolerance * input.response_squares;
}

// Whether least squares could still fall along a feature outside the support: its product with the
// residual is more than rounding. ||r||^2 is then the only bound on the gap.
bool leaves_product(const Workspace& workspace, const reduction::Support& support, Index feature,
                    double product, double drift);

// Solved settings in the order of the targets, which go from strong to weak; `report` is called
// with the number of settings done. A cancelled run leaves the rest undone.
using Report = std::function<void(Index done, double gap)>;

std::vector<Solved> solve_by_columns(Workspace& workspace,
                                     std::span<const reduction::Target> targets,
                                     const Report& report);
std::vector<Solved> solve_by_gram(Workspace& workspace, const reduction::ScaledGram& gram,
                                  std::span<const reduction::Target> targets, const Report& report);

// h_max from the products with the response (free features projected out).
double largest_multiplier(const Workspace& workspace, std::span<const double> products);

}  // namespace sven::path
