#pragma once
// Who answers for columns that lie elsewhere: ranks, which keep their part and what they were told,
// or tasks, which know nothing but their messages.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linalg/design.hpp"
#include "sven/distributed.hpp"
#include "sven/error.hpp"

namespace sven::linalg {

// Its calls come one after the other.
class Owners {
  public:
    Owners() = default;
    virtual ~Owners() = default;
    Owners(const Owners&) = delete;
    Owners& operator=(const Owners&) = delete;

    // The shift of each part, for the rounds to come.
    virtual void set_shift(const std::vector<std::span<const double>>& of_parts) = 0;
    // The answers to the requests, one for each part; an empty one asks nothing. Where a request
    // needs it, all that are asked get what is common to them.
    virtual std::vector<std::string> ask(const std::vector<std::string>& requests,
                                         const std::string& common, const Execution& execution) = 0;

    const Traffic& traffic() const { return traffic_; }

  protected:
    void count(std::size_t messages, std::size_t bytes) {
        traffic_.messages += messages;
        traffic_.bytes += messages * bytes;
    }
    // Throws what a part could not do.
    static void check(const std::vector<std::string>& answers, const std::string& owner) {
        for (std::size_t part = 0; part < answers.size(); ++part)
            if (!answers[part].empty() && answers[part].front() != 0)
                throw Error(owner + " " + std::to_string(part) + ": " + answers[part].substr(1));
    }

  private:
    Traffic traffic_;
};

// For rank 0, which has a part of its own. The others serve (remote_part.hpp) until it has gone.
std::unique_ptr<Owners> make_rank_owners(std::shared_ptr<Communicator> ranks,
                                         std::unique_ptr<Design> own);
std::unique_ptr<Owners> make_task_owners(std::shared_ptr<ColumnTasks> tasks, std::size_t parts);

}  // namespace sven::linalg
