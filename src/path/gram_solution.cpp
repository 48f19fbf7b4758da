#include "path/gram_solution.hpp"

#include "path/data_certificate.hpp"

namespace sven::path {
namespace {

// Settings that the Gram matrix was too coarse for are solved again from the columns.
void repair_from_columns(Workspace& work, std::span<const problem::Target> targets,
                         std::vector<Solved>& solved) {
    std::vector<problem::Target> again;
    std::vector<std::size_t> where;
    for (std::size_t k = 0; k < solved.size(); ++k) {
        if (!solved[k].is_done || solved[k].gap.relative <= work.options->tolerance) continue;
        again.push_back(targets[k]);
        where.push_back(k);
    }
    if (again.empty()) return;
    std::vector<Solved> repaired(again.size());
    try {
        repaired = solve_by_columns(work, again, [](Index, double) {});
    } catch (const linalg::Cancelled&) {  // what the Gram matrix gave stays
    }
    for (std::size_t k = 0; k < where.size(); ++k)
        if (repaired[k].is_done && repaired[k].gap.relative < solved[where[k]].gap.relative)
            solved[where[k]] = repaired[k];
}

}  // namespace

std::vector<Solved> solve_on_gram(Workspace& work, const problem::ScaledGram& gram,
                                  std::span<const problem::Target> targets, const Report& report) {
    std::vector<Solved> solved = solve_by_gram(work, gram, targets, report);
    // A single fit is certified from the data; so is what the Gram matrix could not certify.
    try {
        for (std::size_t k = 0; k < solved.size(); ++k) {
            const bool is_open = solved[k].gap.relative > work.options->tolerance;
            if (solved[k].is_done && (solved.size() == 1 || is_open))
                certify_from_data(work, targets[k], Effort::plain, solved[k]);
        }
    } catch (const linalg::Cancelled&) {  // what the Gram matrix gave stays
        return solved;
    }
    repair_from_columns(work, targets, solved);
    return solved;
}

void mark_not_unique(std::vector<Solved>& solved) {
    for (Solved& setting : solved)
        if (setting.status == Status::optimal) setting.status = Status::not_unique;
}

}  // namespace sven::path
