#pragma once
// The state of a Newton solve of the squared hinge (squared_hinge.hpp): the point w, the margins
// m = b - Z'w, the support { m > 0 }, and the same at the Newton point. Along the ray between them
// w and m are linear, so steps of any length cost no product with the samples.
//
// Shrinking: a sample whose margin is far below zero falls asleep and is skipped in products until
// recheck(), which recomputes every margin.

#include <span>
#include <vector>

#include "svm/certificate.hpp"
#include "svm/line_search.hpp"
#include "svm/squared_hinge.hpp"

namespace sven::svm {

class Iterate {
  public:
    // `start`: w to begin from; empty: the centre.
    Iterate(const SquaredHinge& problem, std::span<const double> start, bool shrinks);

    const SquaredHinge& problem() const { return problem_; }
    Rows& samples() const { return *problem_.samples; }
    std::span<const double> w() const { return w_; }
    Selection support() const { return support_; }
    bool is_support(Index i) const { return in_support_[i] != 0; }
    Index support_size() const { return static_cast<Index>(support_.size()); }
    // Samples that entered or left the support in the last step.
    Index changes() const { return changes_; }
    double alpha(Index i) const { return in_support_[i] ? 2 * problem_.costs[i] * margins_[i] : 0; }
    double objective() const { return objective_; }

    // Relative duality gap of w, estimated from the stored margins; also computes gradient() and
    // objective().
    double gap();
    // w - w0 - Za, a_i = 2 C_i max(0, m_i)
    std::span<const double> gradient() const { return gradient_; }

    // Solvers write the Newton point here.
    std::span<double> newton_point() { return newton_w_; }
    double margin(Index i) const { return margins_[i]; }
    // A solver also sets the margins of the whole support at the Newton point, from its own
    // unknowns. They determine a: the rounding of b - z'w would be multiplied by 2 C and dominate
    // a. The difference of the two enters the certificate only squared.
    void set_newton_margin(Index i, double margin) { newton_margins_[i] = margin; }

    // Both need the gradient of the point they start from.
    Index full_step();
    Index descend();
    // Recomputes every margin from w, and the gap and the objective from the samples, with the
    // rounding of the gap included (certificate.hpp). Returns how many sleeping samples are support
    // vectors.
    Index recheck();

  private:
    void compute_newton_margins();
    double step_length();
    Index update_support(double largest_move);
    void fall_asleep(double largest_move);
    void wake_all();

    SquaredHinge problem_;
    Certificate certificate_;
    bool shrinks_;
    std::vector<double> w_;
    std::vector<double> newton_w_;
    std::vector<double> gradient_;
    std::vector<double> margins_;
    std::vector<double> newton_margins_;
    std::vector<double> products_;
    std::vector<Index> awake_;
    std::vector<Index> wanted_;
    std::vector<Index> support_;
    std::vector<char> in_support_;
    std::vector<char> is_asleep_;
    std::vector<Breakpoint> breakpoints_;
    bool has_gap_ = false;
    Index changes_ = 0;
    double objective_ = 0;
    double gap_ = 0;
};

}  // namespace sven::svm
