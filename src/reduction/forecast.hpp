#pragma once
// Where the coefficients of a setting are likely to be, before a step is taken, from the settings
// before it (maths.md, section "Forecasts"): by the factor that the last one was solved with, or
// along the line through the last two.

#include "reduction/machine.hpp"

namespace sven::reduction {

class Forecast {
  public:
    // The state is that of the last setting, and so is its target.
    void begin(Machine& machine, State& state, const Target& next);
    // By the factor: how far the coefficients move, by slot. Empty where there is no factor, the
    // next setting needs no other, or the last one has not changed the support.
    std::span<const double> by_factor() const { return by_factor_; }
    // Moves the coefficients on, along the line through the last two settings; a sign stays.
    void extrapolate(const Machine& machine, State& state) const;

  private:
    struct Past {
        Support support;
        double h = 0;
    };
    // Whether the last setting changed the support.
    bool has_changed() const;
    void solve(Machine& machine, State& state, const Target& next);

    Past last_, before_;
    double ratio_ = 0;  // of the step to the next setting to the one before; zero: no line
    std::vector<double> by_factor_;
};

}  // namespace sven::reduction
