// The words of the enumerations, in the order of their values.

#include <array>

#include "sven/cross_validation.hpp"
#include "sven/elastic_net.hpp"
#include "sven/relaxed.hpp"

namespace sven {

std::string_view name(Family family) {
    constexpr std::array<std::string_view, 3> names{"gaussian", "binomial", "poisson"};
    return names[static_cast<std::size_t>(family)];
}

std::string_view name(Status status) {
    constexpr std::array<std::string_view, 5> names{"optimal", "ridge", "not_unique",
                                                    "iteration_limit", "cancelled"};
    return names[static_cast<std::size_t>(status)];
}

std::string_view name(Proof proof) {
    constexpr std::array<std::string_view, 4> names{"undecided", "selected", "zero", "left_out"};
    return names[static_cast<std::size_t>(proof)];
}

std::string_view name(Method method) {
    constexpr std::array<std::string_view, 3> names{"auto", "primal", "dual"};
    return names[static_cast<std::size_t>(method)];
}

std::string_view name(Svm svm) {
    return svm == Svm::newton ? "newton" : "liblinear";
}

std::string_view name(Device device) {
    constexpr std::array<std::string_view, 3> names{"cpu", "cuda", "auto"};
    return names[static_cast<std::size_t>(device)];
}

std::string_view name(Measure measure) {
    constexpr std::array<std::string_view, 6> names{"auto", "deviance", "mse",
                                                    "mae",  "class",    "auc"};
    return names[static_cast<std::size_t>(measure)];
}

std::string_view name(Refit refit) {
    constexpr std::array<std::string_view, 3> names{"done", "dependent", "separated"};
    return names[static_cast<std::size_t>(refit)];
}

std::string_view name(GapSource source) {
    return source == GapSource::data ? "data" : "gram";
}

}  // namespace sven
