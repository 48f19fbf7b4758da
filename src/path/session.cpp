#include "path/session.hpp"

#include "linalg/devices.hpp"
#include "linalg/row_statistics.hpp"
#include "linalg/row_sums.hpp"
#include "linalg/rowless_design.hpp"
#include "path/data_certificate.hpp"
#include "path/preparation.hpp"
#include "sven/error.hpp"

namespace sven::path {

std::vector<double> without_offset(std::span<const double> y, std::span<const double> offset) {
    std::vector<double> response(y.begin(), y.end());
    for (std::size_t i = 0; i < response.size() && !offset.empty(); ++i)
        response[i] -= offset[i % offset.size()];
    return response;
}

namespace {

linalg::Workload workload(const Problem& problem, const Options& options, const Asked& asked) {
    const bool is_gaussian = problem.family == Family::gaussian;
    const bool is_of_sums =
        is_gaussian && options.method != Method::primal && rows(problem) > cols(problem);
    return {static_cast<double>(asked.settings), static_cast<double>(asked.paths), is_of_sums,
            is_gaussian};
}

}  // namespace

Session::Session(const Problem& problem, const Options& options, const Asked& asked)
    : Session(problem, options, asked, nullptr) {}

Session::Session(const Problem& problem, const Options& options,
                 std::shared_ptr<linalg::Design> design)
    : Session(problem, options, {}, std::move(design)) {}

Session::Session(const Problem& problem, const Options& options, const Asked& asked,
                 std::shared_ptr<linalg::Design> design)
    : team_{linalg::resolve_threads(options.threads), options.cancel} {
    whole_.problem = problem;
    whole_.options = options;
    if (!problem.offset.empty() && problem.family == Family::gaussian) {
        response_ = without_offset(problem.y, problem.offset);
        whole_.problem.y = response_;
        whole_.problem.offset = {};
    }
    if (problem.statistics != nullptr)
        design = std::make_shared<linalg::RowlessDesign>(rows(problem), cols(problem));
    if (design == nullptr)
        counted_ = std::make_shared<linalg::CountedDesign>(
            linalg::make_design(problem.X, options.device, workload(problem, options, asked)));
    whole_.work.design = counted_ != nullptr ? counted_ : std::move(design);
    attach(whole_.problem, whole_.options, whole_.work);
}

// All that was prepared; what refers to it goes first.
void Session::forget() {
    whole_.cache.reset();
    whole_.standing.products.clear();
    whole_.depends.reset();
    grid_start_.reset();
    basis_ = Basis::nothing;
}

void Session::set_response(std::span<const double> y, std::span<const double> offset) {
    whole_.problem.y = y;
    whole_.problem.offset = offset;
    whole_.standing.products.clear();
    grid_start_.reset();
    has_response_ = false;
    has_products_ = false;
}

void Session::set_weights(std::span<const double> weights) {
    forget();
    whole_.problem.weights = weights;
    has_response_ = false;
}

void Session::set_options(const Options& options) {
    Options& now = whole_.options;
    // the cache knows these two
    if (options.tolerance != now.tolerance || options.cancel != now.cancel) whole_.cache.reset();
    now.tolerance = options.tolerance;
    now.max_iterations = options.max_iterations;
    now.progress = options.progress;
    now.checkpoint = options.checkpoint;
    now.proofs = options.proofs;
    now.cancel = options.cancel;
    team_.cancel = options.cancel;
}

void Session::set_up(Member& member) const {
    member.problem = whole_.problem;
    member.options = whole_.options;
    member.work.design = whole_.work.design;
    member.work.factors = whole_.work.factors;
    attach(member.problem, member.options, member.work);
}

// The method asked for, or the cheaper one; where the Gram matrix is there, that is it.
Method Session::choose(std::size_t settings) const {
    if (statistics() != nullptr) return Method::dual;
    if (whole_.options.method == Method::automatic && basis_ == Basis::gram) return Method::dual;
    return choose_method(*whole_.work.design, settings, whole_.options);
}

void Session::prepare_response(Convention convention) {
    Workspace& work = whole_.work;
    work.execution = team_;
    convention_ = convention;
    std::vector<double> factors = effective_factors(whole_.problem, convention);
    if (factors != work.factors) {
        forget();
        work.factors = std::move(factors);
    }
    if (Journal* const journal = this->journal())
        journal->note_data(*work.design, statistics(), team_);
    if (!has_response_ && statistics() == nullptr)
        work.response = problem::make_response(whole_.problem, team_);
    has_response_ = true;
}

void Session::prepare(Method method, Convention convention) {
    prepare_response(convention);
    if (statistics() != nullptr) {
        if (basis_ != Basis::gram) prepare_from_statistics();
    } else if (method == Method::dual && basis_ != Basis::gram) {
        prepare_from(linalg::accumulate_gram(*whole_.work.design, whole_.work.response.centred,
                                             whole_.problem.weights, team_));
    } else if (basis_ == Basis::nothing) {
        prepare_from_columns(whole_.work);
        whole_.depends = free_features_depend(whole_.work);
        basis_ = Basis::columns;
    } else if (!has_products_) {
        renew_products({&whole_}, team_);
        gram_.products = whole_.work.columns.products;
        gram_.response_squares = whole_.work.response.squares;
        if (whole_.cache != nullptr)
            whole_.cache->kernel.set_response(whole_.work.response.values(),
                                              whole_.work.columns.products);
    }
    has_products_ = true;
}

void Session::prepare_from(linalg::GramSums sums) {
    forget();
    gram_ = prepare_from_gram(whole_.work, std::move(sums));
    whole_.depends = free_features_depend(whole_.work);
    basis_ = Basis::gram;
    has_products_ = true;
}

void Session::prepare_from_statistics() {
    forget();
    gram_ = path::prepare_from_statistics(whole_.work, linalg::merged(statistics()->data().groups));
    whole_.depends = free_features_depend(whole_.work);
    basis_ = Basis::gram;
}

std::unique_ptr<Record> Session::make_record(std::span<const Setting> settings, std::size_t members,
                                             std::span<const Fold> folds) const {
    Journal* const journal = this->journal();
    if (journal == nullptr) return nullptr;
    const std::span<const std::byte> kept =
        journal->begin(whole_.problem, whole_.options, settings, folds);
    return std::make_unique<Record>(*journal, kept, members);
}

std::vector<Solution> Session::solve(std::span<const Setting> settings) {
    if (whole_.problem.family != Family::gaussian) return solve_outcome(settings);
    const Watch watch;
    const bool is_explicit = whole_.options.svm != Svm::newton;
    const Method method = choose(settings.size());
    whole_.method = method;
    whole_.solved.assign(settings.size(), {});
    try {
        prepare(is_explicit ? Method::primal : method, convention_of(settings));
        const std::unique_ptr<Record> record = make_record(settings, 1);
        Batch batch{settings, team_, {}, {}, {}, Start::standing, record.get()};
        if (!is_explicit && method == Method::dual)
            batch.make_gram = [&](Member&, problem::ScaledGram& gram) {
                gram = gram_;
                return true;
            };
        Meter meter(whole_.options.progress, settings.size());
        solve_batch(batch, {&whole_}, meter);
    } catch (const linalg::Cancelled&) {  // before the first setting
    }
    std::vector<Solution> solutions = make_solutions(whole_, settings);
    watch.share(solutions, settings.size());
    return solutions;
}

GridStart Session::grid_start(Convention convention, std::size_t settings) {
    const bool may_choose = settings > 0 && whole_.problem.family == Family::gaussian &&
                            whole_.options.svm == Svm::newton;
    prepare(may_choose ? choose(settings) : Method::primal, convention);
    if (!grid_start_ && whole_.problem.family != Family::gaussian)
        grid_start_ = {outcome_multiplier(), whole_.work.response.total_weight};
    if (!grid_start_ && statistics() != nullptr)
        grid_start_ = {largest_multiplier(whole_.work, gram_), whole_.work.response.total_weight};
    if (!grid_start_) {
        std::vector<double> products = whole_.work.columns.products;
        grid_start_ = {largest_multiplier(whole_.work, project_response(whole_.work, products)),
                       whole_.work.response.total_weight};
    }
    return *grid_start_;
}

}  // namespace sven::path
