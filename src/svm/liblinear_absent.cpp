// Replaces liblinear.cpp if the library is not installed.

#include "sven/elastic_net.hpp"
#include "sven/error.hpp"
#include "svm/liblinear.hpp"

namespace sven {

bool has_liblinear() {
    return false;
}

namespace svm {

LinearFit train_liblinear(const LinearProblem&) {
    throw InvalidArgument("this build has no LIBLINEAR");
}

}  // namespace svm
}  // namespace sven
