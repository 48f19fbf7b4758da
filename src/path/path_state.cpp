#include "path/path_state.hpp"

#include <algorithm>

namespace sven::path {
namespace {

// One list of the fields of each struct, for both ways: `archive(field...)`.
template <class Archive>
void list(Archive& archive, problem::Support& support) {
    archive(support.features, support.signs, support.beta);
}

template <class Archive>
void list(Archive& archive, Solved& solved) {
    list(archive, solved.support);
    archive(solved.is_done, solved.status, solved.h, solved.l2, solved.weighted_l1, solved.gap,
            solved.gap_source, solved.certificate, solved.proofs, solved.inverse_diagonal,
            solved.iterations);
}

template <class Archive>
void list(Archive& archive, FitPoint& point) {
    list(archive, point.support);
    archive(point.centre);
}

template <class Archive>
void list(Archive& archive, Standpoint& item) {
    list(archive, item.point);
    archive(item.setting, item.solves, item.sharper_solves, item.steps, item.violators);
}

template <class Archive>
void list(Archive& archive, OutcomeAnswer& answer) {
    list(archive, answer.solved);
    archive(answer.centre, answer.deviance);
}

template <class Archive, class T>
void list(Archive& archive, std::vector<T>& items) {
    std::size_t count = items.size();
    archive(count);
    items.resize(count);
    for (T& item : items) list(archive, item);
}

template <class Archive>
void list(Archive& archive, MemberState& state) {
    list(archive, state.solved);
    ColumnState& columns = state.columns;
    list(archive, columns.support);
    archive(columns.next, columns.h_last, columns.target, columns.products, columns.slopes,
            columns.block_size, columns.knows_slopes, columns.is_swept);
    Standing& standing = state.standing;
    list(archive, standing.support);
    archive(state.h_max, standing.share, standing.l2, standing.weighted_l1, standing.products);
}

template <class Archive>
void list(Archive& archive, OutcomeState& state) {
    list(archive, state.answers);
    list(archive, state.pending);
    list(archive, state.last);
    archive(state.next, state.h_max, state.h_last, state.h_reached, state.products, state.slopes,
            state.block_size, state.knows_slopes);
}

template <class State>
Bytes write(State& state) {
    ByteWriter writer;
    const auto put = [&](const auto&... fields) { (writer.put(fields), ...); };
    list(put, state);
    return writer.take();
}

template <class State>
void read(std::span<const std::byte> bytes, State& state) {
    ByteReader reader(bytes);
    const auto get = [&](auto&... fields) { (reader.get(fields), ...); };
    list(get, state);
}

}  // namespace

Bytes bytes_of(const OutcomeState& state) {
    OutcomeState copy = state;
    return write(copy);
}

OutcomeState outcome_state_of(std::span<const std::byte> bytes) {
    OutcomeState state;
    read(bytes, state);
    return state;
}

Index count_done(std::span<const Solved> solved) {
    return std::count_if(solved.begin(), solved.end(),
                         [](const Solved& one) { return one.is_done; });
}

Record::Record(Journal& journal, std::span<const std::byte> kept, std::size_t members)
    : journal_(journal) {
    if (!kept.empty()) read(kept, states_);
    states_.resize(members);
    for (const MemberState& state : states_) journal_.add_restored(count_done(state.solved));
}

void Record::keep(std::size_t member, MemberState state) {
    const std::lock_guard lock(mutex_);
    states_[member] = std::move(state);
    write();
}

void Record::write() {
    journal_.keep(path::write(states_));
}

}  // namespace sven::path
