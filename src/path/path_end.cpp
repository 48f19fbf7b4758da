#include "path/path_end.hpp"

#include <algorithm>

#include "path/session.hpp"

namespace sven::path {
namespace {

// While one is alive, a session's solves of parts of a path count as the path's.
class PartOfPath {
  public:
    PartOfPath(Options& options, Index before, Index total)
        : options_(options), report_(options.progress) {
        if (!report_) return;
        options_.progress = [this, before, total](const Progress& part) {
            worst_ = std::max(worst_, part.gap);
            report_({before + part.done, total, worst_});
        };
    }
    ~PartOfPath() { options_.progress = report_; }
    PartOfPath(const PartOfPath&) = delete;
    PartOfPath& operator=(const PartOfPath&) = delete;

  private:
    Options& options_;
    std::function<void(const Progress&)> report_;
    double worst_ = 0;
};

}  // namespace

// For poisson glmnet takes the ratio of the gain to ten steps, though it looks back by fewer.
double EndOfPath::gain() const {
    constexpr double poisson_steps = 10;
    const std::size_t k = explained_.size() - 1;
    const double now = explained_[k];
    if (family_ == Family::binomial) return now - explained_[k - 1];
    if (now <= 0) return 0;
    if (family_ == Family::gaussian) return (now - explained_[k - 1]) / now;
    const auto back = static_cast<std::size_t>(rules_.least_settings - 1);
    return (now - explained_[k - back]) / now / poisson_steps;
}

bool EndOfPath::is_reached(double deviance, double null_deviance, Index selected) {
    // exactly zero where nothing is selected, as in glmnet
    const bool explains = selected > 0 && null_deviance > 0;
    explained_.push_back(explains ? 1 - deviance / null_deviance : 0);
    if (static_cast<Index>(explained_.size()) < rules_.least_settings) return false;
    return gain() < rules_.least_gain || explained_.back() > rules_.most_explained ||
           selected > rules_.most_selected;
}

std::vector<Solution> Session::solve_until(std::span<const Setting> settings,
                                           const PathEnd& rules) {
    EndOfPath end(rules, whole_.problem.family);
    const bool is_gaussian = whole_.problem.family == Family::gaussian;
    // The path over a Gram matrix costs little beside the matrix itself.
    const bool is_whole =
        is_gaussian && (choose(settings.size()) == Method::dual ||
                        whole_.options.svm != Svm::newton || journal() != nullptr);
    constexpr std::size_t stretches = tuning::end_stretches;
    const std::size_t stretch =
        is_gaussian && !is_whole ? (settings.size() + stretches - 1) / stretches : settings.size();
    std::vector<Solution> path;
    for (std::size_t begin = 0; begin < settings.size(); begin += stretch) {
        const PartOfPath part(whole_.options, static_cast<Index>(begin),
                              static_cast<Index>(settings.size()));
        const std::span<const Setting> next =
            settings.subspan(begin, std::min(stretch, settings.size() - begin));
        EndOfPath own = end;
        for (Solution& solution : is_gaussian ? solve(next) : solve_outcome(next, &own)) {
            path.push_back(std::move(solution));
            if (path.back().status != Status::cancelled && end.is_reached(path.back())) return path;
        }
    }
    return path;
}

}  // namespace sven::path
