#include "cli/completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace sven::cli {

namespace {

std::vector<std::string> words_of(const CLI::Option& option) {
    std::vector<std::string> words;
    for (const std::string& name : option.get_lnames()) words.push_back("--" + name);
    for (const std::string& name : option.get_snames()) words.push_back("-" + name);
    return words;
}

// "min|1se" are choices; "NAME|NUMBER" is a description.
std::string choices_of(const CLI::Option& option) {
    std::string type = option.get_type_name();
    const bool is_list = std::none_of(type.begin(), type.end(),
                                      [](unsigned char c) { return std::isupper(c) != 0; });
    if (option.get_items_expected_max() == 0 || type.empty() || !is_list) return {};
    std::replace(type.begin(), type.end(), '|', ' ');
    return type;
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
    std::string commands;
    std::string options;
    std::string values;
    for (const CLI::App* const command :
         app.get_subcommands([](const CLI::App*) { return true; })) {
        commands += (commands.empty() ? "" : " ") + command->get_name();
        std::string names;
        for (const CLI::Option* const option : command->get_options()) {
            const std::vector<std::string> words = words_of(*option);
            names += fmt::format("{}{}", names.empty() || words.empty() ? "" : " ",
                                 fmt::join(words, " "));
            const std::string choices = choices_of(*option);
            if (choices.empty() || words.empty()) continue;
            values += fmt::format(
                "        {}:{}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n",
                command->get_name(), fmt::join(words, fmt::format("|{}:", command->get_name())),
                choices);
        }
        options += fmt::format("        {}) options='{}' ;;\n", command->get_name(), names);
    }
    return fmt::format(R"(# bash completion of sven; made by "sven completion bash"
_sven() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
    local command=${{COMP_WORDS[1]}} options=
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W '{} --help --version' -- "$word"))
        return
    fi
    case $command:$previous in
{}        completion:completion) COMPREPLY=($(compgen -W bash -- "$word")); return ;;
    esac
    case $command in
{}    esac
    case $word in
        -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
        *) COMPREPLY=($(compgen -f -- "$word")) ;;
    esac
}}
complete -o filenames -F _sven sven
)",
                       commands, values, options);
}

}  // namespace sven::cli
