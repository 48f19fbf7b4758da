#include "cli/classes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cli/csv_text.hpp"

namespace sven::cli {

namespace {

std::vector<double> distinct(const std::vector<double>& values) {
    std::set<double> found;
    for (const double value : values)
        if (!std::isnan(value)) found.insert(value);
    return {found.begin(), found.end()};
}

std::string in_quotes(const std::string& text) {
    return "\"" + text + "\"";
}

// Successes and failures become shares of trials.
BinomialTarget from_counts(const io::Dataset& table, const std::string& path) {
    BinomialTarget target;
    for (std::size_t i = 0; i < table.y.size(); ++i) {
        const double successes = table.y[i];
        const double failures = table.failures[i];
        if (successes < 0 || failures < 0)
            throw InvalidArgument(
                fmt::format("{}: row {} (counted from 0) has the count {}, but "
                            "counts must not be negative",
                            path, i, std::min(successes, failures)));
        const double trials = successes + failures;
        target.trials.push_back(std::isnan(trials) ? 0 : trials);
        target.y.push_back(trials == 0 ? 0 : successes / trials);
    }
    return target;
}

// The names of the values of y, by place for texts and as numbers else.
std::vector<std::string> names_of(const io::Dataset& table, const std::vector<double>& values) {
    if (!table.target_levels.empty()) return table.target_levels;
    std::vector<std::string> names;
    names.reserve(values.size());
    for (const double value : values) names.push_back(fmt::format("{}", value));
    return names;
}

}  // namespace

std::pair<std::string, std::string> split_counts(const std::string& target) {
    const std::size_t comma = target.find(',');
    if (comma == std::string::npos) return {target, {}};
    return {target.substr(0, comma), target.substr(comma + 1)};
}

BinomialTarget binomial_target(const io::Dataset& table, const std::string& path,
                               const std::string& positive) {
    if (!table.failures.empty()) return from_counts(table, path);
    const std::vector<double> values = distinct(table.y);
    const bool has_texts = !table.target_levels.empty();
    const bool are_shares = !values.empty() && values.front() >= 0 && values.back() <= 1;
    const bool has_classes = has_texts || !positive.empty() || (!are_shares && values.size() == 2);
    if (!has_classes) return {table.y, {}, {}};  // the library judges other numbers
    Classes classes = names_of(table, values);
    if (classes.size() != 2)
        throw InvalidArgument(fmt::format(
            "{}: the target has {} {} ({}), but a binomial target "
            "has two",
            path, classes.size(), classes.size() == 1 ? "class" : "classes", first_few(classes)));
    if (positive == classes.front()) std::swap(classes[0], classes[1]);
    if (!positive.empty() && positive != classes.back())
        throw InvalidArgument(
            fmt::format("{}: the target has no class {}; its classes are {} and {}", path,
                        in_quotes(positive), classes[0], classes[1]));
    return known_target(table, path, classes);
}

BinomialTarget known_target(const io::Dataset& table, const std::string& path,
                            const Classes& classes) {
    if (!table.failures.empty()) return from_counts(table, path);
    BinomialTarget target{table.y, {}, classes};
    if (classes.empty()) return target;
    const std::vector<double> values = distinct(table.y);
    const std::vector<std::string> names = names_of(table, values);
    for (const std::string& name : names)
        if (std::find(classes.begin(), classes.end(), name) == classes.end())
            throw InvalidArgument(fmt::format(
                "{}: the target holds {}, which is no class of the model", path, in_quotes(name)));
    for (double& value : target.y) {
        if (std::isnan(value)) continue;
        const auto place = table.target_levels.empty()
                               ? std::find(values.begin(), values.end(), value) - values.begin()
                               : static_cast<std::ptrdiff_t>(value);
        value = names[static_cast<std::size_t>(place)] == classes.back() ? 1 : 0;
    }
    return target;
}

}  // namespace sven::cli
