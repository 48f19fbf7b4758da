#include "cli/arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/command_options.hpp"
#include "cli/completion.hpp"
#include "cli/help_text.hpp"

namespace sven::cli {

namespace {

const char* const summary =
    "The elastic net and the Lasso, solved exactly: every answer carries the proof of how far it\n"
    "can be from the optimum.";

const char* const general_examples =
    "Examples:\n"
    "  sven fit data.csv --target price --t 2 --lambda2 0.5\n"
    "  sven path data.csv --target price --alpha 0.5 -o path.json\n"
    "  sven cv data.csv --target price -o model.json\n"
    "\"sven help fit\" lists the options of fit, and so on for each command.";

// A command that there is not.
std::string describe_command(const CLI::App& app, const std::string& word) {
    std::vector<std::string> names;
    for (const CLI::App* const command : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    return fmt::format("there is no command \"{}\"{}", word, did_you_mean(word, names));
}

std::vector<std::string> option_names(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* const option : command.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

// "; sven path and sven cv have it", of an option that this command has not.
std::string who_has(const CLI::App& app, const std::string& option) {
    std::vector<std::string> owners;
    for (const CLI::App* const command : app.get_subcommands([](const CLI::App*) { return true; }))
        if (command->get_option_no_throw(option) != nullptr)
            owners.push_back("sven " + command->get_name());
    if (owners.empty()) return {};
    const std::string last = owners.back();
    owners.pop_back();
    if (owners.empty()) return fmt::format("; {} has it", last);
    return fmt::format("; {} and {} have it", fmt::join(owners, ", "), last);
}

std::string describe_option(const CLI::App& app, const CLI::App* command, const std::string& word) {
    const std::string option = word.substr(0, word.find('='));
    const std::string owners = command == nullptr ? std::string() : who_has(app, option);
    if (!owners.empty())
        return fmt::format("there is no option \"{}\" of sven {}{}", option, command->get_name(),
                           owners);
    const CLI::App& given = command == nullptr ? app : *command;
    return fmt::format("there is no option \"{}\"{}", option,
                       did_you_mean(option, option_names(given)));
}

std::string describe_unexpected(const CLI::App& app) {
    const std::vector<std::string> words = app.remaining(true);
    if (words.empty()) return "there is one argument too many";
    const std::string& word = words.front();
    const auto given = app.get_subcommands();
    if (word.size() > 1 && word[0] == '-')
        return describe_option(app, given.empty() ? nullptr : given.front(), word);
    if (!given.empty()) return fmt::format("unexpected argument \"{}\"", word);
    return describe_command(app, word);
}

// CLI11's message has the option, then in its own words the number of values.
std::string describe_mismatch(const CLI::ArgumentMismatch& error) {
    const std::string text = error.what();
    const std::string option = text.substr(0, text.find(':'));
    const bool is_missing = text.find("missing") != std::string::npos;
    return option + (is_missing ? " needs a value" : " is given more than once");
}

// The required arguments of a command.
std::string describe_required(const std::string& command) {
    if (command == "predict" || command == "assess") return "give a model and a data file";
    if (command == "report") return "give a file that sven path or sven cv wrote";
    if (command == "convert") return "give a data file and a file to write";
    if (command == "gram") return "give data files, and -o FILE";
    if (command == "simulate") return "give a file to write";
    if (command == "completion") return "give a shell: bash, zsh or fish";
    return "give a data file";
}

// "fit --one-hot data.csv": the file was taken for the list of columns.
std::string describe_swallowed(const CLI::App& app) {
    for (const CLI::App* const command : app.get_subcommands()) {
        const CLI::Option* const list = command->get_option_no_throw("--one-hot");
        if (list != nullptr && !list->results().empty() && !list->results().front().empty())
            return fmt::format(" before --one-hot, which took \"{}\" for a list of columns",
                               fmt::join(list->results(), ","));
    }
    return {};
}

// "-" is standard input for at most one file to read, and standard output for at most one to write
// whose format does not come from its name.
void check_dashes(const CLI::App& command) {
    std::string reader;
    std::string writer;
    for (const CLI::Option* const option : command.get_options()) {
        if (option->results() != std::vector<std::string>{"-"}) continue;
        const std::string name = option->get_name();
        if (name == "OUT" || option->check_lname("y-out") || option->check_lname("truth"))
            throw UsageError(fmt::format("{}: give the file a name, which tells its format", name));
        const bool is_output = option->check_lname("output") || option->check_lname("csv") ||
                               option->check_lname("save") || option->check_lname("report") ||
                               option->check_lname("oof");
        std::string& other = is_output ? writer : reader;
        if (!other.empty())
            throw UsageError(fmt::format("{} and {} cannot both be standard {}", other, name,
                                         is_output ? "output" : "input"));
        other = name;
    }
    const CLI::Option* const json = command.get_option_no_throw("--json");
    if (!writer.empty() && json != nullptr && json->count() > 0)
        throw UsageError(fmt::format("--json and {} - exclude each other", writer));
}

// All commands and options.
struct CommandLine {
    CLI::App app{summary, "sven"};
    FitArguments fit;
    PathArguments path;
    CvArguments cv;
    PredictArguments predict;
    AssessArguments assess;
    ReportArguments report;
    ConvertArguments convert;
    GramArguments gram;
    SimulateArguments simulate;
    InfoArguments info;
    std::string shell;
    std::string table;  // whose columns a script of completion asks for

    CommandLine() {
        app.set_version_flag("-V,--version", std::string("sven ") + SVEN_VERSION,
                             "print the version and exit");
        app.set_help_flag("-h,--help", "print this help and exit");
        app.footer(general_examples);
        app.formatter(std::make_shared<HelpText>());
        add_fit(app, fit);
        add_path(app, path);
        add_cv(app, cv);
        add_predict(app, predict);
        add_assess(app, assess);
        add_report(app, report);
        add_convert(app, convert);
        add_gram(app, gram);
        add_simulate(app, simulate);
        add_info(app, info);
        add_completion(app, shell, table);
        // Only to be listed: parse_arguments takes it.
        app.add_subcommand("help", "Print the help of a command; of man: all as a manual page.");
    }

    Command chosen() const {
        const std::string name = command();
        if (name == "fit") return fit;
        if (name == "path") return path;
        if (name == "cv") return cv;
        if (name == "predict") return predict;
        if (name == "assess") return assess;
        if (name == "report") return report;
        if (name == "convert") return convert;
        if (name == "gram") return gram;
        if (name == "simulate") return simulate;
        if (name == "info") return info;
        if (name == "completion" && shell == "columns") return Answer{column_names(table)};
        if (name == "completion") return Answer{completion_script(app, shell)};
        throw UsageError("give a command, such as fit or cv");
    }

    std::string command() const {
        const auto given = app.get_subcommands();
        return given.empty() ? std::string() : given.front()->get_name();
    }
};

}  // namespace

bool is_command(std::string_view word) {
    const CommandLine line;
    const auto commands = line.app.get_subcommands([](const CLI::App*) { return true; });
    return std::any_of(commands.begin(), commands.end(),
                       [&](const CLI::App* command) { return command->get_name() == word; });
}

Command parse_arguments(int count, const char* const* words) {
    CommandLine line;
    CLI::App& app = line.app;
    std::vector<const char*> given(words, words + count);
    if (count > 1 && given[1] == std::string_view("help")) {  // "help fit" is "fit --help"
        given.erase(given.begin() + 1);
        given.push_back("--help");
        if (given[1] == std::string_view("man")) return Answer{manual_page(app)};
        if (given[1] != std::string_view("--help") && !is_command(given[1]))
            throw UsageError(describe_command(app, given[1]));
    }
    try {
        app.parse(static_cast<int>(given.size()), given.data());
    } catch (const CLI::CallForVersion&) {
        return Answer{app.version() + "\n"};
    } catch (const CLI::CallForHelp&) {
        return Answer{app.help()};
    } catch (const CLI::ExtrasError&) {
        throw UsageError(describe_unexpected(app));
    } catch (const CLI::ArgumentMismatch& error) {
        throw UsageError(describe_mismatch(error));
    } catch (const CLI::RequiredError&) {
        throw UsageError(describe_required(line.command()) + describe_swallowed(app));
    } catch (const CLI::ParseError& error) {
        throw UsageError(error.what());
    }
    for (const CLI::App* const command : app.get_subcommands()) check_dashes(*command);
    return line.chosen();
}

}  // namespace sven::cli
