#pragma once
// A problem that is set up once and solved many times. Standardisation, Gram matrix and the start
// of grids are computed at first use and kept, and every solve starts where the last one ended: for
// other settings on the support, the products and the kernel cache that it left, for another
// response on its support and the kernel cache, for other weights on its support.
//
// Every answer is certified as in `fit`; it may differ from that of `fit` within the tolerance.
//
// Threads: a session may be used by one thread at a time. Any number of sessions may run
// concurrently, also on the same X.

#include <memory>
#include <span>
#include <vector>

#include "sven/cross_validation.hpp"
#include "sven/elastic_net.hpp"
#include "sven/export.h"
#include "sven/path.hpp"
#include "sven/path_end.hpp"
#include "sven/relaxed.hpp"

namespace sven {

// How often X was read: passes over all of its columns, and columns that were read one by one, to
// be gathered or multiplied.
struct Reads {
    double passes = 0;
    Index columns = 0;
};

class SVEN_API Session {
  public:
    // X is owned by the caller and must stay valid and unchanged while the session exists.
    // Everything else, here and below, is copied, except the cancel token. Throws InvalidArgument
    // on a malformed problem.
    explicit Session(const Problem& problem, const Options& options = {});
    ~Session();
    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;

    // InvalidArgument leaves the session unchanged.
    void set_response(std::span<const double> y);
    void set_weights(std::span<const double> weights);  // empty: all one
    // A known part of the response, one number per row: y - offset is fitted, and the intercept and
    // the coefficients are those of that fit. Predictions are those of the model plus the offsets
    // of their rows. The offset is kept when the response changes; empty: none.
    void set_offset(std::span<const double> offset);
    // Tolerance, iterations, proofs, progress and cancel token. Throws InvalidArgument if method,
    // SVM, device or threads differ from those of the session.
    void set_options(const Options& options);

    // As the functions of the same names. After a cancel or an error the session is ready for the
    // next call.
    [[nodiscard]] Solution fit(const Setting& setting);
    [[nodiscard]] std::vector<Solution> solve_path(std::span<const Setting> settings);
    // From strong to weak penalties until the path ends: the settings after its last are neither in
    // the answer nor, but for a few, solved.
    [[nodiscard]] std::vector<Solution> solve_path(std::span<const Setting> settings,
                                                   const PathEnd& end);
    [[nodiscard]] std::vector<Relaxed> relax(std::span<const Solution> path);
    [[nodiscard]] std::vector<Setting> lambda_grid(const Grid& grid);
    [[nodiscard]] CvResult cross_validate(const CrossValidation& plan);

    // By all calls so far.
    [[nodiscard]] Reads reads() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sven
