#include "linalg/processors.hpp"

#ifdef __linux__
#include <sched.h>
#endif

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <thread>

#include "linalg/tuning.hpp"

namespace sven::linalg {
namespace {

// A positive number at the beginning of a variable, as in OMP_NUM_THREADS=4,2.
std::optional<int> read_variable(const char* name) {
    const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): read once
    if (text == nullptr) return std::nullopt;
    const long value = std::strtol(text, nullptr, 10);
    if (value <= 0) return std::nullopt;
    return static_cast<int>(std::min<long>(value, most_pool_threads));
}

int affinity() {
#ifdef __linux__
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
#endif
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// The text of a small file; empty where there is none. No stream of the standard library: one that
// is linked into a module and another in the process share their locales and crash.
std::string text_of(const std::string& path) {
    std::string text;
    std::FILE* const file = std::fopen(path.c_str(), "re");
    if (file == nullptr) return text;
    std::array<char, 1024> part;
    for (std::size_t got; (got = std::fread(part.data(), 1, part.size(), file)) > 0;)
        text.append(part.data(), got);
    std::fclose(file);
    return text;
}

// Where the control group of this process is, in the hierarchy with that controller; empty: the one
// of version 2.
std::string control_group(const std::string& controller) {
    const std::string text = text_of("/proc/self/cgroup");
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        begin = end + 1;
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        // a comma on either side of each name
        std::string names = line.substr(first, second - first + 1);
        std::replace(names.begin(), names.end(), ':', ',');
        if (names.find("," + controller + ",") != std::string::npos) return line.substr(second + 1);
    }
    return "";
}

// The least share over a group and those around it: each may have a limit of its own. Inside a
// container the path may name folders that only the host sees; those are skipped.
template <class ReadShare>
double least_share(const std::string& root, std::string path, const ReadShare& read) {
    double least = std::numeric_limits<double>::infinity();
    for (;;) {
        if (path == "/") path.clear();
        least = std::min(least, read(root + path));
        if (path.empty()) return least;
        path.erase(std::min(path.rfind('/'), path.size()));
    }
}

double share_of(double quota, double period) {
    return quota > 0 && period > 0 ? quota / period : std::numeric_limits<double>::infinity();
}

double share_v2(const std::string& folder) {
    const std::string text = text_of(folder + "/cpu.max");
    char* rest = nullptr;
    const double quota = std::strtod(text.c_str(), &rest);  // "max" is no number
    return share_of(quota, std::strtod(rest, nullptr));
}

double share_v1(const std::string& folder) {
    const double quota = std::strtod(text_of(folder + "/cpu.cfs_quota_us").c_str(), nullptr);
    const double period = std::strtod(text_of(folder + "/cpu.cfs_period_us").c_str(), nullptr);
    return share_of(quota, period);  // a quota of -1: no limit
}

// Processors that the control groups allow, rounded down: threads beyond the quota are stopped for
// the rest of each period, and their team waits.
int quota() {
    double share = least_share("/sys/fs/cgroup", control_group(""), share_v2);
    for (const char* root : {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"})
        share = std::min(share, least_share(root, control_group("cpu"), share_v1));
    return static_cast<int>(std::clamp(std::floor(share), 1.0, double{most_pool_threads}));
}

struct Limits {
    int quota = linalg::quota();
    std::optional<int> wanted = read_variable("SVEN_NUM_THREADS");
    std::optional<int> openmp = read_variable("OMP_NUM_THREADS");
    std::optional<int> openmp_limit = read_variable("OMP_THREAD_LIMIT");
};

// Read once, as other libraries do: what a process changes in its own environment is for its
// children.
const Limits& limits() {
    static const Limits known;
    return known;
}

}  // namespace

int usable_processors() {
    return std::min(affinity(), limits().quota);
}

int default_threads() {
    const Limits& known = limits();
    if (known.wanted) return *known.wanted;
    const int threads = known.openmp.value_or(usable_processors());
    return std::min(threads, known.openmp_limit.value_or(threads));
}

}  // namespace sven::linalg
