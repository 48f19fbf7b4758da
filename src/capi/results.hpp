#pragma once
// Solutions as plain arrays.

#include <vector>

#include "sven/cross_validation.hpp"
#include "sven/sven.h"

namespace sven::capi {

struct Arrays {
    Solution solution;  // its coefficients stand below
    std::vector<Index> features;
    std::vector<double> values, standardized;
};

}  // namespace sven::capi

struct SvenPath {
    SvenPath(std::vector<sven::Solution> solutions, sven::Index cols_of_x);

    std::vector<sven::capi::Arrays> solved;
    sven::Index cols;  // of X
};

struct SvenCv {
    SvenCv(sven::CvResult solved, sven::Index cols_of_x);

    sven::CvResult result;                          // its paths stand below
    std::vector<std::vector<std::int32_t>> status;  // of each curve: fold_status
    std::vector<SvenPath> paths;
};
