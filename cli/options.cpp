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

void refuse_choice(const std::string& names, const std::string& text, const std::string& choices) {
    throw UsageError(fmt::format("{}: \"{}\" is none of {}", first_name(names), text, choices));
}

}  // namespace sven::cli
