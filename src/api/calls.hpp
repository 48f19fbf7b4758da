#pragma once
// What the functions of the interface and sven::Session have in common.

#include <span>
#include <vector>

#include "path/session.hpp"
#include "sven/cross_validation.hpp"

namespace sven::api {

// What the settings of a grid are made for: the session's next path, or anything.
enum class Purpose { any, path };

// The settings of each grid, from one pass over X; the grids are of one convention. Throws
// Interrupted when cancelled.
std::vector<std::vector<Setting>> lambda_grids(path::Session& session, std::span<const Grid> grids,
                                               Purpose purpose = Purpose::any);

// What a session for it is made for.
path::Asked asked(const CrossValidation& plan);

// Settings and folds are validated here; one grid pass, one design and one set of Gram matrices
// for all grids.
// `offset` is what a session of a gaussian response was given the rest of.
CvResult cross_validate(path::Session& session, const CrossValidation& plan,
                        std::span<const double> offset = {});

}  // namespace sven::api
