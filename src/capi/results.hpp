#pragma once
// Solutions as plain arrays.

#include <string>
#include <vector>

#include "sven/cross_validation.hpp"
#include "sven/error.hpp"
#include "sven/sven.h"

struct SvenPath;

namespace sven::capi {

struct Arrays {
    Solution solution;  // its coefficients stand below
    std::vector<Index> features;
    std::vector<double> values, standardized;
};

// Solution k of a path, or refit k, as the library knows it.
Solution whole_solution(const SvenPath& path, std::size_t k);

template <class Value>
const Value& at(const char* what, const std::vector<Value>& values, Index k) {
    if (k < 0 || k >= static_cast<Index>(values.size()))
        throw InvalidArgument(std::string(what) + " " + std::to_string(k) +
                              " is asked for; there are " + std::to_string(values.size()));
    return values[static_cast<std::size_t>(k)];
}

inline const double* or_null(const std::vector<double>& values) {
    return values.empty() ? nullptr : values.data();
}

}  // namespace sven::capi

struct SvenPath {
    SvenPath(std::vector<sven::Solution> solutions, sven::Index cols_of_x);
    SvenPath(std::vector<sven::Relaxed> relaxed, sven::Index cols_of_x);

    std::vector<sven::capi::Arrays> solved;
    std::vector<sven::Refit> refits;  // of relaxed solutions; of others none
    sven::Index cols;                 // of X
};

struct SvenCv {
    SvenCv(sven::CvResult solved, sven::Index cols_of_x);

    sven::CvResult result;                          // its paths stand below
    std::vector<std::vector<std::int32_t>> status;  // of each curve: fold_status
    std::vector<SvenPath> paths;
    std::vector<std::vector<std::int32_t>> refits;  // of each curve: relaxed.fold_refit
    std::vector<SvenPath> relaxed;
};
