#pragma once
// Several problems over one design, solved side by side so that they share their products with X:
// the training sets of a cross-validation, or several responses.

#include <exception>
#include <functional>
#include <mutex>
#include <vector>

#include "path/workspace.hpp"

namespace sven::path {

struct Member {
    std::vector<double> weights;  // where its own differ from those of the problem
    Problem problem;
    Options options;  // one thread: the team is spread over the members
    Workspace work;
    std::vector<problem::Target> targets;
    std::vector<Solved> solved;
};

// Problem, options and workspace; weights, response and targets are the caller's.
void set_up(const Problem& problem, const Options& options, Convention convention,
            const std::shared_ptr<linalg::Design>& design, Member& member);

// Calls body(member, its number) for each, spread over the threads; each is independent of the
// others. The first failure is thrown once all have ended.
template <class Body>
void for_each(std::vector<Member>& members, int threads, const Body& body) {
    const auto count = static_cast<Index>(members.size());
    std::vector<std::exception_ptr> failures(members.size());
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (Index k = 0; k < count; ++k) {
        try {
            body(members[k], k);
        } catch (...) {
            failures[k] = std::current_exception();
        }
    }
    for (const std::exception_ptr& failure : failures)
        if (failure) std::rethrow_exception(failure);
}

// Settings done over all members. Any thread may add; the caller's own thread reports.
class Meter {
  public:
    Meter(const Options& options, std::size_t total)
        : report_(options.progress), total_(static_cast<Index>(total)) {}

    void add(Index settings, double gap);

  private:
    std::function<void(const Progress&)> report_;
    std::mutex mutex_;
    Index total_;
    Index done_ = 0;
    double gap_ = 0;
};

double largest_gap(std::span<const Solved> solved);

// The paths of all members over the columns, their blocks verified by one product with X. Throws
// Cancelled; what was solved until then is kept.
void solve_together(std::vector<Member>& members, const linalg::Execution& execution, Meter& meter);

}  // namespace sven::path
