#pragma once
// The elastic net and the Lasso, solved exactly by reduction to a squared-hinge support vector
// machine. With X centred and scaled as requested, weights w and penalty factors f (maths.md, eq.
// 1-3):
//
//     budget    min  sum w (y - Xb)^2 + l2 sum f b^2   subject to   sum f |b| <= t
//     penalty   min  sum w (y - Xb)^2 + l2 sum f b^2 + l1 sum f |b|
//     mixing    min  1/(2W) sum w (y - Xb)^2 + lambda (alpha sum f |b| + (1 - alpha)/2 sum f b^2)

#include <atomic>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "sven/export.h"
#include "sven/matrix.hpp"

namespace sven {

// What the response is. Beside gaussian, the sum of squares in the forms above is the deviance of
// the family: twice the sum of w (A(eta) - y eta), less its least value, with eta = b0 + X b and
//
//     binomial   A = log(1 + e^eta)   y 0 or 1, or a share of successes with their number as weight
//     poisson    A = e^eta            y a count, or a rate with its exposure as weight
//
// which makes the mixing form that of glmnet.
enum class Family { gaussian, binomial, poisson };

class Statistics;
class Checkpoint;

struct Problem {
    MatrixView X;                             // n x p
    std::span<const double> y;                // n
    std::span<const double> weights;          // n, >= 0, not all 0; empty: all one
    std::span<const double> penalty_factors;  // p, 0: unpenalised, infinity: left out; empty: one
    bool nonnegative = false;                 // b >= 0 (unpenalised features included)
    bool intercept = true;
    bool standardize = true;  // columns divided by their population standard deviation
    // Limits of the coefficients on the scale of X, lower <= 0 <= upper, p each; empty: none. Both
    // zero: the coefficient is zero. `nonnegative` is a lower limit of 0 for all.
    std::span<const double> lower{};
    std::span<const double> upper{};
    // A known part of the linear predictor, n: of a gaussian response y - offset is fitted.
    // Intercept and coefficients are those of that fit; predictions are the model's plus the
    // offsets of their rows. Empty: none.
    std::span<const double> offset{};
    Family family = Family::gaussian;
    // In the place of X, y, weights and offset: what is left of the rows (statistics.hpp), for a
    // gaussian response. Solved over their Gram matrix; what needs the rows is refused.
    const Statistics* statistics = nullptr;
};

// Of its X or its statistics.
[[nodiscard]] SVEN_API Index rows(const Problem& problem);
[[nodiscard]] SVEN_API Index cols(const Problem& problem);

struct Budget {
    double t = 0;   // l1 budget, >= 0; infinity: ridge
    double l2 = 0;  // >= 0
};

struct Penalty {
    double l1 = 0;  // >= 0
    double l2 = 0;  // >= 0
};

// l1 = 2 W lambda alpha, l2 = W lambda (1 - alpha), W the sum of the weights: scikit-learn's
// objective. In glmnet's convention the ridge term is divided by the standard deviation of y and
// the penalty factors are rescaled to sum to p, as glmnet does.
enum class Convention { documented, glmnet };

struct Mixing {
    double lambda = 0;  // >= 0
    double alpha = 1;   // in [0, 1]; 1 is the Lasso
    Convention convention = Convention::documented;
};

using Setting = std::variant<Budget, Penalty, Mixing>;

// What is `automatic` in C++, where auto is a keyword, is "auto" everywhere else.

// primal: products with X, cost dominated by n. dual: the Gram matrix, cost dominated by p.
enum class Method { automatic, primal, dual };
enum class Svm { newton, liblinear };
// Where the products with X are computed. automatic: on a GPU if there is one and the call is
// expected to take less time there; otherwise, and if the GPU fails, on the CPU.
enum class Device { cpu, cuda, automatic };
enum class Status { optimal, ridge, not_unique, iteration_limit, cancelled };
enum class GapSource { data, gram };

struct Progress {
    Index done = 0;   // settings
    Index total = 0;  // settings
    double gap = 0;   // largest relative gap so far
};

// Set from any thread to stop a solve: settings already finished are kept.
using CancelToken = std::atomic<bool>;

struct Options {
    Method method = Method::automatic;
    Svm svm = Svm::newton;
    Device device = Device::cpu;
    double tolerance = 1e-10;  // of the relative optimality gap
    // Newton steps of one run; a setting may take several. What has no penalty at all (refits, and
    // where paths of classes and counts begin) has the default at least.
    int max_iterations = 1000;
    int threads = 0;  // 0: default_threads() (sven/build.hpp)
    std::function<void(const Progress&)> progress;
    const CancelToken* cancel = nullptr;
    // Keeps what paths and cross-validations have found (checkpoint.hpp); null: nothing is kept.
    const Checkpoint* checkpoint = nullptr;
    bool proofs = false;  // of each feature, in Solution::proofs: a byte for each and setting
};

struct Coefficient {
    Index feature = 0;        // 0-based column of X
    double value = 0;         // on the user's scale
    double standardized = 0;  // on the scale of the standardised columns
};

// What the gap proves about a feature (maths.md, section "The certified support").
enum class Proof : unsigned char {
    undecided,
    selected,  // non-zero, with the sign of its coefficient, in every solution
    zero,      // zero in every solution
    left_out,  // its column is constant up to rounding: nothing is claimed about it
};

// How many features have which proof.
struct SupportCertificate {
    Index proven_selected = 0;  // non-zero, with this sign, in every solution
    Index proven_zero = 0;      // zero in every solution
    Index undecided = 0;
    Index left_out = 0;  // columns that are constant up to rounding: nothing is claimed about them
};

struct Solution {
    Status status = Status::optimal;
    double t = 0;   // sum f |b|; the budget itself if it was requested and binds
    double l1 = 0;  // the multiplier of the budget, or the requested penalty
    double l2 = 0;
    double lambda = 0;
    std::optional<double> alpha;  // none when l1 = l2 = 0
    double objective = 0;         // of the requested form
    // Relative: the objective, in the budget or penalty form, exceeds the optimum by at most this
    // times the null deviance. The rounding of the bound is included.
    double gap = 0;
    // Of a gaussian response sum w (y - b0 - X b)^2, and sum w y^2 (y centred if there is an
    // intercept); null: without any feature.
    double deviance = 0;
    double null_deviance = 0;
    GapSource gap_source = GapSource::data;
    SupportCertificate certificate;
    std::vector<Proof> proofs;    // by feature, where Options::proofs asks for them
    std::vector<Index> left_out;  // columns that are constant up to rounding
    double intercept = 0;
    std::vector<Coefficient> coefficients;  // the non-zero ones, by feature
    Method method = Method::primal;
    Svm svm = Svm::newton;
    Device device = Device::cpu;  // cpu or cuda: where it was solved
    Index iterations = 0;         // Newton steps
    double seconds = 0;
};

// Throws InvalidArgument on a malformed problem. Iteration limits and cancellation are a Status.
[[nodiscard]] SVEN_API Solution fit(const Problem& problem, const Setting& setting,
                                    const Options& options = {});

[[nodiscard]] SVEN_API std::string_view name(Family family);
[[nodiscard]] SVEN_API std::string_view name(Status status);
[[nodiscard]] SVEN_API std::string_view name(Proof proof);
[[nodiscard]] SVEN_API std::string_view name(Method method);
[[nodiscard]] SVEN_API std::string_view name(Svm svm);
[[nodiscard]] SVEN_API std::string_view name(GapSource source);
[[nodiscard]] SVEN_API std::string_view name(Device device);

// Whether this build can call LIBLINEAR.
[[nodiscard]] SVEN_API bool has_liblinear();

}  // namespace sven
