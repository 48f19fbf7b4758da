#pragma once
// Options are read as text and converted here, so that all errors are reported in the same way.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sven::cli {

// "--t,--budget" -> "--t"
std::string first_name(const std::string& names);

// A number by std::from_chars: exact, independent of the locale; "inf" is a number. Throws
// UsageError.
double parse_number_option(const std::string& names, const std::string& text);
int parse_count_option(const std::string& names, const std::string& text);
std::uint64_t parse_seed_option(const std::string& names, const std::string& text);
// A character that cannot begin a number or a name, nor end a field.
char parse_mark_option(const std::string& names, const std::string& text);

// "a,b,c" -> {"a", "b", "c"}; empty pieces are kept.
std::vector<std::string> split_at_commas(const std::string& text);

// `choices` as the help shows them, "a|b|c".
[[noreturn]] void refuse_choice(const std::string& names, const std::string& text,
                                std::string choices);

[[noreturn]] void refuse_character(const std::string& names, const std::string& text,
                                   const std::string& characters);

// Adds options to one group of a command's help.
class OptionGroup {
  public:
    OptionGroup(CLI::App& app, std::string title) : app_(app), title_(std::move(title)) {}

    void flag(const std::string& names, bool& value, const std::string& help) {
        app_.add_flag(names, value, help)->group(title_);
    }

    void text(const std::string& names, std::optional<std::string>& value, const std::string& type,
              const std::string& help) {
        word(names, type, help, [&value](const std::string& text) { value = text; });
    }

    void number(const std::string& names, std::optional<double>& value, const std::string& type,
                const std::string& help) {
        word(names, type, help, [&value, names](const std::string& text) {
            value = parse_number_option(names, text);
        });
    }

    void count(const std::string& names, std::optional<int>& value, const std::string& type,
               const std::string& help) {
        word(names, type, help,
             [&value, names](const std::string& text) { value = parse_count_option(names, text); });
    }

    void seed(const std::string& names, std::optional<std::uint64_t>& value,
              const std::string& help) {
        word(names, "N", help,
             [&value, names](const std::string& text) { value = parse_seed_option(names, text); });
    }

    void mark(const std::string& names, char& value, const std::string& help) {
        word(names, "CHAR", help,
             [&value, names](const std::string& text) { value = parse_mark_option(names, text); });
    }

    // One of a few characters.
    void one_of(const std::string& names, char& value, const std::string& characters,
                const std::string& help) {
        word(names, "CHAR", help, [&value, names, characters](const std::string& text) {
            if (text.size() != 1 || characters.find(text.front()) == std::string::npos)
                refuse_character(names, text, characters);
            value = text.front();
        });
    }

    void numbers(const std::string& names, std::vector<double>& values, const std::string& type,
                 const std::string& help) {
        word(names, type, help, [&values, names](const std::string& text) {
            for (const std::string& piece : split_at_commas(text))
                values.push_back(parse_number_option(names, piece));
        });
    }

    // May be given several times.
    void names(const std::string& names, std::vector<std::string>& values,
               const std::string& help) {
        app_.add_option(names, values, help)
            ->type_name("NAME,...")
            ->delimiter(',')
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
            ->group(title_);
    }

    // May be given without a list too.
    void optional_names(const std::string& names, bool& is_given, std::vector<std::string>& values,
                        const std::string& help) {
        app_.add_option_function<std::vector<std::string>>(
                names,
                [&is_given, &values](const std::vector<std::string>& given) {
                    is_given = true;
                    for (const std::string& name : given)
                        if (!name.empty()) values.push_back(name);
                },
                help)
            ->type_name("[NAME,...]")
            ->delimiter(',')
            ->expected(0, 1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
            ->group(title_);
    }

    template <class Choice>
    void choice(const std::string& names, Choice& value,
                const std::map<std::string, Choice>& choices, const std::string& help) {
        std::string list;
        for (const auto& [name, unused] : choices) list += (list.empty() ? "" : "|") + name;
        word(names, list, help, [&value, names, choices, list](const std::string& text) {
            const auto found = choices.find(text == "automatic" ? "auto" : text);  // an older name
            if (found == choices.end()) refuse_choice(names, text, list);
            value = found->second;
        });
    }

    void word(const std::string& names, const std::string& type, const std::string& help,
              const std::function<void(const std::string&)>& take) {
        app_.add_option_function<std::string>(names, take, help)->type_name(type)->group(title_);
    }

  private:
    CLI::App& app_;
    std::string title_;
};

}  // namespace sven::cli
