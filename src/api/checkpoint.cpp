#include "sven/checkpoint.hpp"

#include "path/journal.hpp"

namespace sven {

Checkpoint::Checkpoint(Save save, std::span<const std::byte> saved, const std::string& name)
    : journal_(std::make_unique<path::Journal>(std::move(save), saved, name)) {}

Checkpoint::~Checkpoint() = default;

Index Checkpoint::restored() const {
    return journal_->restored();
}

}  // namespace sven
