#pragma once
// What the library found, as R's lists.

#define R_NO_REMAP
#include <Rinternals.h>

#include <string>
#include <vector>

#include "sven/cross_validation.hpp"

namespace svenet {

// The outcome of one call. R owns it while its parts become R's vectors: an allocation that fails
// there leaves by a long jump, and R frees the outcome later.
struct Outcome {
    std::vector<sven::Solution> path;
    std::vector<sven::Refit> refits;  // of a path of relaxed fits
    std::vector<sven::Setting> grid;
    sven::CvResult validated;
    std::string error;  // a sentence, empty if there was none
    bool is_interrupted = false;
};

// An external pointer to a new outcome. The caller protects it.
SEXP make_outcome();
Outcome& outcome_of(SEXP holder);

// A list with `error`, or `interrupted`; NULL if there was neither.
SEXP failure_list(const Outcome& outcome);
SEXP path_list(const std::vector<sven::Solution>& path);
// The path, by path_list, with how each refit came out.
SEXP relaxed_list(const Outcome& outcome);
SEXP grid_vector(const std::vector<sven::Setting>& grid);
// The first curve; its path by path_list.
SEXP curve_list(const sven::CvResult& result);

}  // namespace svenet
