#pragma once
// A problem that is set up once and solved many times. Standardisation, Gram matrix and the start
// of grids are worked out when they are first needed and kept, and every solve begins where the
// last one ended: for other settings on the support, the products and the kernel cache that it
// left, for another response on its support and the kernel cache, for other weights on its support.
//
// Every answer is certified as one of `fit` is; from another start it may differ from that of `fit`
// within the tolerance.
//
// Threads: a session serves one thread at a time. Any number of sessions may run at once, over the
// same X too.

#include <memory>
#include <span>
#include <vector>

#include "sven/cross_validation.hpp"
#include "sven/elastic_net.hpp"
#include "sven/path.hpp"

namespace sven {

class Session {
  public:
    // X stays the caller's: it must be there, unchanged, while the session lives. Everything else,
    // here and below, is copied, but for the cancel token. Throws InvalidArgument on a malformed
    // problem.
    explicit Session(const Problem& problem, const Options& options = {});
    ~Session();
    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;

    // What is refused by InvalidArgument leaves the session as it was.
    void set_response(std::span<const double> y);
    void set_weights(std::span<const double> weights);  // empty: all one
    // What is known of the response beforehand, one number a row: y - offset is fitted, and the
    // intercept and the coefficients are those of that fit. Predictions are the model's plus the
    // offsets of their rows. It stays when the response changes; empty: none.
    void set_offset(std::span<const double> offset);
    // Tolerance, iterations, progress and cancel token. Throws InvalidArgument where method, SVM,
    // device or threads are not those of the session.
    void set_options(const Options& options);

    // As the functions of the same names. What a cancel or an error has stopped leaves the session
    // ready for the next call.
    [[nodiscard]] Solution fit(const Setting& setting);
    [[nodiscard]] std::vector<Solution> solve_path(std::span<const Setting> settings);
    [[nodiscard]] std::vector<Setting> lambda_grid(const Grid& grid);
    [[nodiscard]] CvResult cross_validate(const CrossValidation& plan);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sven
