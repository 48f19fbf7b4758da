// sven: the elastic net on the command line. Exit codes: 0, 1 (data or numerics), 2 (usage),
// 130 (interrupted).

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

#include "cli/arguments.hpp"
#include "cli/distributed.hpp"
#include "cli/interrupt.hpp"
#include "cli/output_file.hpp"
#include "cli/run.hpp"
#include "cli/terminal.hpp"

namespace sven::cli {

void print(std::string_view text) {
    const bool is_written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (!is_written || std::fflush(stdout) != 0) {
        if (errno == EPIPE) return;  // the reader closed the pipe
        throw OutputError(
            fmt::format("standard output cannot be written ({})", std::strerror(errno)));
    }
}

void complain(std::string_view sentence) {
    if (sentence.empty()) return;
    fmt::print(stderr, "{} {}\n", colored("sven:", Color::error, STDERR_FILENO), sentence);
}

void warn(const std::vector<std::string>& sentences) {
    for (const std::string& sentence : sentences)
        if (!sentence.empty()) complain("warning: " + sentence);
}

namespace {

int run_command(const Answer& answer) {
    print(answer.text);
    return 0;
}

template <class Arguments>
int run_command(const Arguments& arguments) {
    return run(arguments);
}

std::string help_for(int count, const char* const* words) {
    const std::string_view command = count > 1 ? words[1] : "";
    return is_command(command) ? fmt::format("sven {} --help", command) : "sven --help";
}

int report_interrupt() {
    complain("interrupted, nothing was written");
    return interrupted_exit_code();
}

int run_program(int count, const char* const* words) {
    try {
        const Command command = parse_arguments(count, words);
        return std::visit([](const auto& given) { return run_command(given); }, command);
    } catch (const Bystander&) {  // another rank tells the outcome
        return 0;
    } catch (const UsageError& error) {
        complain(fmt::format("{} (see {})", error.what(), help_for(count, words)));
        return 2;
    } catch (const Interrupted&) {
        return report_interrupt();
    } catch (const sven::Interrupted&) {  // the library's own
        return report_interrupt();
    } catch (const CommentLine& error) {  // in any file of the command
        complain(
            fmt::format("{}; --comment \"#\" would skip lines that begin with #", error.what()));
        return 1;
    } catch (const std::bad_alloc&) {
        end_without_memory();
    } catch (const std::exception& error) {
        complain(error.what());
        return 1;
    }
}

}  // namespace

}  // namespace sven::cli

int main(int count, char** words) {
    sven::cli::install_signal_handlers();
    return sven::cli::run_program(count, words);
}
