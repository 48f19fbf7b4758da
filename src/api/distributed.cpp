#include "sven/distributed.hpp"

#include <cstring>
#include <exception>

#include "sven/error.hpp"
#include "sven/statistics_file.hpp"

namespace sven {
namespace {

// What goes from rank to rank: the traffic that led to it, whether it is an error, and its bytes.
struct Message {
    Traffic traffic;
    bool is_error = false;
    std::string bytes;
};

constexpr std::size_t head_size = 2 * sizeof(std::uint64_t) + 1;

std::string packed(const Message& message) {
    std::string bytes(head_size, '\0');
    std::memcpy(bytes.data(), &message.traffic.messages, sizeof(std::uint64_t));
    std::memcpy(bytes.data() + sizeof(std::uint64_t), &message.traffic.bytes,
                sizeof(std::uint64_t));
    bytes.back() = message.is_error ? 1 : 0;
    return bytes + message.bytes;
}

Message unpacked(const std::string& bytes) {
    if (bytes.size() < head_size) throw Error("a message of another rank is damaged");
    Message message;
    std::memcpy(&message.traffic.messages, bytes.data(), sizeof(std::uint64_t));
    std::memcpy(&message.traffic.bytes, bytes.data() + sizeof(std::uint64_t),
                sizeof(std::uint64_t));
    message.is_error = bytes[head_size - 1] != 0;
    message.bytes = bytes.substr(head_size);
    return message;
}

void send(Communicator& ranks, int to, Message& message) {
    ++message.traffic.messages;
    message.traffic.bytes += head_size + message.bytes.size();
    ranks.send(to, packed(message));
}

Message receive(Communicator& ranks, int from) {
    return unpacked(ranks.receive(from));
}

// The bytes of a rank, or why it has none.
Message make(const Communicator& ranks, const std::function<std::string()>& of_this_rank) {
    try {
        return {{}, false, of_this_rank()};
    } catch (const std::exception& error) {
        const std::string who = ranks.size() == 1 ? "" : "rank " + std::to_string(ranks.rank());
        return {{}, true, (who.empty() ? who : who + ": ") + error.what()};
    }
}

using Merge = std::function<std::string(const std::string&, const std::string&)>;

// Of equal standing the first error stays.
void merge(const Merge& merge_bytes, const Message& other, Message& mine) {
    mine.traffic.messages += other.traffic.messages;
    mine.traffic.bytes += other.traffic.bytes;
    if (mine.is_error) return;
    mine.is_error = other.is_error;
    if (other.is_error) {
        mine.bytes = other.bytes;
        return;
    }
    try {
        mine.bytes = merge_bytes(mine.bytes, other.bytes);
    } catch (const InvalidArgument& error) {
        mine.is_error = true;
        mine.bytes = error.what();
    }
}

// Up: rank r + step to rank r, for steps 1, 2, 4, ...; down: the same pairs in the other order.
Message reduce(Communicator& ranks, Message mine, const Merge& merge_bytes) {
    const int rank = ranks.rank();
    for (int step = 1; step < ranks.size(); step *= 2) {
        if (rank % (2 * step) == step) {
            send(ranks, rank - step, mine);
            break;
        }
        if (rank + step < ranks.size()) merge(merge_bytes, receive(ranks, rank + step), mine);
    }
    return mine;
}

Message broadcast(Communicator& ranks, Message mine) {
    const int rank = ranks.rank();
    int top = 1;
    while (top < ranks.size()) top *= 2;
    // what the way down costs is known before it begins: as many messages as there are others
    if (rank == 0) {
        const auto others = static_cast<std::uint64_t>(ranks.size() - 1);
        mine.traffic.messages += others;
        mine.traffic.bytes += others * (head_size + mine.bytes.size());
    }
    for (int step = top / 2; step >= 1; step /= 2) {
        if (rank % (2 * step) == step)
            mine = receive(ranks, rank - step);
        else if (rank % (2 * step) == 0 && rank + step < ranks.size())
            ranks.send(rank + step, packed(mine));
    }
    return mine;
}

std::string bytes_of(const Statistics& statistics) {
    return statistics.cols() == 0 ? std::string() : io::encode(statistics);
}

Statistics statistics_of(const std::string& bytes) {
    if (bytes.empty()) return {};
    return io::decode_statistics("the statistics of another rank", {bytes.begin(), bytes.end()});
}

std::string merge_statistics(const std::string& a, const std::string& b) {
    return bytes_of(statistics_of(a) + statistics_of(b));
}

void add(const Traffic& more, Traffic& traffic) {
    traffic.messages += more.messages;
    traffic.bytes += more.bytes;
}

// The verdict: where there is an error all throw it.
Message agreed(Communicator& ranks, Message message, Traffic& traffic) {
    message = broadcast(ranks, std::move(message));
    add(message.traffic, traffic);
    if (message.is_error) throw InvalidArgument(message.bytes);
    return message;
}

}  // namespace

Statistics sum_on_root(Communicator& ranks, const std::function<Statistics()>& of_this_rank,
                       Traffic& traffic) {
    const Message sum =
        reduce(ranks, make(ranks, [&] { return bytes_of(of_this_rank()); }), merge_statistics);
    Message verdict = sum;
    if (!sum.is_error) verdict.bytes.clear();
    (void)agreed(ranks, std::move(verdict), traffic);
    return ranks.rank() == 0 ? statistics_of(sum.bytes) : Statistics();
}

Statistics sum_on_all(Communicator& ranks, const std::function<Statistics()>& of_this_rank,
                      Traffic& traffic) {
    Message sum =
        reduce(ranks, make(ranks, [&] { return bytes_of(of_this_rank()); }), merge_statistics);
    return statistics_of(agreed(ranks, std::move(sum), traffic).bytes);
}

std::vector<Index> gather_on_all(Communicator& ranks, const std::function<Index()>& of_this_rank,
                                 Traffic& traffic) {
    const auto bytes_of_number = [&] {
        const Index number = of_this_rank();
        std::string bytes(sizeof(Index), '\0');
        std::memcpy(bytes.data(), &number, sizeof(Index));
        return bytes;
    };
    const auto append = [](const std::string& a, const std::string& b) { return a + b; };
    const Message all = agreed(ranks, reduce(ranks, make(ranks, bytes_of_number), append), traffic);
    std::vector<Index> numbers(static_cast<std::size_t>(ranks.size()));
    if (all.bytes.size() != numbers.size() * sizeof(Index))
        throw Error("a message of another rank is damaged");
    std::memcpy(numbers.data(), all.bytes.data(), all.bytes.size());
    return numbers;
}

}  // namespace sven
