#pragma once
// The span of some columns of X and of the intercept, in twofold precision and from the entries of
// X themselves: what certificates and answers come from where columns are nearly dependent.

#include "linalg/twofold.hpp"
#include "path/workspace.hpp"

namespace sven::path {

class ColumnSpan {
  public:
    // The columns carry ridges of this l2 as further rows, for at most `most` columns; l2 = 0:
    // none.
    explicit ColumnSpan(const Workspace& workspace, double l2 = 0, Index most = 0);

    // False where the column lies in the span already.
    bool add(Index feature);
    // Takes coefficients that are given off the response.
    void hold(const problem::Support& held);
    Index size() const { return basis_.size(); }
    std::span<const Index> features() const { return features_; }
    // Whether one more column can be afforded: a second's worth of work or so in all.
    bool is_affordable() const;

    // Moves v to the nearest vector whose products with the scaled columns that were added are
    // `products`, and which is orthogonal to the intercept. Returns how far it moved.
    double move(std::span<const double> products, linalg::TwofoldVector& v) const;

    // Coefficients on the scale of the scaled columns, by features().
    struct Fit {
        std::vector<double> beta;
        double h = 0;
    };
    // The minimum of ||y - X b||^2 + l2 sum f b^2 + 2 h sum slopes_k b_k; and the same with the h,
    // not negative, at which sum slopes_k b_k = t, or 0 where less than t is wanted.
    Fit minimise(double h, std::span<const double> slopes) const;
    Fit minimise_within(double t, std::span<const double> slopes) const;

    // The coefficients, on the scale of the scaled columns, that make a feature of the span; none
    // where it lies outside.
    linalg::TwofoldVector combination_of(Index feature) const;

  private:
    linalg::TwofoldVector weighted_column(Index feature) const;
    linalg::Twofold deviation(Index feature) const;
    linalg::TwofoldVector response_coordinates() const;
    std::vector<double> raw(std::span<const double> products) const;
    Fit fit(linalg::TwofoldVector coordinates, double h) const;

    const Workspace& workspace_;
    double l2_;
    Index ridge_rows_;
    linalg::TwofoldBasis basis_;
    std::vector<Index> features_;
    linalg::TwofoldVector held_;  // what is taken off the response; empty: nothing
};

// Whether there is another solution beside this one: a feature outside the support, at its bound,
// is a combination of the support's columns that costs no more (maths.md, eq. 51). `carriers` are
// those of them that seem to make it up: they are tried before all.
bool admits_exchange(const Workspace& workspace, const problem::Support& support, Index feature,
                     std::span<const Index> carriers);

}  // namespace sven::path
