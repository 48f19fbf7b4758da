#include <fmt/format.h>

#include "cli/html_report.hpp"
#include "cli/interrupt.hpp"
#include "cli/model_file.hpp"
#include "cli/output_file.hpp"
#include "cli/run.hpp"

namespace sven::cli {

int run(const ReportArguments& arguments) {
    const Json results = read_results(arguments.results);
    const Interruptible scope;
    OutputFiles files;
    files.open(arguments.file)->write(html_report(results));
    files.commit(arguments.file == "-" ? "" : fmt::format("report in {}\n", arguments.file));
    return 0;
}

}  // namespace sven::cli
