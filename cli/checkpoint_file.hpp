#pragma once
// The file of --checkpoint: what a long run has found so far, for a later run of the same command
// to go on with.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"

namespace sven::cli {

// The file must be none of the others, nor one of the output: it is removed when they are there.
// Throws UsageError.
void check_checkpoint(const OutputArguments& output, Svm svm,
                      std::vector<std::optional<std::string>> others);

class CheckpointFile {
  public:
    // Reads the file where there is one; nothing where none is asked for. Throws ParseError,
    // CheckpointError if it is something else, or OutputError where it could not be written.
    explicit CheckpointFile(const std::optional<std::string>& path);

    // The options of a call that is to be kept.
    Options watch(Options options) const;
    // How much of the run was there; empty: nothing.
    std::string note() const;
    // The run is over and has its answer.
    void remove() const;

  private:
    std::optional<std::string> path_;
    std::unique_ptr<Checkpoint> checkpoint_;
};

}  // namespace sven::cli
