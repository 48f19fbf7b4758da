#include "cli/options.hpp"

#include <fmt/format.h>

#include <charconv>

#include "cli/arguments.hpp"

namespace sven::cli {

namespace {

template <class Number>
bool parse(const std::string& text, Number& number) {
    const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data() + (plus ? 1 : 0), last, number);
    return error == std::errc() && end == last;
}

}  // namespace

std::string first_name(const std::string& names) {
    return names.substr(0, names.find(','));
}

double parse_number_option(const std::string& names, const std::string& text) {
    double number = 0;
    if (parse(text, number)) return number;
    throw UsageError(fmt::format("{}: \"{}\" is not a number", first_name(names), text));
}

int parse_count_option(const std::string& names, const std::string& text) {
    int number = 0;
    if (parse(text, number)) return number;
    throw UsageError(fmt::format("{}: \"{}\" is not a whole number", first_name(names), text));
}

std::uint64_t parse_seed_option(const std::string& names, const std::string& text) {
    std::uint64_t number = 0;
    if (parse(text, number)) return number;
    throw UsageError(
        fmt::format("{}: \"{}\" is not a whole number from 0 up", first_name(names), text));
}

char parse_mark_option(const std::string& names, const std::string& text) {
    constexpr std::string_view marks = "#%!$&'()*/:<=>?@[\\]^`{|}~";
    if (text.size() == 1 && marks.find(text.front()) != std::string_view::npos) return text.front();
    throw UsageError(
        fmt::format("{}: \"{}\" is not one of the characters {}", first_name(names), text, marks));
}

std::vector<std::string> split_at_commas(const std::string& text) {
    std::vector<std::string> pieces;
    std::size_t first = 0;
    for (std::size_t comma = text.find(','); comma != std::string::npos;
         comma = text.find(',', first)) {
        pieces.push_back(text.substr(first, comma - first));
        first = comma + 1;
    }
    pieces.push_back(text.substr(first));
    return pieces;
}

void refuse_choice(const std::string& names, const std::string& text, std::string choices) {
    for (std::size_t at = choices.find('|'); at != std::string::npos; at = choices.find('|'))
        choices.replace(at, 1, ", ");
    throw UsageError(fmt::format("{}: \"{}\" is none of {}", first_name(names), text, choices));
}

void refuse_character(const std::string& names, const std::string& text,
                      const std::string& characters) {
    std::string list;
    for (const char one : characters) {
        if (!list.empty()) list += ", ";
        list += one == ' ' ? std::string("a blank") : std::string(1, one);
    }
    throw UsageError(fmt::format("{}: \"{}\" is none of {}", first_name(names), text, list));
}

}  // namespace sven::cli
