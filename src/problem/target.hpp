#pragma once
// The basic types of the solver: penalties, settings, supports.

#include <algorithm>
#include <cmath>
#include <span>
#include <variant>
#include <vector>

#include "linalg/buffer.hpp"
#include "sven/elastic_net.hpp"

namespace sven::problem {

// Why a feature never enters.
enum Exclusion : char {
    not_excluded,
    is_zero,   // its coefficient is zero in every solution: a constant column, an infinite factor
    left_out,  // constant up to rounding: nothing is claimed about it
};

// How features are penalised; spans are kept by reference.
struct Penalties {
    std::span<const double> factors;  // f_j; empty: all one
    std::span<const Exclusion> excluded;
    bool nonnegative = false;
    Index left_out_count = 0;  // entries of `excluded` that are left_out

    double factor(Index j) const { return factors.empty() ? 1 : factors[j]; }
    // Unpenalised and of either sign: always in the support, no sign.
    bool is_free(Index j) const { return !nonnegative && factor(j) == 0 && !excluded[j]; }
    // The part of a product x_j'r that counts against the bound h f_j: only the positive part if
    // coefficients must not be negative.
    double magnitude(double product) const {
        return nonnegative ? std::max(0.0, product) : std::abs(product);
    }
    // Whether a feature with beta = 0 must enter (maths.md, eq. 21); `slack` allows for rounding
    // and the tolerance.
    bool violates(Index j, double product, double h, double slack) const {
        return (nonnegative ? product : std::abs(product)) > h * factor(j) + slack;
    }
};

// The setting to be solved: a penalty h = l1/2 on sum f |beta|, or a budget t for it; beside the
// ridge l2.
class Target {
  public:
    Target() = default;
    static Target penalty(double h, double l2) { return {PenaltyForm{h}, l2}; }
    static Target budget(double t, double l2) { return {BudgetForm{t}, l2}; }

    bool is_budget() const { return std::holds_alternative<BudgetForm>(form_); }
    double h() const { return std::get<PenaltyForm>(form_).h; }
    double t() const { return std::get<BudgetForm>(form_).t; }
    double l2() const { return l2_; }

  private:
    struct PenaltyForm {
        double h;
    };
    struct BudgetForm {
        double t;
    };
    using Form = std::variant<PenaltyForm, BudgetForm>;
    Target(Form form, double l2) : form_(form), l2_(l2) {}

    Form form_ = PenaltyForm{0};
    double l2_ = 0;
};

// A support with its coefficients, by feature.
struct Support {
    std::vector<Index> features;
    std::vector<double> signs;  // 0 for free features
    std::vector<double> beta;

    void clear() {
        features.clear();
        signs.clear();
        beta.clear();
    }
};

}  // namespace sven::problem
