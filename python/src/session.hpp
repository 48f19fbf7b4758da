#pragma once
// sven::Session for Python: a problem that is kept, with the runner of its solves.

#include <optional>

#include "solve.hpp"
#include "sven/session.hpp"

namespace svenet {

class Session {
  public:
    Session(const RegressionProblem& problem, const SolveOptions& options);

    void set_response(const RealVector& y);
    void set_weights(const std::optional<RealVector>& weights);
    void set_offset(const std::optional<RealVector>& offset);
    // Tolerance, iterations and progress; the others stay.
    void set_options(const SolveOptions& options);

    // One path; see solve_paths.
    nb::dict solve(const std::string& form, const RealVector& first, const RealVector& second);
    nb::object lambda_grid(int count, double min_ratio, bool glmnet);
    nb::dict cross_validate(const sven::CrossValidation& plan);

  private:
    // Throws std::runtime_error if another thread is inside, which runs without the GIL.
    void run(const std::function<void()>& work);

    RegressionProblem problem_;  // keeps X alive
    Runner runner_;
    bool is_running_ = false;  // protected by the GIL
    std::optional<sven::Session> session_;
};

}  // namespace svenet
