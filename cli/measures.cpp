#include "cli/measures.hpp"

namespace sven::cli {

std::string title_of(Measure measure, Family family) {
    switch (resolved(measure, family)) {
        case Measure::mae:
            return "mean absolute error";
        case Measure::classification:
            return "misclassification error";
        case Measure::auc:
            return "area under the ROC curve";
        case Measure::deviance:
            if (family != Family::gaussian) return std::string(name(family)) + " deviance";
            [[fallthrough]];
        default:
            return "mean squared error";
    }
}

}  // namespace sven::cli
