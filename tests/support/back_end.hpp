#pragma once
// Which back end a test program is about. The same tests are linked with back_end_cpu.cpp and with
// cuda/back_end_cuda.cpp.

#include <memory>
#include <string>
#include <vector>

#include "linalg/design.hpp"
#include "sven/elastic_net.hpp"

namespace sven::test {

struct TestedDesign {
    std::string name;
    std::shared_ptr<void> owner;  // of what the design looks at, where that is not the host's
    std::unique_ptr<linalg::Design> design;
};

// The ways in which the back end can hold this matrix.
std::vector<TestedDesign> tested_designs(const MatrixView& X);

Device tested_device();
// How far, relative to the largest, a coefficient may be from the CPU's.
double tested_tolerance();

}  // namespace sven::test
