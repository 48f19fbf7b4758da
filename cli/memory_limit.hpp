#pragma once
// --memory: no more memory than this beside the pages of mapped files, which the system takes back
// as it needs them.

#include <cstdint>
#include <optional>
#include <string>

namespace sven::cli {

// "2G", "500M", "1.5G": bytes, in units of 1024. Throws UsageError.
std::uint64_t parse_memory_option(const std::string& names, const std::string& text);

// From now on the system grants no more; what needs more ends with a sentence.
void limit_memory(const std::optional<std::uint64_t>& bytes);

}  // namespace sven::cli
