#pragma once
// JSON as text that can be read and compared by lines.

#include <nlohmann/json.hpp>
#include <string>

namespace sven::cli {

using Json = nlohmann::ordered_json;  // keys in the documented order

// Invalid UTF-8 in a column name must not lose the answer: it is replaced.
std::string text_of(const Json& document);

}  // namespace sven::cli
