#include "cli/arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/command_options.hpp"

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

// CLI11 names the option, then tells in its own terms how many values it got.
std::string describe_mismatch(const CLI::ArgumentMismatch& error) {
    const std::string text = error.what();
    const std::string option = text.substr(0, text.find(':'));
    const bool is_missing = text.find("missing") != std::string::npos;
    return option + (is_missing ? " needs a value" : " is given more than once");
}

}  // namespace

const std::vector<std::string>& command_names() {
    static const std::vector<std::string> names = {"fit", "path", "cv", "predict"};
    return names;
}

Command parse_arguments(int count, const char* const* words) {
    FitArguments fit;
    PathArguments path;
    CvArguments cv;
    PredictArguments predict;
    CLI::App app(summary, "sven");
    app.set_version_flag("--version", std::string("sven ") + SVEN_VERSION,
                         "print the version and leave");
    app.set_help_flag("-h,--help", "print this help and leave");
    app.footer(general_examples);
    app.get_formatter()->column_width(34);
    add_fit(app, fit);
    add_path(app, path);
    add_cv(app, cv);
    add_predict(app, predict);
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
        throw UsageError(app.got_subcommand("predict") ? "give a model and a data file"
                                                       : "give a data file");
    } catch (const CLI::ParseError& error) {
        throw UsageError(error.what());
    }
    if (app.got_subcommand("fit")) return fit;
    if (app.got_subcommand("path")) return path;
    if (app.got_subcommand("cv")) return cv;
    if (app.got_subcommand("predict")) return predict;
    throw UsageError("give a command, such as fit or cv");
}

}  // namespace sven::cli
