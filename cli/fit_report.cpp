#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "cli/checks.hpp"
#include "cli/equivalents.hpp"
#include "cli/proofs.hpp"
#include "cli/relaxing.hpp"
#include "cli/report.hpp"

namespace sven::cli {

namespace {

using Text = std::back_insert_iterator<std::string>;

// Columns on a terminal, not bytes: continuation bytes of UTF-8 take none.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    }));
}

// Names may contain anything; the table must stay intact.
std::string on_one_line(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
    return name;
}

std::string padded(const std::string& text, std::size_t to) {
    return text + std::string(to > width(text) ? to - width(text) : 0, ' ');
}

// The largest on the standardised scale first: on that scale they are comparable.
std::vector<Coefficient> by_size(const Solution& solution) {
    std::vector<Coefficient> sorted = solution.coefficients;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Coefficient& a, const Coefficient& b) {
        return std::abs(a.standardized) > std::abs(b.standardized);
    });
    return sorted;
}

// "a", "b" and 3 more
std::string names_of(const LoadedData& data, const std::vector<Index>& features) {
    constexpr std::size_t most_names = 10;
    std::string names;
    for (std::size_t k = 0; k < std::min(features.size(), most_names); ++k)
        names += fmt::format("{}\"{}\"", k == 0 ? "" : ", ",
                             on_one_line(io::feature_name(data.table, features[k])));
    if (features.size() > most_names)
        names += fmt::format(" and {} more", features.size() - most_names);
    return names;
}

void write_numbers(const FitRecord& record, Text out) {
    const Solution& solution = record.solution;
    const auto line = [&](const char* label, const std::string& text) {
        fmt::format_to(out, "{:<11}  {}\n", label, text);
    };
    line("status", status_text(solution));
    line("t", fmt::format("{:.9g}", solution.t));
    line("lambda1", fmt::format("{:.9g}", solution.l1));
    line("lambda2", fmt::format("{:.9g}", solution.l2));
    line("lambda", fmt::format("{:.9g}", solution.lambda));
    line("alpha",
         solution.alpha ? fmt::format("{:.9g}", *solution.alpha) : "none (nothing is penalised)");
    line("objective",
         fmt::format("{:.12g}  ({} form)", solution.objective, form_name(record.setting)));
    if (record.solver.family != Family::gaussian)
        line("deviance", fmt::format("{:.9g} of {:.9g}, {} response", solution.deviance,
                                     solution.null_deviance, name(record.solver.family)));
    line("gap", gap_text(solution));
    if (record.blending) line("relaxed", blending_text(*record.blending, record.solver.family));
    const SupportCertificate& proof = solution.certificate;
    line("support", fmt::format("{} proven selected, {} proven zero, {} undecided",
                                proof.proven_selected, proof.proven_zero, proof.undecided) +
                        (proof.left_out > 0 ? fmt::format(", {} left out", proof.left_out) : ""));
    // where nothing is proven there is nothing to tell apart
    const std::vector<Index> open = undecided(solution);
    if (!open.empty() && proof.proven_selected + proof.proven_zero > 0)
        line("undecided", names_of(record.data, open));
    line("method", fmt::format("{}, {}, {} {}, {}", name(solution.method), name(solution.svm),
                               solution.iterations, solution.iterations == 1 ? "step" : "steps",
                               duration(solution.seconds)));
}

void write_equivalents(const FitRecord& record, Text out) {
    const Problem whole = problem(record.data, record.solver);
    Equivalents same = equivalents(whole, record.setting, record.solution);
    if (record.blending) same = relaxed_equivalents(same, record.blending->gamma);
    fmt::format_to(out, "\nThe same from\nscikit-learn {}\nglmnet       {}\n", same.scikit_learn,
                   same.glmnet);
    if (record.data.is_weighted()) fmt::format_to(out, "             w: the weights\n");
    if (!whole.penalty_factors.empty())
        fmt::format_to(out, "             f: the penalty factors\n");
    if (!record.solution.left_out.empty())
        fmt::format_to(out, "             X, x: without what was left out\n");
}

}  // namespace

