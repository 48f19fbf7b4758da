#include "cli/completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>

#include "cli/arguments.hpp"

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

bool takes_columns(const CLI::Option& option) {
    return option.get_type_name().find("NAME") != std::string::npos;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

// The commands whose first file is a model: the columns are those of the second.
std::vector<std::string> with_model(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* const command : commands_of(app))
        if (command->get_option_no_throw("MODEL") != nullptr) names.push_back(command->get_name());
    return names;
}

std::string bash_script(const CLI::App& app) {
    std::string commands;
    std::string options;
    std::string values;
    for (const CLI::App* const command : commands_of(app)) {
        commands += (commands.empty() ? "" : " ") + command->get_name();
        std::string names;
        for (const CLI::Option* const option : command->get_options()) {
            const std::vector<std::string> words = words_of(*option);
            names += fmt::format("{}{}", names.empty() || words.empty() ? "" : " ",
                                 fmt::join(words, " "));
            if (words.empty()) continue;
            const std::string choices = choices_of(*option);
            const std::string reply = takes_columns(*option)
                                          ? "_sven_columns; return"
                                          : fmt::format(
                                                "COMPREPLY=($(compgen -W '{}' -- "
                                                "\"$word\")); return",
                                                choices);
            if (choices.empty() && !takes_columns(*option)) continue;
            values +=
                fmt::format("        {}:{}) {} ;;\n", command->get_name(),
                            fmt::join(words, fmt::format("|{}:", command->get_name())), reply);
        }
        options += fmt::format("        {}) options='{}' ;;\n", command->get_name(), names);
    }
    return fmt::format(R"bash(# completion of sven; made by "sven completion"
_sven_columns() {{  # of the first file on the line, after that of a model; of a list the last name
    local file before= skipped=0 IFS=$'\n'
    case $command in {3}) skipped=1 ;; esac
    case $word in *,*) before=${{word%,*}}, ;; esac
    for file in "${{COMP_WORDS[@]:2}}"; do
        [ -f "$file" ] || continue
        if [ $((skipped--)) -eq 0 ]; then
            COMPREPLY=($(compgen -P "$before" -W "$(sven completion columns "$file")" -- "${{word##*,}}"))
            return
        fi
    done
}}
_sven() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
    local command=${{COMP_WORDS[1]}} options=
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W '{0} --help --version' -- "$word"))
        return
    fi
    case $command:$previous in
{1}        completion:completion) COMPREPLY=($(compgen -W 'bash zsh fish' -- "$word")); return ;;
        help:help) COMPREPLY=($(compgen -W '{0}' -- "$word")); return ;;
    esac
    case $command in
{2}    esac
    case $word in
        -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
        *) COMPREPLY=($(compgen -f -- "$word")) ;;
    esac
}}
complete -o filenames -F _sven sven
)bash",
                       commands, values, options, fmt::join(with_model(app), "|"));
}

std::string quoted_for_fish(const std::string& text) {
    std::string result = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') result += '\\';
        result += c == '\n' ? ' ' : c;
    }
    return result + "'";
}

std::string fish_script(const CLI::App& app) {
    std::string text = R"fish(# completion of sven; made by "sven completion fish"
function __sven_columns
    set -l files
    set -l place 1
    for file in (commandline -opc)[3..-1]
        test -f $file; and set -a files $file
    end
    __fish_seen_subcommand_from WITH_MODEL; and set place 2
    set -q files[$place]; and sven completion columns $files[$place]
end
complete -c sven -n __fish_use_subcommand -s V -l version -d 'print the version'
)fish";
    const std::string place = "WITH_MODEL";
    text.replace(text.find(place), place.size(),
                 fmt::format("{}", fmt::join(with_model(app), " ")));
    for (const CLI::App* const command : commands_of(app)) {
        const std::string& name = command->get_name();
        text += fmt::format("complete -c sven -n __fish_use_subcommand -a {} -d {}\n", name,
                            quoted_for_fish(command->get_description()));
        for (const CLI::Option* const option : command->get_options()) {
            if (words_of(*option).empty()) continue;
            text += fmt::format("complete -c sven -n '__fish_seen_subcommand_from {}'", name);
            for (const std::string& word : option->get_lnames()) text += " -l " + word;
            for (const std::string& word : option->get_snames()) text += " -s " + word;
            if (takes_columns(*option))
                text += " -x -a '(__sven_columns)'";
            else if (const std::string choices = choices_of(*option); !choices.empty())
                text += fmt::format(" -x -a '{}'", choices);
            else if (option->get_items_expected_max() > 0)
                text += " -r";
            text += " -d " + quoted_for_fish(option->get_description()) + "\n";
        }
    }
    return text;
}

// Within a manual page a line must not begin with a dot or an apostrophe.
std::string for_roff(const std::string& text) {
    std::string result;
    bool begins_line = true;
    for (const char c : text) {
        if (begins_line && (c == '.' || c == '\'')) result += "\\&";
        if (c == '\\')
            result += "\\e";
        else if (c == '-')
            result += "\\-";
        else
            result += c;
        begins_line = c == '\n';
    }
    return result;
}

}  // namespace

std::string completion_script(const CLI::App& app, const std::string& shell) {
    if (shell == "bash") return bash_script(app);
    if (shell == "zsh")
        return "autoload -Uz compinit bashcompinit\ncompinit\nbashcompinit\n" + bash_script(app);
    if (shell == "fish") return fish_script(app);
    throw UsageError(fmt::format(
        "completion: \"{}\" is not a shell that is known; bash, zsh and fish are", shell));
}

std::string column_names(const std::string& path) {
    constexpr std::size_t longest_header = std::size_t{1} << 16;
    std::ifstream file(path, std::ios::binary);
    std::string text(longest_header, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    const std::string header = text.substr(0, text.find_first_of("\r\n"));
    if (header.size() == text.size() || header.find('\0') != std::string::npos) return {};
    char delimiter = ',';
    for (const char one : {'|', ';', '\t', ','})
        if (header.find(one) != std::string::npos) delimiter = one;
    std::string names;
    bool is_quoted = false;
    for (const char c : header) {
        if (c == '"')
            is_quoted = !is_quoted;
        else
            names += c == delimiter && !is_quoted ? '\n' : c;
    }
    return names + "\n";
}

std::string manual_page(const CLI::App& app) {
    std::string text = fmt::format(
        ".TH SVEN 1 \"\" \"sven {}\"\n.SH NAME\nsven \\- {}\n.SH SYNOPSIS\n.B sven\nCOMMAND "
        "[OPTIONS]\n.SH COMMANDS\n.nf\n{}.fi\n",
        SVEN_VERSION, "the elastic net and the Lasso, solved exactly", for_roff(app.help()));
    for (const CLI::App* const command : commands_of(app))
        text += fmt::format(".SH SVEN {}\n.nf\n{}.fi\n", command->get_name(),
                            for_roff(command->help(app.get_name())));
    return text;
}

}  // namespace sven::cli
