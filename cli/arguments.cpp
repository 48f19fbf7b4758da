#include "cli/arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/command_options.hpp"
#include "cli/completion.hpp"

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
    "\"sven fit --help\" lists the options of fit, and so on for each command.";

std::string describe_unexpected(const CLI::App& app) {
    const std::vector<std::string> words = app.remaining(true);
    if (words.empty()) return "there is one argument too many";
    const bool is_option = words.front().size() > 1 && words.front()[0] == '-';
    if (is_option) return fmt::format("there is no option \"{}\"", words.front());
    const bool has_command = !app.get_subcommands().empty();
    return fmt::format("{} \"{}\"", has_command ? "unexpected argument" : "there is no command",
                       words.front());
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
    if (command == "predict") return "give a model and a data file";
    if (command == "report") return "give a file that sven path or sven cv wrote";
    if (command == "convert") return "give a data file and a file to write";
    if (command == "simulate") return "give a file to write";
    if (command == "completion") return "give a shell: bash";
    return "give a data file";
}

// "-" is standard input, for at most one file to read and no file to write.
void check_dashes(const CLI::App& command) {
    std::string reader;
    for (const CLI::Option* const option : command.get_options()) {
        if (option->results() != std::vector<std::string>{"-"}) continue;
        const std::string name = option->get_name();
        const bool is_output = name == "OUT" || option->check_lname("output") ||
                               option->check_lname("csv") || option->check_lname("save") ||
                               option->check_lname("report") || option->check_lname("y-out") ||
                               option->check_lname("truth");
        if (is_output)
            throw UsageError(fmt::format("{}: give the file a name; - is standard input", name));
        if (!reader.empty())
            throw UsageError(fmt::format("{} and {} cannot both be standard input", reader, name));
        reader = name;
    }
}

// All commands and options.
struct CommandLine {
    CLI::App app{summary, "sven"};
    FitArguments fit;
    PathArguments path;
    CvArguments cv;
    PredictArguments predict;
    ReportArguments report;
    ConvertArguments convert;
    SimulateArguments simulate;
    InfoArguments info;
    std::string shell;

    CommandLine() {
        app.set_version_flag("--version", std::string("sven ") + SVEN_VERSION,
                             "print the version and exit");
        app.set_help_flag("-h,--help", "print this help and exit");
        app.footer(general_examples);
        app.get_formatter()->column_width(34);
        add_fit(app, fit);
        add_path(app, path);
        add_cv(app, cv);
        add_predict(app, predict);
        add_report(app, report);
        add_convert(app, convert);
        add_simulate(app, simulate);
        add_info(app, info);
        add_completion(app, shell);
    }

    Command chosen() const {
        const std::string name = command();
        if (name == "fit") return fit;
        if (name == "path") return path;
        if (name == "cv") return cv;
        if (name == "predict") return predict;
        if (name == "report") return report;
        if (name == "convert") return convert;
        if (name == "simulate") return simulate;
        if (name == "info") return info;
        if (name == "completion" && shell != "bash")
            throw UsageError(
                fmt::format("completion: \"{}\" is not a shell that is known; bash is", shell));
        if (name == "completion") return Answer{bash_completion(app)};
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
    try {
        app.parse(count, words);
    } catch (const CLI::CallForVersion&) {
        return Answer{app.version() + "\n"};
    } catch (const CLI::CallForHelp&) {
        return Answer{app.help()};
    } catch (const CLI::ExtrasError&) {
        throw UsageError(describe_unexpected(app));
    } catch (const CLI::ArgumentMismatch& error) {
        throw UsageError(describe_mismatch(error));
    } catch (const CLI::RequiredError&) {
        throw UsageError(describe_required(line.command()));
    } catch (const CLI::ParseError& error) {
        throw UsageError(error.what());
    }
    for (const CLI::App* const command : app.get_subcommands()) check_dashes(*command);
    return line.chosen();
}

}  // namespace sven::cli
