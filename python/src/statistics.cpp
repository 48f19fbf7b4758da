#include "statistics.hpp"

#include <vector>

#include "sven/error.hpp"
#include "sven/statistics_file.hpp"

namespace svenet {

sven::Statistics sum_up(const RegressionProblem& problem, const std::optional<IndexVector>& folds,
                        const SolveOptions& options) {
    std::vector<sven::Index> fold_of_row;
    if (folds) fold_of_row.assign(folds->data(), folds->data() + folds->size());
    Runner runner(options);
    sven::Statistics statistics;
    runner.run(
        [&] { statistics = sven::Statistics(problem.problem, fold_of_row, runner.options()); });
    return statistics;
}

nb::bytes encode(const sven::Statistics& statistics) {
    const std::string bytes = sven::io::encode(statistics);
    return nb::bytes(bytes.data(), bytes.size());
}

sven::Statistics decode(const std::string& name, const nb::bytes& bytes) {
    const char* const begin = bytes.c_str();
    try {
        return sven::io::decode_statistics(name, {begin, begin + bytes.size()});
    } catch (const sven::ParseError& error) {
        throw sven::InvalidArgument(error.what());
    }
}

}  // namespace svenet
