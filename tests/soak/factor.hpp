#pragma once
// Cholesky factors of unit-diagonal matrices in extended precision.

#include <span>

#include "soak/number.hpp"

namespace sven::soak {

// Of the rows and columns `members` of a matrix, grown one at a time.
class Factor {
  public:
    explicit Factor(const Symmetric& matrix) : matrix_(&matrix) {}

    // False, and nothing changes, where the column depends on those before it.
    bool append(Index member);
    void clear() {
        members_.clear();
        rows_.clear();
    }
    // In the order of the members.
    [[nodiscard]] Reals solve(const Reals& right) const;
    // K_PP^-1 K_Pj.
    [[nodiscard]] Reals combination(Index j) const;
    [[nodiscard]] const std::vector<Index>& members() const { return members_; }

  private:
    [[nodiscard]] Reals forward(Reals right) const;

    const Symmetric* matrix_;
    std::vector<Index> members_;
    std::vector<Reals> rows_;  // of the lower triangle
};

// Which members are independent, taking the one farthest from the span of the others first.
[[nodiscard]] Factor pivoted_factor(const Symmetric& matrix, std::span<const Index> members);

// Of the columns whose unit-diagonal Gram matrix this is; of dependent ones, of those that
// pivoting keeps before the rest depends on them exactly. 1 without columns.
[[nodiscard]] double condition_of_columns(const Symmetric& unit_gram);

}  // namespace sven::soak
