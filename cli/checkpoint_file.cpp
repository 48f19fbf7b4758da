#include "cli/checkpoint_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/csv_text.hpp"
#include "cli/json_reader.hpp"
#include "cli/output_file.hpp"

namespace sven::cli {

namespace {

// As a whole: another process that reads it, or goes on with it, finds the old one or the new one.
void write_whole(const std::string& path, std::span<const std::byte> bytes) {
    OutputFile file(path);
    file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    file.finish();
    int error = file.take_temporary_name();
    if (error == 0) error = file.take_place();
    if (error != 0) file.give_up();
    file.settle(error);
}

}  // namespace

void check_checkpoint(const OutputArguments& output, Svm svm,
                      std::vector<std::optional<std::string>> others) {
    if (!output.checkpoint) return;
    if (*output.checkpoint == "-") throw UsageError("--checkpoint needs the name of a file");
    if (svm != Svm::newton) throw UsageError("--checkpoint and --svm liblinear exclude each other");
    others.insert(others.end(), {output.file, output.report});
    for (const std::optional<std::string>& other : others)
        if (other == output.checkpoint)
            throw UsageError(fmt::format("--checkpoint {} is the file of another option", *other));
}

CheckpointFile::CheckpointFile(const std::optional<std::string>& path) : path_(path) {
    if (!path) return;
    struct stat status {};
    const bool exists = ::stat(path->c_str(), &status) == 0;
    if (exists && !S_ISREG(status.st_mode))
        throw ParseError(fmt::format("{}: is no file that a checkpoint could be", *path));
    { const OutputFile trial(*path); }  // a folder that cannot be written is told at once
    const std::string text = exists ? read_text_file(*path) : std::string();
    const auto save = [name = *path](std::span<const std::byte> bytes) {
        write_whole(name, bytes);
    };
    checkpoint_ = std::make_unique<Checkpoint>(save, std::as_bytes(std::span(text)), *path);
}

Options CheckpointFile::watch(Options options) const {
    options.checkpoint = checkpoint_.get();
    return options;
}

std::string CheckpointFile::note() const {
    if (checkpoint_ == nullptr || checkpoint_->restored() == 0) return "";
    return fmt::format("went on from {}, which had {}", *path_,
                       counted(checkpoint_->restored(), "setting"));
}

void CheckpointFile::remove() const {
    if (path_) ::unlink(path_->c_str());
}

}  // namespace sven::cli
