#include "linalg/remote_owners.hpp"

#include <exception>
#include <utility>

#include "linalg/remote_part.hpp"

namespace sven::linalg {
namespace {

class RankOwners final : public Owners {
  public:
    RankOwners(std::shared_ptr<Communicator> ranks, std::unique_ptr<Design> own)
        : ranks_(std::move(ranks)), own_(std::move(own)) {}
    ~RankOwners() override {
        try {
            for (int rank = 1; rank < ranks_->size(); ++rank)
                send(rank, Writer().put(Verb::end).take());
        } catch (...) {  // who is not there any more need not be told
        }
    }

    void set_shift(const std::vector<std::span<const double>>& of_parts) override {
        own_->set_shift({of_parts[0].begin(), of_parts[0].end()});
        for (int rank = 1; rank < ranks_->size(); ++rank)
            send(rank, Writer().put(Verb::set_shift).put_list(of_parts[rank]).take());
    }

    std::vector<std::string> ask(const std::vector<std::string>& requests,
                                 const std::string& common, const Execution& execution) override {
        std::vector<std::string> answers(requests.size());
        std::exception_ptr thrown;
        const int size = ranks_->size();
        for (int rank = 1; rank < size; ++rank)
            if (!requests[rank].empty()) send(rank, requests[rank]);
        if (!common.empty()) {
            (void)spread(*ranks_, common);
            count(static_cast<std::size_t>(size - 1), common.size());
        }
        try {
            if (!requests[0].empty()) answers[0] = answer(*own_, requests[0], common, execution);
        } catch (...) {  // the answers of the others are on their way
            thrown = std::current_exception();
        }
        for (int rank = 1; rank < size; ++rank) {
            if (requests[rank].empty()) continue;
            answers[rank] = ranks_->receive(rank);
            count(1, answers[rank].size());
        }
        if (thrown) std::rethrow_exception(thrown);
        check(answers, "rank");
        return answers;
    }

  private:
    void send(int rank, const std::string& bytes) {
        ranks_->send(rank, bytes);
        count(1, bytes.size());
    }

    std::shared_ptr<Communicator> ranks_;
    std::unique_ptr<Design> own_;
};

class TaskOwners final : public Owners {
  public:
    TaskOwners(std::shared_ptr<ColumnTasks> tasks, std::size_t parts)
        : tasks_(std::move(tasks)), shifts_(parts, Writer().put_list<double>({}).take()) {}

    void set_shift(const std::vector<std::span<const double>>& of_parts) override {
        for (std::size_t part = 0; part < of_parts.size(); ++part)
            shifts_[part] = Writer().put_list(of_parts[part]).take();
    }

    std::vector<std::string> ask(const std::vector<std::string>& requests,
                                 const std::string& common, const Execution& execution) override {
        std::vector<ColumnTasks::Task> tasks;
        for (std::size_t part = 0; part < requests.size(); ++part) {
            if (requests[part].empty()) continue;
            tasks.push_back({static_cast<Index>(part), shifts_[part] + requests[part]});
            count(1, tasks.back().message.size() + common.size());
        }
        const std::vector<std::string> found =
            tasks_->run(tasks, common, [&] { return execution.is_cancelled(); });
        execution.check();
        if (found.size() != tasks.size()) throw Error("tasks of columns have not all answered");
        std::vector<std::string> answers(requests.size());
        for (std::size_t k = 0; k < tasks.size(); ++k) {
            answers[static_cast<std::size_t>(tasks[k].part)] = found[k];
            count(1, found[k].size());
        }
        check(answers, "part");
        return answers;
    }

  private:
    std::shared_ptr<ColumnTasks> tasks_;
    std::vector<std::string> shifts_;  // of each part, as a message begins with it
};

}  // namespace

std::unique_ptr<Owners> make_rank_owners(std::shared_ptr<Communicator> ranks,
                                         std::unique_ptr<Design> own) {
    return std::make_unique<RankOwners>(std::move(ranks), std::move(own));
}

std::unique_ptr<Owners> make_task_owners(std::shared_ptr<ColumnTasks> tasks, std::size_t parts) {
    return std::make_unique<TaskOwners>(std::move(tasks), parts);
}

}  // namespace sven::linalg
