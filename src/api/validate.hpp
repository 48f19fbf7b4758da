#pragma once
// The caller's mistakes, named in one sentence before any work.

#include <span>

#include "sven/path.hpp"

namespace sven::api {

void validate(const Problem& problem);
void validate(std::span<const Setting> settings);
void validate(const Options& options);
void validate(const Grid& grid);

}  // namespace sven::api
