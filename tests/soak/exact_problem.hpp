#pragma once
// The problem as the user states it, formed from the exact doubles: weighted means, population
// deviations, centred products. Nothing of the library but its public types comes in.

#include <vector>

#include "soak/case.hpp"
#include "soak/number.hpp"

namespace sven::soak {

// Either a penalty h = l1/2, or a budget t; factors as the convention has them.
struct Target {
    bool is_budget = false;
    bool is_infinite = false;  // budget: none at all
    Real h;
    Real t;
    Real l2;
    Reals factors;
};

class ExactProblem {
  public:
    explicit ExactProblem(const Data& data);

    [[nodiscard]] Target target(const Setting& setting) const;

    // Of the penalty or budget form, at numbers on the user's scale, over the raw rows.
    [[nodiscard]] Real objective(const Target& target, double intercept,
                                 const std::vector<double>& values) const;
    // sum f |b| on the scale of the standardised columns.
    [[nodiscard]] Real budget_used(const Target& target, const std::vector<double>& values) const;

    // Condition of the unit columns that are looked at; of dependent ones, of those that pivoting
    // keeps. Known before anything is solved.
    // Whether all numbers have the sizes that the library takes, and, where the columns are not
    // standardised, sizes that a penalty can compare.
    [[nodiscard]] bool is_in_range() const;
    [[nodiscard]] double condition() const;

    [[nodiscard]] const Data& data() const { return data_; }
    [[nodiscard]] Index features() const { return data_.p; }
    [[nodiscard]] bool is_left_out(Index j) const { return left_out_[j] != 0; }
    // Left out since its entries hold too few digits of what centring leaves.
    [[nodiscard]] bool is_nearly_constant(Index j) const { return nearly_constant_[j] != 0; }
    [[nodiscard]] const Symmetric& gram() const { return gram_; }
    [[nodiscard]] const Reals& products() const { return products_; }
    [[nodiscard]] const Real& response_squares() const { return squares_; }
    [[nodiscard]] const Reals& scales() const { return scales_; }
    [[nodiscard]] const Reals& means() const { return means_; }
    [[nodiscard]] const Real& response_mean() const { return response_mean_; }
    [[nodiscard]] const Real& total_weight() const { return total_weight_; }

  private:
    [[nodiscard]] double condition_of(const std::vector<Index>& features) const;
    [[nodiscard]] Real given_response(Index i) const;  // y, less the offset
    void form_response();
    void form_columns();
    [[nodiscard]] Real mean_of(Index j, bool& is_constant) const;
    void form_products();
    [[nodiscard]] bool must_be_left_out(Index j, const Real& deviation) const;
    [[nodiscard]] bool has_few_digits(Index j, const Real& deviation) const;

    const Data& data_;
    Reals weights_;
    Real total_weight_;
    Real response_deviation_;  // s_y of glmnet's convention
    Real response_mean_;       // 0 without an intercept
    Reals response_;           // centred where there is an intercept
    Real squares_;             // sum w (y - mean)^2
    Reals means_;
    Reals scales_;
    std::vector<char> left_out_;
    std::vector<char> nearly_constant_;
    Reals columns_;  // centred and scaled, n x p by columns; zeros where left out
    Symmetric gram_;
    Reals products_;
};

}  // namespace sven::soak
