#pragma once
// What the functions of the interface and sven::Session have in common.

#include <span>
#include <vector>

#include "path/session.hpp"
#include "sven/cross_validation.hpp"

namespace sven::api {

// The settings of each grid, from one pass over X; the grids are of one convention. Throws
// Interrupted when cancelled.
std::vector<std::vector<Setting>> lambda_grids(path::Session& session, std::span<const Grid> grids);

// Settings and folds are validated here; one grid pass, one design and one set of Gram matrices
// for all grids.
// `offset` is what a session of a gaussian response was given the rest of.
CvResult cross_validate(path::Session& session, const CrossValidation& plan,
                        std::span<const double> offset = {});

}  // namespace sven::api
