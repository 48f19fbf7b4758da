#pragma once
// Cross-validated paths. Where the Gram matrix pays, a fold's is the whole minus that of its test
// rows: K folds for one pass. Else the paths of all folds advance together and share each
// verification product (maths.md, section "Cross-validation").

#include "path/session.hpp"
#include "sven/cross_validation.hpp"

namespace sven::path {

struct CrossValidationPlan {
    std::span<const Fold> folds;
    Measure measure = Measure::deviance;
    bool keeps_predictions = false;
    Held held = Held::lambda;
    std::span<const double> gammas{};  // of relaxed fits, ascending; empty: none
    bool grouped = true;
};

// One curve for each list of settings, all of one convention and from strong to weak; they share
// the design, the moments and the Gram matrices of the folds. Arguments are valid; every fold has
// test and training rows of positive weight. Throws Cancelled.
CvResult cross_validate_curves(Session& session, std::span<const std::vector<Setting>> grids,
                               const CrossValidationPlan& plan);

// The same for a response that is not gaussian (outcome_cross_validation.cpp).
CvResult cross_validate_outcome(Session& session, std::span<const std::vector<Setting>> grids,
                                const CrossValidationPlan& plan);

}  // namespace sven::path
