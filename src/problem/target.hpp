#pragma once
// The basic types of the solver: penalties, settings, supports.

#include <algorithm>
#include <cmath>
#include <span>
#include <variant>
#include <vector>

#include "linalg/buffer.hpp"
#include "problem/penalties.hpp"
#include "sven/elastic_net.hpp"

namespace sven::problem {

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
