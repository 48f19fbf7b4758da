#pragma once

#include <cstdint>

namespace sven {

using Index = std::int64_t;  // of rows, columns and entries

}  // namespace sven
