#include "sven/folds.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "sven/error.hpp"
#include "sven/random.hpp"

namespace sven {
namespace {

void check_count(int count, Index most, const std::string& of_what) {
    if (count < 2 || count > most)
        throw InvalidArgument("the number of folds is " + std::to_string(count) +
                              "; it must lie between 2 and the number of " + of_what + ", " +
                              std::to_string(most));
}

void shuffle(std::span<Index> order, SplitMix64& random) {
    for (auto i = static_cast<Index>(order.size()) - 1; i > 0; --i)
        std::swap(order[i], order[random.below(i + 1)]);
}

// The rows of a partition in order, in two passes over them.
void put_in_order(std::span<Fold> folds) {
    std::size_t rows = 0;
    for (const Fold& fold : folds) rows += fold.test.size();
    std::vector<std::size_t> fold_of_row(rows);
    for (std::size_t k = 0; k < folds.size(); ++k) {
        for (const Index row : folds[k].test) fold_of_row[row] = k;
        folds[k].test.clear();
    }
    for (std::size_t row = 0; row < rows; ++row)
        folds[fold_of_row[row]].test.push_back(static_cast<Index>(row));
}

// Calls deal(folds) for the folds of each repeat, and puts their rows in order.
template <class Deal>
std::vector<Fold> repeated(int count, int repeats, const Deal& deal) {
    if (repeats < 1) throw InvalidArgument("repeats must be at least 1");
    std::vector<Fold> folds(static_cast<std::size_t>(count) * static_cast<std::size_t>(repeats));
    for (int repeat = 0; repeat < repeats; ++repeat) {
        const auto first = static_cast<std::size_t>(repeat) * static_cast<std::size_t>(count);
        const auto part = std::span(folds).subspan(first, static_cast<std::size_t>(count));
        deal(part);
        put_in_order(part);
    }
    return folds;
}

}  // namespace

std::vector<Fold> make_folds(Index rows, int count, std::uint64_t seed, int repeats) {
    check_count(count, rows, "rows");
    SplitMix64 random(seed);
    std::vector<Index> order(static_cast<std::size_t>(rows));
    return repeated(count, repeats, [&](std::span<Fold> folds) {
        std::iota(order.begin(), order.end(), Index{0});
        shuffle(order, random);
        for (Index i = 0; i < rows; ++i)
            folds[static_cast<std::size_t>(i % count)].test.push_back(order[i]);
    });
}

std::vector<Fold> stratified_folds(std::span<const double> y, int count, std::uint64_t seed,
                                   int repeats) {
    const auto rows = static_cast<Index>(y.size());
    check_count(count, rows, "rows");
    SplitMix64 random(seed);
    std::vector<Index> order(y.size());
    std::vector<Index> turn(static_cast<std::size_t>(count));
    return repeated(count, repeats, [&](std::span<Fold> folds) {
        std::iota(order.begin(), order.end(), Index{0});
        shuffle(order, random);
        std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return y[a] < y[b]; });
        // The same turn throughout: a class of m rows has m / count of them in each fold, rounded
        // down or up.
        std::iota(turn.begin(), turn.end(), Index{0});
        shuffle(turn, random);
        for (Index i = 0; i < rows; ++i)
            folds[static_cast<std::size_t>(turn[i % count])].test.push_back(order[i]);
    });
}

std::vector<Fold> grouped_folds(std::span<const Index> group_of_row, int count, std::uint64_t seed,
                                int repeats) {
    const std::vector<Fold> groups = folds_of(group_of_row);
    check_count(count, static_cast<Index>(groups.size()), "groups");
    SplitMix64 random(seed);
    std::vector<Index> order(groups.size());
    return repeated(count, repeats, [&](std::span<Fold> folds) {
        std::iota(order.begin(), order.end(), Index{0});
        shuffle(order, random);
        std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
            return groups[a].test.size() > groups[b].test.size();
        });
        for (const Index group : order) {
            Fold& smallest = *std::min_element(
                folds.begin(), folds.end(),
                [](const Fold& a, const Fold& b) { return a.test.size() < b.test.size(); });
            const std::vector<Index>& rows = groups[group].test;
            smallest.test.insert(smallest.test.end(), rows.begin(), rows.end());
        }
    });
}

std::vector<Fold> time_ordered_folds(Index rows, int count) {
    check_count(count, rows - 1, "rows but one");
    const Index size = rows / (count + 1);
    std::vector<Fold> folds;
    for (Index first = rows - count * size; first < rows; first += size) {
        Fold fold;
        fold.train.resize(static_cast<std::size_t>(first));
        fold.test.resize(static_cast<std::size_t>(size));
        std::iota(fold.train.begin(), fold.train.end(), Index{0});
        std::iota(fold.test.begin(), fold.test.end(), first);
        folds.push_back(std::move(fold));
    }
    return folds;
}

namespace {

// Mostly they are 0, 1, 2 ... and the folds can be found by their names. As unsigned numbers, since
// the difference may not fit.
bool is_dense(Index least, Index most, std::size_t rows) {
    return static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least) < rows;
}

// `place_of(name)` of each row is its fold; those without a row do not stay. Names may lie far
// apart, and a fold takes more than a count.
template <class PlaceOf>
std::vector<Fold> deal(std::span<const Index> fold_of_row, std::size_t count,
                       const PlaceOf& place_of) {
    std::vector<std::size_t> of_place(count, 0);  // its rows, and then the number of its fold
    for (const Index name : fold_of_row) ++of_place[place_of(name)];
    const auto places = static_cast<std::size_t>(
        std::count_if(of_place.begin(), of_place.end(), [](std::size_t rows) { return rows > 0; }));
    std::vector<Fold> folds(places);
    std::size_t next = 0;
    for (std::size_t& rows : of_place) {
        if (rows == 0) continue;
        folds[next].test.reserve(rows);
        rows = next++;
    }
    for (std::size_t i = 0; i < fold_of_row.size(); ++i)
        folds[of_place[place_of(fold_of_row[i])]].test.push_back(static_cast<Index>(i));
    return folds;
}

}  // namespace

std::vector<Fold> folds_of(std::span<const Index> fold_of_row) {
    if (fold_of_row.empty()) return {};
    const auto [least, most] = std::minmax_element(fold_of_row.begin(), fold_of_row.end());
    if (is_dense(*least, *most, fold_of_row.size()))
        return deal(
            fold_of_row, static_cast<std::size_t>(*most - *least) + 1,
            [first = *least](Index name) { return static_cast<std::size_t>(name - first); });
    std::vector<Index> names(fold_of_row.begin(), fold_of_row.end());
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return deal(fold_of_row, names.size(), [&](Index name) {
        return static_cast<std::size_t>(std::lower_bound(names.begin(), names.end(), name) -
                                        names.begin());
    });
}

}  // namespace sven
