#pragma once
// Long calls that can be gone on with: what a path or a cross-validation has found is handed out
// now and then, and a later call of the same problem begins with what was handed out last.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "sven/error.hpp"
#include "sven/export.h"
#include "sven/index.hpp"

namespace sven {

namespace path {
class Journal;  // the library's own
}

// What was saved is not whole, or is of another problem.
struct SVEN_API CheckpointError : Error {
    using Error::Error;
};

// Of the calls that have it in their options (Options::checkpoint), in the order in which they are
// made: solve_path, cross_validate and those of a Session, all over one X. A call that is
// interrupted, by its cancel token or with its process, and made again with what was saved, gives
// the same bits as one that ran through with a checkpoint; one without any agrees with it within
// the tolerance.
class SVEN_API Checkpoint {
  public:
    // Called with everything that is to be kept, in the place of what it was called with before:
    // from any thread, never by two at once. What it throws ends the call.
    using Save = std::function<void(std::span<const std::byte>)>;

    // `saved`: what was saved last; empty: nothing. `name` is what errors call it. Throws
    // CheckpointError where it is not whole; calls throw it where it is not theirs.
    explicit Checkpoint(Save save, std::span<const std::byte> saved = {},
                        const std::string& name = "the checkpoint");
    ~Checkpoint();
    Checkpoint(const Checkpoint&) = delete;
    Checkpoint& operator=(const Checkpoint&) = delete;

    // Settings, over all members of a cross-validation, that were not solved again so far.
    [[nodiscard]] Index restored() const;

    [[nodiscard]] path::Journal& journal() const { return *journal_; }

  private:
    std::unique_ptr<path::Journal> journal_;
};

}  // namespace sven
