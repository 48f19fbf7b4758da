#pragma once
// Extremes of linear functions over { z >= 0 : A z = r }, by the simplex method with Bland's rule,
// in extended precision and for a few dozen variables.

#include <optional>

#include "soak/number.hpp"

namespace sven::soak {

class Polytope {
  public:
    // Rows that are solved for a basis already: variable basis[i] stands in row i alone, with
    // coefficient 1, and right[i] >= 0.
    Polytope(std::vector<Reals> rows, Reals right, std::vector<Index> basis);

    // The largest value of sum cost z; none where there is no largest. It stops as soon as the
    // value is above `enough`, and gives that.
    [[nodiscard]] std::optional<Real> maximum(const Reals& cost, const Real& enough);

  private:
    [[nodiscard]] Index entering(const Reals& cost) const;
    [[nodiscard]] Index leaving(Index column) const;
    void pivot(Index row, Index column);
    [[nodiscard]] Real value(const Reals& cost) const;

    std::vector<Reals> rows_;
    Reals right_;
    std::vector<Index> basis_;
};

}  // namespace sven::soak
