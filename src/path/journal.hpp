#pragma once
// What the calls with one checkpoint have found, solve by solve: each has a key, by which a later
// run knows that it solves the same, and a state, from which it goes on.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "linalg/design.hpp"
#include "path/bytes.hpp"
#include "sven/elastic_net.hpp"
#include "sven/folds.hpp"

namespace sven::path {

class Journal {
  public:
    using Save = std::function<void(std::span<const std::byte>)>;

    // Throws CheckpointError where `saved` is not what was saved.
    Journal(Save save, std::span<const std::byte> saved, std::string name);

    // The data of all solves, known by products of the columns with a vector of its own: one pass.
    void note_data(const linalg::Design& design, const Statistics* statistics,
                   const linalg::Execution& team);
    // The next solve begins: what was kept of it, or nothing. Throws CheckpointError where another
    // one was kept in its place.
    std::span<const std::byte> begin(const Problem& problem, const Options& options,
                                     std::span<const Setting> settings,
                                     std::span<const Fold> folds = {});
    // Keeps the state of that solve, instead of what was kept before.
    void keep(Bytes state);

    void add_restored(Index settings) { restored_ += settings; }
    Index restored() const { return restored_; }

  private:
    struct Solve {
        std::uint64_t key = 0;
        Bytes state;
    };
    std::uint64_t key_of(const Problem& problem, const Options& options,
                         std::span<const Setting> settings, std::span<const Fold> folds) const;

    Save save_;
    std::string name_;
    std::optional<std::uint64_t> data_;
    std::vector<Solve> solves_;  // those that were read may be more than those begun
    std::size_t begun_ = 0;
    Index restored_ = 0;
};

}  // namespace sven::path
