#include "path/journal.hpp"

#include <array>
#include <cmath>
#include <string_view>

#include "linalg/kernels.hpp"
#include "linalg/row_statistics.hpp"
#include "sven/checkpoint.hpp"
#include "sven/random.hpp"
#include "sven/version.hpp"

namespace sven::path {
namespace {

constexpr std::string_view magic = "svenckp2";
constexpr std::uint64_t probe_seed = 1;
constexpr unsigned probe_shift = 11;  // 53 bits are left, which a double holds exactly

std::uint64_t sum_of(std::span<const std::byte> bytes) {
    Fingerprint sum;
    sum.add(bytes);
    return sum.value();
}

std::uint64_t word_of(double value) {
    std::uint64_t word = 0;
    std::memcpy(&word, &value, sizeof word);
    return word;
}

void add(const Setting& setting, Fingerprint& sum) {
    sum.add(setting.index());
    if (const auto* budget = std::get_if<Budget>(&setting))
        sum.add(std::array{budget->t, budget->l2});
    else if (const auto* penalty = std::get_if<Penalty>(&setting))
        sum.add(std::array{penalty->l1, penalty->l2});
    else if (const auto* mixing = std::get_if<Mixing>(&setting))
        sum.add(std::array{mixing->lambda, mixing->alpha,
                           static_cast<double>(static_cast<int>(mixing->convention))});
}

// What the answers depend on, and no more: above the diagonal of the sums and behind them lies what
// their maker left there.
void add(const linalg::RowStatistics& group, Fingerprint& sum) {
    const linalg::GramSums& sums = group.sums;
    const Index order = sums.cols + 2;
    for (Index j = 0; j < order; ++j)
        sum.add(std::span(sums.values.data() + j * sums.stride + j,
                          static_cast<std::size_t>(order - j)));
    sum.add(sums.centre);
    sum.add(group.constant);
    sum.add(std::array{group.y_centre, group.rounding});
}

}  // namespace

void Fingerprint::add(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        std::uint64_t word = 0;
        const std::size_t size = std::min(bytes.size(), sizeof word);
        std::memcpy(&word, bytes.data(), size);
        add(word);
        bytes = bytes.subspan(size);
    }
}

// The text: magic, solves (key, size of the state, state), and the sum over all before.
Journal::Journal(Save save, std::span<const std::byte> saved, std::string name)
    : save_(std::move(save)), name_(std::move(name)) {
    if (saved.empty()) return;
    const auto refuse = [&] {
        throw CheckpointError(name_ + ": is no whole checkpoint of this version of sven");
    };
    if (saved.size() < magic.size() + sizeof(std::uint64_t) ||
        std::memcmp(saved.data(), magic.data(), magic.size()) != 0)
        refuse();
    const std::span<const std::byte> text = saved.first(saved.size() - sizeof(std::uint64_t));
    std::uint64_t sum = 0;
    std::memcpy(&sum, saved.data() + text.size(), sizeof sum);
    if (sum != sum_of(text)) refuse();
    ByteReader reader(text.subspan(magic.size()));
    while (reader.left() > 0) {
        solves_.emplace_back();
        reader.get(solves_.back().key);
        reader.get(solves_.back().state);
    }
}

void Journal::note_data(const linalg::Design& design, const Statistics* statistics,
                        const linalg::Execution& team) {
    if (data_) return;
    Fingerprint sum;
    if (statistics != nullptr) {
        for (const linalg::RowStatistics& group : statistics->data().groups) add(group, sum);
        data_ = sum.value();
        return;
    }
    SplitMix64 random(probe_seed);
    linalg::Panel panel;
    panel.resize(design.rows(), 1, team);
    for (Index i = 0; i < design.rows(); ++i)
        panel.row(i)[0] = std::ldexp(static_cast<double>(random.bits() >> probe_shift), -52) - 1;
    std::vector<double> products(static_cast<std::size_t>(design.cols()));
    design.correlate(panel, team, [&](Index begin, Index count, const double* tile) {
        for (Index c = 0; c < count; ++c) products[begin + c] = tile[c * panel.stride()];
    });
    sum.add(products);
    data_ = sum.value();
}

// Whatever the bits of the answers depend on.
std::uint64_t Journal::key_of(const Problem& problem, const Options& options,
                              std::span<const Setting> settings,
                              std::span<const Fold> folds) const {
    Fingerprint sum;
    for (const std::string_view text :
         {std::string_view(SVEN_VERSION), std::string_view(linalg::kernels().name)})
        sum.add(std::as_bytes(std::span(text)));
    sum.add(data_.value_or(0));
    for (const std::span<const double> values :
         {problem.y, problem.weights, problem.penalty_factors, problem.lower, problem.upper,
          problem.offset})
        sum.add(values);
    for (const int choice :
         {int{problem.nonnegative}, int{problem.intercept}, int{problem.standardize},
          static_cast<int>(problem.family), static_cast<int>(options.method),
          static_cast<int>(options.svm), static_cast<int>(options.device), options.max_iterations,
          int{options.proofs}})
        sum.add(static_cast<std::uint64_t>(choice));
    sum.add(word_of(options.tolerance));
    for (const Setting& setting : settings) add(setting, sum);
    for (const Fold& fold : folds)
        for (const std::vector<Index>* const rows : {&fold.train, &fold.test}) {
            sum.add(rows->size());
            sum.add(std::as_bytes(std::span(*rows)));
        }
    return sum.value();
}

std::span<const std::byte> Journal::begin(const Problem& problem, const Options& options,
                                          std::span<const Setting> settings,
                                          std::span<const Fold> folds) {
    const std::uint64_t key = key_of(problem, options, settings, folds);
    if (begun_ == solves_.size()) solves_.emplace_back().key = key;
    const Solve& solve = solves_[begun_];
    if (solve.key != key)
        throw CheckpointError(
            name_ + ": is the checkpoint of other data, other settings or another build of sven");
    ++begun_;
    return solve.state;
}

void Journal::keep(Bytes state) {
    solves_[begun_ - 1].state = std::move(state);
    ByteWriter writer;
    for (const char letter : magic) writer.put(letter);
    for (const Solve& solve : solves_) {
        writer.put(solve.key);
        writer.put(solve.state);
    }
    Bytes text = writer.take();
    const std::uint64_t sum = sum_of(text);
    const auto raw = std::as_bytes(std::span(&sum, 1));
    text.insert(text.end(), raw.begin(), raw.end());
    if (save_) save_(text);
}

}  // namespace sven::path
