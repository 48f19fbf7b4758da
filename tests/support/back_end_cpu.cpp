#include "support/back_end.hpp"

namespace sven::test {

std::vector<TestedDesign> tested_designs(const MatrixView& X) {
    std::vector<TestedDesign> designs;
    designs.push_back({"", nullptr, linalg::make_design(X)});
    return designs;
}

Device tested_device() {
    return Device::cpu;
}

double tested_tolerance() {
    return 1e-12;
}

}  // namespace sven::test
