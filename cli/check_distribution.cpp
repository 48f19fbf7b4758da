#include "cli/checks.hpp"

namespace sven::cli {

namespace {

template <class Arguments>
void check_ranks(const Arguments& arguments) {
    const Distribution distribution = arguments.data.distribution;
    if (distribution == Distribution::rows) refuse_rows(arguments);
    if constexpr (requires { arguments.hold_out; })
        if (distribution != Distribution::none && arguments.hold_out.share)
            throw UsageError("--distributed and --test-share exclude each other");
    if (distribution == Distribution::automatic && is_list_of_files(arguments.data))
        throw UsageError(
            "--distributed auto cannot tell whether files of {rank} hold rows or columns: say "
            "which");
}

}  // namespace

bool is_list_of_files(const DataArguments& data) {
    return data.data.find("{rank}") != std::string::npos;
}

void check_distribution(const FitArguments& arguments) {
    check_ranks(arguments);
}

void check_distribution(const PathArguments& arguments) {
    check_ranks(arguments);
}

void check_distribution(const CvArguments& arguments) {
    check_ranks(arguments);
}

}  // namespace sven::cli
