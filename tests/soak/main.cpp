// sven_soak: seeded problems, solved by the library and judged in extended precision.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <thread>

#include "soak/tally.hpp"

namespace {

using namespace sven::soak;

struct Arguments {
    long count = 5000;
    std::uint64_t seed = 1;
    std::string family;
    int threads = 0;
    std::string table;
    std::string one;
    int lines = 3;
};

struct Job {
    const Family* family;
    std::uint64_t seed;
};

const Family& find_family(const std::string& name) {
    for (const Family& family : families())
        if (family.name == name) return family;
    std::string known;
    for (const Family& family : families()) known.append(" ").append(family.name);
    throw CLI::ValidationError("there is no family " + name + "; there are" + known);
}

// Seeds count within a family, so that a seed means the same whatever families run beside it.
std::vector<Job> make_jobs(const Arguments& arguments) {
    std::vector<const Family*> chosen;
    if (arguments.family.empty())
        for (const Family& family : families()) chosen.push_back(&family);
    else
        chosen.push_back(&find_family(arguments.family));
    std::vector<Job> jobs;
    const auto kinds = static_cast<long>(chosen.size());
    for (long k = 0; k < arguments.count; ++k)
        jobs.push_back({chosen[k % kinds], arguments.seed + static_cast<std::uint64_t>(k / kinds)});
    return jobs;
}

std::string reproduction(const Job& job) {
    return "reproduce: build/release/tests/sven_soak --one " + std::string(job.family->name) + ":" +
           std::to_string(job.seed);
}

// What each thread is at, for the case that it does not come back.
thread_local std::array<char, 200> current{};

extern "C" void say_where(int signal) {
    // nothing but write and _exit is safe here
    if (write(STDERR_FILENO, current.data(), std::strlen(current.data())) < 0) _exit(3);
    std::signal(signal, SIG_DFL);
    raise(signal);
}

std::vector<Outcome> run_all(const std::vector<Job>& jobs, int threads) {
    std::vector<Outcome> outcomes(jobs.size());
    std::atomic<std::size_t> next = 0;
    const bool has_terminal = isatty(STDERR_FILENO) != 0;
    const auto work = [&](bool reports) {
        for (std::size_t k = next++; k < jobs.size(); k = next++) {
            std::snprintf(current.data(), current.size(), "\ncrashed; %s\n",
                          reproduction(jobs[k]).c_str());
            outcomes[k] = run(*jobs[k].family, jobs[k].seed);
            if (reports && k % 64 < 2) std::fprintf(stderr, "\r%zu of %zu", k, jobs.size());
        }
    };
    for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL})
        std::signal(signal, say_where);
    std::vector<std::thread> team;
    for (int thread = 1; thread < threads; ++thread) team.emplace_back(work, false);
    work(has_terminal);
    for (std::thread& thread : team) thread.join();
    if (has_terminal) std::fprintf(stderr, "\r%zu problems      \n", jobs.size());
    return outcomes;
}

int run_one(const std::string& one) {
    const std::size_t colon = one.rfind(':');
    std::uint64_t seed = 0;
    if (colon == std::string::npos || !CLI::detail::lexical_cast(one.substr(colon + 1), seed))
        throw CLI::ValidationError("--one takes FAMILY:SEED, for example ordinary:7");
    const Outcome outcome = show(find_family(one.substr(0, colon)), seed);
    return outcome.is_fault() ? 1 : 0;
}

// What is worst comes first: refuted proofs, then errors by their size.
bool is_worse(const Outcome& a, const Outcome& b) {
    const auto rank = [](const Outcome& outcome) {
        if (outcome.is_unjudged) return 4;
        if (outcome.is_contradicted) return 3;
        if (outcome.is_silent) return 2;
        return outcome.is_misstated || outcome.is_understated ? 1 : 0;
    };
    if (rank(a) != rank(b)) return rank(a) > rank(b);
    return a.largest_truth > b.largest_truth;
}

// False alarms fail a run only in numbers: their seeds are printed where the limit is passed.
void print_faults(const std::vector<Job>& jobs, const std::vector<Outcome>& outcomes,
                  const Tally& tally, int lines) {
    std::vector<std::size_t> faults;
    for (std::size_t k = 0; k < jobs.size(); ++k) {
        if (jobs[k].family->name != tally.family) continue;
        const bool is_alarm = outcomes[k].is_false_alarm && tally.is_above_limit();
        if (outcomes[k].is_fault() || is_alarm) faults.push_back(k);
    }
    std::stable_sort(faults.begin(), faults.end(), [&](std::size_t a, std::size_t b) {
        return is_worse(outcomes[a], outcomes[b]);
    });
    faults.resize(std::min(faults.size(), static_cast<std::size_t>(lines)));
    for (const std::size_t k : faults) {
        const std::string reason = outcomes[k].reason.empty() ? "false alarm" : outcomes[k].reason;
        std::printf("%s (%s)\n", reproduction(jobs[k]).c_str(), reason.c_str());
    }
}

int run_many(const Arguments& arguments) {
    const std::vector<Job> jobs = make_jobs(arguments);
    const int cores = std::max(1U, std::thread::hardware_concurrency());
    const std::vector<Outcome> outcomes =
        run_all(jobs, arguments.threads > 0 ? arguments.threads : cores);
    std::vector<Tally> tallies;
    for (const Family& family : families()) {
        Tally tally;
        tally.family = family.name;
        for (std::size_t k = 0; k < jobs.size(); ++k)
            if (jobs[k].family == &family) tally.add(outcomes[k]);
        if (tally.problems > 0) tallies.push_back(tally);
    }
    const std::string table = table_of(tallies);
    std::printf("%s", table.c_str());
    if (!arguments.table.empty() && !(std::ofstream(arguments.table) << table))
        throw CLI::FileError("cannot write " + arguments.table);
    for (const Tally& tally : tallies) print_faults(jobs, outcomes, tally, arguments.lines);
    return std::any_of(tallies.begin(), tallies.end(),
                       [](const Tally& tally) { return tally.has_failed(); })
               ? 1
               : 0;
}

int run_program(int argc, char** argv) {
    Arguments arguments;
    CLI::App app("Seeded problems, solved by sven and judged in extended precision");
    app.add_option("--count", arguments.count, "problems, over all families")
        ->check(CLI::Range(1L, 1000000000L));
    app.add_option("--seed", arguments.seed, "of the first problem of each family");
    app.add_option("--family", arguments.family, "only this one");
    app.add_option("--threads", arguments.threads, "0: every core; the results are the same")
        ->check(CLI::Range(0, 1024));
    app.add_option("--table", arguments.table, "a file for the table, in markdown");
    app.add_option("--one", arguments.one, "FAMILY:SEED: one problem, with all its numbers");
    app.add_option("--lines", arguments.lines, "failing seeds to print for each family")
        ->check(CLI::Range(0, 1000000));
    try {
        app.parse(argc, argv);
        return arguments.one.empty() ? run_many(arguments) : run_one(arguments.one);
    } catch (const CLI::ParseError& error) {
        return app.exit(error);
    }
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run_program(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "sven_soak: %s\n", error.what());
        return 2;
    }
}
