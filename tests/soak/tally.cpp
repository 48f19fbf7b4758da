#include "soak/tally.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace sven::soak {

void Tally::add(const Outcome& outcome) {
    ++problems;
    regular += outcome.is_regular ? 1 : 0;
    silent += outcome.is_silent ? 1 : 0;
    gross += outcome.is_gross ? 1 : 0;
    contradicted += outcome.is_contradicted ? 1 : 0;
    misstated += outcome.is_misstated ? 1 : 0;
    understated += outcome.is_understated ? 1 : 0;
    refused += outcome.is_refused ? 1 : 0;
    missed += outcome.is_missed ? 1 : 0;
    false_alarms += outcome.is_false_alarm ? 1 : 0;
    unjudged += outcome.is_unjudged ? 1 : 0;
    largest_ratio = std::max(largest_ratio, outcome.largest_ratio);
    largest_truth = std::max(largest_truth, outcome.largest_truth);
}

bool Tally::is_above_limit() const {
    // one in a short run is no rate
    return false_alarms > 1 &&
           static_cast<double>(false_alarms) > false_alarm_limit * static_cast<double>(regular);
}

bool Tally::has_failed() const {
    return silent > 0 || contradicted > 0 || misstated > 0 || understated > 0 || unjudged > 0 ||
           is_above_limit();
}

namespace {

std::string row_of(const Tally& tally) {
    std::array<char, 400> text{};
    const double share = tally.regular > 0 ? 100.0 * static_cast<double>(tally.false_alarms) /
                                                 static_cast<double>(tally.regular)
                                           : 0;
    const auto number = [](Index count) { return static_cast<long long>(count); };
    std::snprintf(text.data(), text.size(),
                  "| %s | %lld | %lld | %lld | %lld | %lld | %lld | %lld | %lld | %lld | %lld "
                  "(%.2f %%) | %lld | "
                  "%.2g | %.2g |\n",
                  std::string(tally.family).c_str(), number(tally.problems), number(tally.regular),
                  number(tally.silent), number(tally.gross), number(tally.contradicted),
                  number(tally.misstated), number(tally.understated), number(tally.refused),
                  number(tally.missed), number(tally.false_alarms), share, number(tally.unjudged),
                  tally.largest_ratio, tally.largest_truth);
    return text.data();
}

}  // namespace

std::string table_of(const std::vector<Tally>& tallies) {
    std::string table =
        "| family | problems | regular | silent | above 1e-12 | contradicted | misstated | "
        "understated | refused | missed | "
        "false alarms | not judged | largest true/reported | largest true gap |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    Tally all;
    all.family = "all";
    for (const Tally& tally : tallies) {
        table += row_of(tally);
        all.problems += tally.problems;
        all.regular += tally.regular;
        all.silent += tally.silent;
        all.gross += tally.gross;
        all.contradicted += tally.contradicted;
        all.misstated += tally.misstated;
        all.understated += tally.understated;
        all.refused += tally.refused;
        all.missed += tally.missed;
        all.false_alarms += tally.false_alarms;
        all.unjudged += tally.unjudged;
        all.largest_ratio = std::max(all.largest_ratio, tally.largest_ratio);
        all.largest_truth = std::max(all.largest_truth, tally.largest_truth);
    }
    return table + row_of(all);
}

}  // namespace sven::soak
