#include "cli/memory_limit.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <cmath>

#include "cli/arguments.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"

namespace sven::cli {

namespace {

constexpr std::string_view units = "KMGT";
constexpr double unit_step = 1024;
// The program itself, its threads' stacks and its buffers take some of it.
constexpr double least_bytes = 64 << 20;
[[maybe_unused]] constexpr int returned_bytes = 128 << 10;

}  // namespace

std::uint64_t parse_memory_option(const std::string& names, const std::string& text) {
    const auto refuse = [&] {
        throw UsageError(fmt::format("{} is \"{}\", but it must be a size such as 500M or 2G",
                                     first_name(names), text));
    };
    const std::size_t unit = text.empty() ? std::string_view::npos : units.find(text.back());
    if (unit == std::string_view::npos || text.size() < 2) refuse();
    const double number = parse_number_option(names, text.substr(0, text.size() - 1));
    const double bytes = number * std::pow(unit_step, static_cast<double>(unit) + 1);
    if (!(bytes > 0) || !(bytes < 9e18)) refuse();
    if (bytes < least_bytes)
        throw UsageError(fmt::format("{} is {}, but nothing can be done with less than 64M",
                                     first_name(names), text));
    return static_cast<std::uint64_t>(bytes);
}

// Linux counts what a process may write to and shares with no other: heap, buffers, stacks. Files
// that are mapped to be read are not among it. What is large goes back to the system when it is
// freed: glibc keeps ever larger pieces, which others do not fit into.
void limit_memory(const std::optional<std::uint64_t>& bytes) {
    if (!bytes) return;
    rlimit limit{};
    ::getrlimit(RLIMIT_DATA, &limit);
    limit.rlim_cur = std::min<rlim_t>(*bytes, limit.rlim_max);
    ::setrlimit(RLIMIT_DATA, &limit);
#ifdef __GLIBC__
    ::mallopt(M_MMAP_THRESHOLD, returned_bytes);
    ::mallopt(M_ARENA_MAX, 1);
#endif
    blame_memory_option();
}

}  // namespace sven::cli
