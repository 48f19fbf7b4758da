#include "path/gram_solution.hpp"

#include "path/data_certificate.hpp"
#include "reduction/active_set.hpp"
#include "reduction/column_kernel.hpp"

namespace sven::path {
namespace {

// Settings that the Gram matrix was too coarse for are solved again from the columns.
void repair_from_columns(Workspace& work, std::span<const problem::Target> targets,
                         std::span<Solved> solved) {
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

// What a path leaves out where the support is large.
void invert_support(Workspace& work, const problem::Target& target, Solved& solved) {
    linalg::ScaledDesign X = problem::scale_design(*work.design, *work.problem, work.response,
                                                   work.columns, work.moments);
    reduction::ColumnKernel kernel(X, work.response.values, work.columns.products,
                                   work.columns.norms, work.execution);
    reduction::ActiveSet active(kernel, work.penalties, work.execution, work.options->tolerance);
    active.load(solved.support, target, solved.h);
    reduction::inverse_diagonal(active.machine(), active.state(), solved.support.features,
                                solved.inverse_diagonal);
}

}  // namespace

void certify_alone(Workspace& work, const problem::Target& target, Solved& solved) {
    const bool needs_inverse =
        target.l2 == 0 && solved.inverse_diagonal.empty() &&
        static_cast<Index>(solved.support.features.size()) > largest_inverted_support;
    const bool is_from_gram = solved.gap_source == GapSource::gram;
    if (!needs_inverse && !is_from_gram) return;
    if (needs_inverse) invert_support(work, target, solved);
    // the columns certify sharply what they solve, and so they do again
    certify_from_data(work, target, is_from_gram ? Effort::plain : Effort::sharp, solved);
    if (is_from_gram) repair_from_columns(work, {&target, 1}, {&solved, 1});
}

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

void mark_not_unique(std::span<Solved> solved) {
    for (Solved& setting : solved)
        if (setting.status == Status::optimal) setting.status = Status::not_unique;
}

}  // namespace sven::path