std::string reads_text(const Reads& reads) {
    return fmt::format("X was read {:.4g} {}, and {} {} one by one", reads.passes,
                       reads.passes == 1 ? "time" : "times", reads.columns,
                       reads.columns == 1 ? "column" : "columns");
}

std::string duration(double seconds) {
    if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
    return fmt::format("{:.3g} s", seconds);
}

std::string written_text(const OutputArguments& output, const char* what) {
    std::string text;
    const auto add = [&](const std::optional<std::string>& path, const char* label) {
        if (path && *path != "-") text += fmt::format("{} in {}\n", label, *path);
    };
    add(output.file, what);
    add(output.report, "report");
    return text.empty() ? text : "\n" + text;
}

std::string coefficient_table(const FitRecord& record) {
    std::string text;
    const Text out(text);
    const std::vector<Coefficient> sorted = by_size(record.solution);
    const std::size_t shown = std::min(sorted.size(), most_rows);
    std::vector<std::string> names;
    std::size_t column = width("(intercept)");
    for (std::size_t k = 0; k < shown; ++k) {
        names.push_back(on_one_line(io::feature_name(record.data.table, sorted[k].feature)));
        column = std::max(column, width(names.back()));
    }
    if (sorted.empty()) {
        fmt::format_to(out, "no feature is selected\n");
    } else {
        fmt::format_to(out, "{}  {:>13}  {:>13}\n", padded("feature", column), "coefficient",
                       "standardized");
    }
    for (std::size_t k = 0; k < shown; ++k) {
        fmt::format_to(out, "{}  {:>13.6g}  {:>13.6g}\n", padded(names[k], column), sorted[k].value,
                       sorted[k].standardized);
    }
    if (sorted.size() > shown) {
        fmt::format_to(out, "and {} more that are not zero\n", sorted.size() - shown);
    }
    if (!record.solver.no_intercept) {
        fmt::format_to(out, "{}  {:>13.6g}\n", padded("(intercept)", column),
                       record.solution.intercept);
    }
    return text;
}

std::string status_text(const Solution& solution) {
    switch (solution.status) {
        case Status::ridge:
            return "ridge: the budget does not bind, so that lambda1 is 0";
        case Status::not_unique:
            return "not_unique: other coefficients reach the same optimum; the fitted values are "
                   "unique";
        default:
            return std::string(name(solution.status));
    }
}

std::string gap_text(const Solution& solution) {
    return fmt::format("{:.2g}, relative, from the {}", solution.gap,
                       solution.gap_source == GapSource::data ? "data" : "Gram matrix");
}

std::string left_out_text(const LoadedData& data, const Solution& solution) {
    const std::size_t count = solution.left_out.size();
    if (count == 0) return {};
    return fmt::format("{}: {} {} {} constant but for rounding and {} left out", data.path,
                       count == 1 ? "column" : "columns", names_of(data, solution.left_out),
                       count == 1 ? "is" : "are", count == 1 ? "was" : "were");
}

std::string left_out_in_folds_text(const CvRecord& record) {
    std::vector<Index> features;
    for (const auto& [feature, folds] : record.left_out_in_folds()) features.push_back(feature);
    if (features.empty()) return {};
    const bool is_one = features.size() == 1;
    return fmt::format(
        "{}: {} {} {} constant but for rounding over the training rows of some folds "
        "and {} left out there",
        record.model.data.path, is_one ? "column" : "columns",
        names_of(record.model.data, features), is_one ? "is" : "are", is_one ? "was" : "were");
}

std::string data_summary(const LoadedData& data) {
    std::string text = fmt::format(
        "{}: {} {}, {} {}, {}\n", data.path, data.rows(), data.rows() == 1 ? "row" : "rows",
        data.cols(), data.cols() == 1 ? "feature" : "features", data.target_description);
    for (const std::string& note : data.notes) text += note + "\n";
    return text;
}

std::string fit_report(const FitRecord& record) {
    std::string text = data_summary(record.data);
    const Text out(text);
    text += "\n";
    text += coefficient_table(record);
    text += "\n";
    write_numbers(record, out);
    write_equivalents(record, out);
    return text;
}

}  // namespace sven::cli
