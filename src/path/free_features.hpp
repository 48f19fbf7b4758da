#pragma once

#include "path/workspace.hpp"

namespace sven::path {

// Whether the unpenalised columns are linearly dependent: then no setting has a unique solution,
// since a combination of them that is zero can be added to any.
bool free_features_depend(Workspace& workspace);

}  // namespace sven::path
