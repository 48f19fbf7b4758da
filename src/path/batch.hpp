#pragma once
// What is solved is a batch: a list of settings for each of several members over one design. A
// member is a weighting of the rows and a response: the problem itself, one of several responses, a
// training set of a cross-validation. One member alone has the whole team; several have a thread
// each and share their products with X.

#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "path/column_path.hpp"
#include "path/forms.hpp"

namespace sven::path {

struct Member {
    Problem problem;
    std::vector<double> weights;  // where its own differ from those of the problem
    Options options;
    Workspace work;
    // Whether unpenalised features depend on each other; none: not known yet.
    std::optional<bool> depends;
    Method method = Method::primal;  // by which it was solved
    std::size_t place = 0;           // in its batch
    OrderedTargets asked;
    std::vector<Solved> solved;  // in the order of the settings
    Standing standing;           // where the last solve left it
    std::unique_ptr<ColumnCache> cache;
};
using Members = std::vector<Member*>;

// Settings done over all members. Any thread may add; the caller's own thread reports.
class Meter {
  public:
    Meter(const std::function<void(const Progress&)>& report, std::size_t total)
        : report_(report), total_(static_cast<Index>(total)) {}

    void add(Index settings, double gap);

  private:
    std::function<void(const Progress&)> report_;
    std::thread::id reporter_ = std::this_thread::get_id();
    std::mutex mutex_;
    Index total_;
    Index done_ = 0;
    double gap_ = 0;
};

// Where paths over the columns begin: at the top, where all coefficients are zero, or where the
// last solve left the member, which is then alone in its batch.
enum class Start { top, standing };

struct Batch {
    std::span<const Setting> settings;
    linalg::Execution team;
    // Prepares a member from its Gram matrix, which is filled in; false where that is too coarse to
    // begin with. Null: all are solved over the columns.
    std::function<bool(Member&, problem::ScaledGram&)> make_gram;
    // Prepares members over their columns; null where all are prepared.
    std::function<void(const Members&)> make_columns;
    // The weights and the response of a member that was prepared from sums over its rows; null
    // where all have theirs, or there are none.
    std::function<void(Member&)> take_rows;
    Start start = Start::top;
    // Keeps where the members are, and has where they go on; null: nothing is kept.
    Record* record = nullptr;
};

// Certified, and repaired from the columns where a Gram matrix was too coarse. A cancel leaves
// settings undone.
void solve_batch(const Batch& batch, const Members& members, Meter& meter);

// Gap and certified support of one setting as a single fit has them: from the data, and with the
// coefficients proven whatever their number. What the data do not confirm is solved again from the
// columns.
void certify_alone(const Batch& batch, Index setting, Member& member);

// Members whose moments are those of their weights, but for the products with the response: one
// product with X gives those of all.
void renew_products(const Members& members, const linalg::Execution& team);

// How many members over a design are solved side by side: what they hold is limited.
std::size_t largest_group(const linalg::Design& X);

// What was solved for a member, on the user's scale.
std::vector<Solution> make_solutions(const Member& member, std::span<const Setting> settings);

// Calls body(member, its number) for each, spread over the threads; each is independent of the
// others. The first failure is thrown once all have ended. A member alone is not put into a team:
// it would have none of its own.
template <class Body>
void for_each(const Members& members, int threads, const Body& body) {
    const auto count = static_cast<Index>(members.size());
    if (count == 1) {
        body(*members.front(), Index{0});
        return;
    }
    std::vector<std::exception_ptr> failures(members.size());
    linalg::parallel_for({}, threads, count, [&](Index k) {
        try {
            body(*members[k], k);
        } catch (...) {
            failures[k] = std::current_exception();
        }
    });
    for (const std::exception_ptr& failure : failures)
        if (failure) std::rethrow_exception(failure);
}

// The time of a call, told as equal shares of its settings.
class Watch {
  public:
    void share(std::span<Solution> solutions, std::size_t settings) const {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
        for (Solution& solution : solutions)
            solution.seconds = passed.count() / static_cast<double>(settings);
    }

  private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace sven::path
