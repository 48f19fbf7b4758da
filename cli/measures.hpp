#pragma once
// The measures of cross-validation, in words.

#include <string>

#include "sven/sven.hpp"

namespace sven::cli {

// The one that is meant where none is asked for.
inline Measure resolved(Measure measure, Family family) {
    if (measure != Measure::automatic) return measure;
    return family == Family::gaussian ? Measure::mse : Measure::deviance;
}

// "mean squared error", "binomial deviance": for tables and axes.
std::string title_of(Measure measure, Family family);

}  // namespace sven::cli
