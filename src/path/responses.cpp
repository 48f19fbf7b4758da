// Several responses over one X: moments, Gram matrix and products are shared.

#include <algorithm>

#include "linalg/row_sums.hpp"
#include "path/preparation.hpp"
#include "path/session.hpp"

namespace sven::path {

std::size_t largest_group(const linalg::Design& X) {
    const double each = tuning::column_bytes * static_cast<double>(X.cols()) +
                        tuning::row_bytes * static_cast<double>(X.rows());
    return std::clamp(static_cast<std::size_t>(tuning::group_bytes / each),
                      tuning::fewest_side_by_side, tuning::most_side_by_side);
}

void renew_products(const Members& members, const linalg::Execution& team) {
    const linalg::Design& design = *members.front()->work.design;
    linalg::Panel panel;
    panel.resize(design.rows(), static_cast<Index>(members.size()), team);
    std::vector<double> sums;
    for (std::size_t k = 0; k < members.size(); ++k) {
        const std::vector<double> v =
            weighted_response(members[k]->problem, members[k]->work.response);
        panel.set_lane(static_cast<Index>(k), v);
        sums.push_back(linalg::sum_of_rows(team, v));
    }
    design.correlate(panel, team, [&](Index begin, Index count, const double* tile) {
        for (Index j = begin; j < begin + count; ++j) {
            const double shift = design.shift().empty() ? 0 : design.shift()[j];
            const double* products = tile + (j - begin) * panel.stride();
            for (std::size_t k = 0; k < members.size(); ++k) {
                linalg::ColumnMoments& moments = members[k]->work.moments;
                moments.products[j] = products[k] - (moments.mean[j] - shift) * sums[k];
            }
        }
    });
    for (Member* member : members) take_products(member->work);
}

void Session::solve_group(std::span<const double> responses, std::span<const Setting> settings,
                          Meter& meter, std::span<std::vector<Solution>> paths) {
    const auto n = static_cast<std::size_t>(whole_.work.rows());
    std::vector<Member> group(paths.size());
    Members members;
    for (std::size_t k = 0; k < group.size(); ++k) {
        Member& member = group[k];
        member.work = whole_.work;
        set_up(member);
        member.problem.y = responses.subspan(k * n, n);
        member.work.response = problem::make_response(member.problem, team_);
        member.depends = whole_.depends;
        member.method = whole_.method;
        members.push_back(&member);
    }
    renew_products(members, team_);
    Batch batch{settings, team_, {}, {}, {}, Start::top, nullptr};
    if (basis_ == Basis::gram && whole_.options.svm == Svm::newton)
        batch.make_gram = [&](Member& member, problem::ScaledGram& gram) {
            gram = gram_;
            gram.products = member.work.columns.products;
            gram.response_squares = member.work.response.squares;
            return true;
        };
    solve_batch(batch, members, meter);
    for (std::size_t k = 0; k < group.size(); ++k) paths[k] = make_solutions(group[k], settings);
}

std::vector<std::vector<Solution>> Session::solve_responses(std::span<const double> responses,
                                                            std::span<const Setting> settings) {
    const auto n = static_cast<std::size_t>(whole_.work.rows());
    const std::size_t count = responses.size() / n;
    if (count == 1) return {solve(settings)};
    const Watch watch;
    const std::size_t total = settings.size() * count;
    const bool is_explicit = whole_.options.svm != Svm::newton;
    whole_.method = choose(is_explicit ? settings.size() : total);
    whole_.solved.assign(settings.size(), {});
    std::vector<std::vector<Solution>> paths(count, make_solutions(whole_, settings));
    try {
        prepare(is_explicit ? Method::primal : whole_.method, convention_of(settings));
        Meter meter(whole_.options.progress, total);
        const std::size_t step = largest_group(*whole_.work.design);
        for (std::size_t begin = 0; begin < count; begin += step) {
            const std::size_t size = std::min(step, count - begin);
            solve_group(responses.subspan(begin * n, size * n), settings, meter,
                        std::span(paths).subspan(begin, size));
            team_.check();
        }
    } catch (const linalg::Cancelled&) {  // what is finished stays
    }
    for (std::vector<Solution>& path : paths) watch.share(path, total);
    return paths;
}

}  // namespace sven::path
