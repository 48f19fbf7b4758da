#pragma once
// Ranks that are threads of this process, as the transport of sven/distributed.hpp.

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "sven/distributed.hpp"

namespace sven::test {

// Mailboxes between threads.
class Post {
  public:
    void put(int from, int to, const std::string& letter) {
        const std::lock_guard lock(mutex_);
        boxes_[{from, to}].push_back(letter);
        ++messages;
        bytes += letter.size();
        arrival_.notify_all();
    }
    std::string take(int from, int to) {
        std::unique_lock lock(mutex_);
        std::deque<std::string>& box = boxes_[{from, to}];
        arrival_.wait(lock, [&] { return !box.empty(); });
        std::string letter = std::move(box.front());
        box.pop_front();
        return letter;
    }
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;

  private:
    std::mutex mutex_;
    std::condition_variable arrival_;
    std::map<std::pair<int, int>, std::deque<std::string>> boxes_;
};

class Thread final : public Communicator {
  public:
    Thread(Post& post, int rank, int size) : post_(post), rank_(rank), size_(size) {}
    int rank() const override { return rank_; }
    int size() const override { return size_; }
    void send(int to, const std::string& bytes) override { post_.put(rank_, to, bytes); }
    std::string receive(int from) override { return post_.take(from, rank_); }

  private:
    Post& post_;
    int rank_;
    int size_;
};

// body(ranks), of which the communicator is handed over by reference or shared. The traffic that
// there was.
template <class Body>
Traffic run_ranks(int size, const Body& body) {
    Post post;
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(size));
    for (int rank = 0; rank < size; ++rank)
        threads.emplace_back([&post, &body, rank, size] {
            const auto ranks = std::make_shared<Thread>(post, rank, size);
            if constexpr (std::is_invocable_v<const Body&, Communicator&>)
                body(*ranks);
            else
                body(std::shared_ptr<Communicator>(ranks));
        });
    for (std::thread& thread : threads) thread.join();
    return {post.messages, post.bytes};
}

}  // namespace sven::test
