#include "cli/help_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace sven::cli {

namespace {

constexpr std::size_t line_width = 100;
constexpr std::size_t name_width = 34;

// Letters to insert, delete, replace or swap with a neighbour.
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::vector<std::size_t>> table(a.size() + 1,
                                                std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                table[i][j] = i + j;
                continue;
            }
            const std::size_t replaced = table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            table[i][j] = std::min({table[i - 1][j] + 1, table[i][j - 1] + 1, replaced});
            const bool is_swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (is_swapped) table[i][j] = std::min(table[i][j], table[i - 2][j - 2] + 1);
        }
    }
    return table[a.size()][b.size()];
}

}  // namespace

HelpText::HelpText() {
    column_width(name_width);
}

std::string HelpText::make_option_desc(const CLI::Option* option) const {
    return wrapped(CLI::Formatter::make_option_desc(option), line_width - name_width);
}

std::string HelpText::make_option_usage(const CLI::Option* option) const {
    return option->get_group().empty() ? "" : CLI::Formatter::make_option_usage(option);
}

std::string wrapped(const std::string& text, std::size_t width) {
    std::string result;
    std::size_t column = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::size_t length = end - at;
        if (column > 0) {
            const bool fits = column + 1 + length <= width;
            result += fits ? ' ' : '\n';
            column = fits ? column + 1 : 0;
        }
        result += text.substr(at, length);
        column += length;
        at = end + 1;
    }
    return result;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& names) {
    const std::string* best = nullptr;
    const std::size_t letters = word.size() - std::min(word.find_first_not_of('-'), word.size());
    // one mistake in three letters, or in two
    std::size_t least = letters == 2 ? 2 : 1 + letters / 3;
    for (const std::string& name : names) {
        const bool is_beginning = word.size() > 3 && name.starts_with(word);
        const std::size_t away = is_beginning ? 1 : distance(word, name);
        if (away >= least) continue;
        least = away;
        best = &name;
    }
    return best == nullptr ? std::string() : fmt::format("; did you mean {}?", *best);
}

}  // namespace sven::cli
