#pragma once
// A bound on the distance of w from the optimum, computed from the samples, with the rounding of
// the bound included. For any w and any a >= 0, with margins t_i = b_i - z_i'w and those that a
// stands for, k_i = a_i / (2 C_i) (maths.md, eq. 64),
//
//     P(w) - D(a) = 1/2 ||w - w0 - Za||^2 + sum_i C_i loss(t_i, k_i)
//     loss(t, k)  = (t - k)^2 where t > 0,   k (k - 2t) elsewhere
//
// There is no cancellation. The margins and the gradient are careful sums with known errors; the
// loss is convex in t, so that its largest value over the interval of t is at one of the ends.

#include <span>
#include <vector>

#include "svm/squared_hinge.hpp"

namespace sven::svm {

struct Gap {
    double relative = 1;  // to the objective
    double objective = 0;
};

// Products of entries with w and a: rounded, at about twice the cost of a product with X, or exact,
// on one thread at about ten times that.
enum class Products { rounded, whole };

class Certificate {
  public:
    explicit Certificate(const SquaredHinge& problem, Products products = Products::rounded);
    Certificate(Certificate&&) = default;
    ~Certificate() = default;
    Certificate(const Certificate&) = delete;  // the sums are views of its memory
    Certificate& operator=(const Certificate&) = delete;
    Certificate& operator=(Certificate&&) = delete;

    // Computes every margin of w, and its objective.
    void measure(std::span<const double> w);
    double margin(Index i) const { return margins_.value(i); }
    double margin_error(Index i) const { return margin_errors_[i]; }
    double objective() const { return objective_; }

    // Computes w - w0 - Za for the w that was measured and an a for every sample.
    void combine(std::span<const double> w, std::span<const double> alpha);
    double gradient(Index j) const { return gradient_.value(j); }
    double gradient_error(Index j) const { return gradient_errors_[j]; }

    // An upper bound on C_i loss(t_i, a_i / (2 C_i)).
    double loss(Index i, double alpha) const;
    // `gap` is an upper bound on P(w) - D(a).
    Gap relative(double gap) const;
    // The gap of the w that was measured.
    Gap close(std::span<const double> w, std::span<const double> alpha);

  private:
    struct Memory {
        std::vector<double> high, low, size;
        CarefulSums view(std::size_t count);
    };

    void subtract_products(std::span<const double> w);
    void subtract_combination();

    SquaredHinge problem_;
    bool has_whole_products_;
    Memory of_margins_;
    Memory of_gradient_;
    CarefulSums margins_;
    CarefulSums gradient_;
    std::vector<double> margin_errors_;
    std::vector<double> gradient_errors_;
    std::vector<double> weights_;  // a, of the support
    std::vector<Index> all_;
    std::vector<Index> support_;
    std::vector<double> sample_;  // if products are whole
    double objective_ = 0;
    double least_objective_ = 0;  // a lower bound, with rounding
};

}  // namespace sven::svm
