#include "path/outcome_path.hpp"

#include <algorithm>
#include <limits>

#include "path/approach.hpp"

namespace sven::path {

OutcomePath::OutcomePath(Workspace& workspace, const Outcome& outcome)
    : work_(workspace),
      fit_(workspace, outcome),
      family_(outcome.loss.family()),
      screening_(workspace) {
    products_.reserve(work_.cols() * linalg::lane_group);
    block_size_.limit = 1;
    last_ = fit_.fit_null();
    block_.add(problem::Target::penalty(0, 0), -1, 0);
    fit_.make_lane(lanes_[0]);
    multiply();
    for (Index j = 0; j < work_.cols(); ++j) screening_.products()[j] = product(j, 0);
    work_.h_max = path::largest_multiplier(work_, screening_.products());
    h_last_ = work_.h_max;
    h_reached_ = work_.h_max;
}

OutcomePath::OutcomePath(Workspace& workspace, const Outcome& outcome, OutcomeState state)
    : work_(workspace),
      fit_(workspace, outcome),
      family_(outcome.loss.family()),
      screening_(workspace),
      block_size_(state.block_size),
      answers_(std::move(state.answers)),
      pending_(std::move(state.pending)),
      last_(std::move(state.last)),
      h_last_(state.h_last),
      h_reached_(state.h_reached),
      knows_slopes_(state.knows_slopes),
      next_(state.next) {
    products_.reserve(work_.cols() * linalg::lane_group);
    fit_.fit_null();  // for its deviance
    screening_.products() = std::move(state.products);
    screening_.slopes() = std::move(state.slopes);
    work_.h_max = state.h_max;
}

OutcomeState OutcomePath::take_state() {
    OutcomeState state;
    state.answers = std::move(answers_);
    state.next = next_;
    state.pending = std::move(pending_);
    state.last = std::move(last_);
    // points of another fit
    state.last.version = -1;
    for (Standpoint& item : state.pending) item.point.version = -1;
    state.h_max = work_.h_max;
    state.h_last = h_last_;
    state.h_reached = h_reached_;
    state.products = std::move(screening_.products());
    state.slopes = std::move(screening_.slopes());
    state.block_size = block_size_;
    state.knows_slopes = knows_slopes_;
    return state;
}

void OutcomePath::begin(std::span<const problem::Target> targets) {
    answers_.assign(targets.size(), {});
    next_ = 0;
    pending_.clear();
}

bool OutcomePath::is_finished(std::span<const problem::Target> targets) const {
    return next_ >= static_cast<Index>(targets.size()) && pending_.empty();
}

Index OutcomePath::done() const {
    return std::count_if(answers_.begin(), answers_.end(),
                         [](const Answer& answer) { return answer.solved.is_done; });
}

void OutcomePath::advance(std::span<const problem::Target> targets, const Report& report) {
    plan(targets);
    solve_block();
    multiply();
    verify();
    double worst = 0;
    for (const Answer& answer : answers_) worst = std::max(worst, answer.solved.gap.relative);
    report(done(), worst);
}

std::vector<OutcomePath::Answer> OutcomePath::solve(std::span<const problem::Target> targets,
                                                    const Report& report) {
    begin(targets);
    try {
        while (!is_finished(targets)) advance(targets, report);
    } catch (const linalg::Cancelled&) {
    }
    return std::move(answers_);
}

// What was violated comes first, then new settings, or a step on the way to one that is far.
void OutcomePath::plan(std::span<const problem::Target> targets) {
    block_.clear();
    fit_.compact();
    const auto add = [&](const problem::Target& target, double h, Standpoint item) {
        block_.add(target, item.setting, h);
        items_[block_.size() - 1] = std::move(item);
    };
    for (Standpoint& item : pending_) {
        const problem::Target& target = targets[item.setting];
        add(target, target.is_budget() ? item.h : target.h(), std::move(item));
    }
    const bool is_new = pending_.empty();
    pending_.clear();
    double h_before = h_reached_;
    while (next_ < static_cast<Index>(targets.size()) && block_.size() < block_size_.limit) {
        const problem::Target& target = targets[next_];
        const double h = foresee(target);
        if (is_far(h, h_before, work_.h_max)) {
            if (block_.size() > 0 || !is_new) return;
            const problem::Target step = step_towards(h, target.l2(), h_before);
            add(step, step.h(), {});
            return;
        }
        Standpoint item;
        item.setting = next_++;
        add(target, h, std::move(item));
        h_before = h;
    }
}

double OutcomePath::foresee(const problem::Target& target) {
    if (target.is_budget() && target.t() == 0) return work_.h_max;
    return fit_.predict_multiplier(target);
}

void OutcomePath::solve_block() {
    // before two products tell how they change, the sequential strong rule
    const double margin = knows_slopes_ ? block_size_.margin : tuning::strong_margin;
    screening_.select(block_, {h_last_, knows_slopes_, margin}, fit_.kernel());
    for (Index i = 0; i < block_.size(); ++i)
        for (const Index j : items_[i].violators) screening_.add(j);
    const double before = fit_.operations();
    for (Index i = 0; i < block_.size(); ++i) {
        Standpoint& item = items_[i];
        if (item.solves == 0) item.point = last_;
        ++item.solves;
        const problem::Target& target = block_[i].target;
        const double share =
            target.l2() > 0 ? tuning::looked_at_share_with_ridge : tuning::looked_at_share;
        double goal = item.setting < 0 ? tuning::way_gap : share * work_.options->tolerance;
        for (int k = 0; k < item.sharper_solves; ++k) goal /= tuning::sharper;
        item.steps += fit_.solve(target, screening_.candidates(i), goal, item.point).steps;
        fit_.make_lane(lanes_[i]);
        item.h = block_[i].h = fit_.h();
        block_[i].outcome.is_slack = fit_.is_slack();
        if (item.h <= h_reached_) {
            last_ = item.point;
            h_reached_ = item.h;
        }
    }
    block_size_ = BlockSize::from(
        work_.design->entries(), (fit_.operations() - before) / static_cast<double>(block_.size()));
}

// Products of the scaled columns with the dual points, a lane each.
void OutcomePath::multiply() {
    const linalg::ScaledDesign& X = fit_.columns();
    const Index lanes = block_.size();
    std::array<double, Block::most> sums{};
    panel_.resize(work_.rows(), lanes, work_.execution);
    for (Index i = 0; i < lanes; ++i)
        sums[i] = X.fill_lane(lanes_[i].u, i, work_.execution, panel_);
    work_.design->correlate(panel_, work_.execution, [&](Index begin, Index count, double* tile) {
        for (Index c = 0; c < count; ++c)
            for (Index i = 0; i < lanes; ++i)
                products_[(begin + c) * linalg::lane_group + i] =
                    X.correct(begin + c, tile[c * panel_.stride() + i], sums[i]);
    });
}

problem::Gap OutcomePath::certify(Index i, Solved& solved) {
    Standpoint& item = items_[i];
    const problem::Question question = block_[i].question();
    problem::GapSum sum(question, work_.penalties, lanes_[i].point);
    const std::vector<double> beta = expand(work_, item.point.support);
    item.violators.clear();
    for (Index j = 0; j < work_.cols(); ++j) {
        if (work_.penalties.excluded[j] || work_.penalties.is_free(j)) continue;
        sum.add(j, product(j, i), work_.columns.norms[j], beta[j]);
        const double error = lanes_[i].point.noise * work_.columns.norms[j];
        if (screening_.was_unseen(j, i) && fit_.kernel().slot_of(j) < 0 &&
            work_.penalties.violates(j, product(j, i), question.h, {tuning::violation, error}))
            item.violators.push_back(j);
    }
    solved.support = item.point.support;
    solved.h = question.h;
    solved.l2 = question.l2;
    solved.weighted_l1 = sum.weighted_l1();
    solved.gap = sum.close(fit_.data_of(lanes_[i]));
    solved.gap_source = GapSource::data;
    solved.iterations = item.steps;
    return solved.gap;
}

void OutcomePath::verify() {
    Index first_open = block_.size();
    for (Index i = 0; i < block_.size(); ++i) {
        Standpoint& item = items_[i];
        Solved solved;
        const problem::Gap gap = certify(i, solved);
        if (item.setting < 0) continue;
        const bool is_certified = gap.relative <= work_.options->tolerance;
        // without any penalty no point of this kind is certified
        const bool is_free = block_[i].outcome.is_slack && !(solved.l2 > 0);
        const bool may_go_on =
            item.solves < tuning::most_solves && !(is_free && item.violators.empty()) &&
            (!item.violators.empty() || item.sharper_solves < tuning::most_sharper_solves);
        if (!is_certified && may_go_on) {
            if (item.violators.empty()) ++item.sharper_solves;
            first_open = std::min(first_open, i);
            pending_.push_back(std::move(item));
            continue;
        }
        solved.status = is_certified ? Status::optimal : Status::iteration_limit;
        const bool is_slack = block_[i].outcome.is_slack;
        if (is_certified && is_slack) solved.status = Status::ridge;
        certify_support(work_, certification_input(i, solved), solved);
        solved.is_done = true;
        answers_[item.setting] = {std::move(solved), item.point.centre, 2 * lanes_[i].half_deviance,
                                  is_slack};
    }
    if (first_open > 0) follow(first_open - 1);
}

// Item i is where the next screening begins; the products of the last one tell how they change.
void OutcomePath::follow(Index i) {
    const double h = block_[i].h;
    std::vector<double>& products = screening_.products();
    std::vector<double>& slopes = screening_.slopes();
    const bool within = i > 0;
    const double h_before = within ? block_[i - 1].h : h_last_;
    knows_slopes_ = h != h_before;
    for (Index j = 0; j < work_.cols(); ++j) {
        const double before = within ? product(j, i - 1) : products[j];
        slopes[j] = knows_slopes_ ? (product(j, i) - before) / (h - h_before) : 0;
        products[j] = product(j, i);
    }
    h_last_ = h;
}

problem::CertificationInput OutcomePath::certification_input(Index i, const Solved& solved) const {
    problem::CertificationInput input;
    input.question = block_[i].question();
    input.point = lanes_[i].point;
    input.gap = solved.gap.absolute;
    // of the means of counts nothing is known (maths.md, eq. 73)
    input.product_radius =
        family_ == Family::binomial ? 0.5 : std::numeric_limits<double>::infinity();
    input.norms = work_.columns.norms;
    input.products = products_.data() + i;
    input.stride = linalg::lane_group;
    return input;
}

}  // namespace sven::path
