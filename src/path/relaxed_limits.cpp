#include "path/relaxed_limits.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/row_sums.hpp"
#include "path/outcome_path.hpp"
#include "path/tuning.hpp"
#include "problem/rounding.hpp"

namespace sven::path {
namespace {

// A feature of the support: its coefficient, and the side of the limit that it is held at.
struct Place {
    Index feature = 0;
    double beta = 0;
    int held = 0;  // -1: the lower limit, 1: the upper one, 0: inside
};

// The steps of an active set: from a feasible point towards the optimum of the features inside, up
// to the first limit, which is then held; at that optimum the limit that does most harm is left.
// The objective falls with every change, so that no set of held limits comes twice.
class LimitedRefit {
  public:
    LimitedRefit(const Member& refit, std::span<const Index> features)
        : refit_(refit), X_(plain_columns(refit.work)) {
        for (const Index j : features) places_.push_back({j, 0, 0});
    }

    Refitted solve() {
        Refitted found;
        const std::size_t most = tuning::limit_moves_a_feature * (places_.size() + 1);
        for (std::size_t k = 0; k < most; ++k) {
            Member inside;
            set_up_inside(inside);
            found = refit_outcome(inside);
            // limits may end what has no end without them
            if (found.refit == Refit::separated && !moves_to(far_point(inside))) continue;
            if (!found.solved.is_done) return found;
            if (!moves_to(found.solved.support)) continue;
            if (!leaves_limit(found.centre)) return finish(found, found.solved.status);
        }
        return finish(found, Status::iteration_limit);
    }

  private:
    // Sum of x~_j beta_j over the features that are held, or over all.
    std::vector<double> predict(bool with_inside) {
        std::vector<Index> columns;
        std::vector<double> values;
        for (const Place& place : places_) {
            if (place.held == 0 && !with_inside) continue;
            columns.push_back(place.feature);
            values.push_back(place.beta);
        }
        std::vector<double> eta(static_cast<std::size_t>(refit_.work.rows()), 0.0);
        X_.multiply(columns, values, refit_.work.execution, eta.data());
        for (std::size_t i = 0; i < refit_.problem.offset.size(); ++i)
            eta[i] += refit_.problem.offset[i];
        return eta;
    }

    // The features inside without their limits; those that are held are known.
    void set_up_inside(Member& member) {
        std::vector<Index> inside;
        for (const Place& place : places_)
            if (place.held == 0) inside.push_back(place.feature);
        known_ = predict(false);
        set_up_refit(refit_, inside, member);
        member.problem.lower = {};
        member.problem.upper = {};
        member.problem.nonnegative = false;
        member.problem.offset = known_;
        attach_refit(refit_.work.execution, member);
    }

    // Far out on the way without an end of features that separate: where a slight ridge ends it.
    static problem::Support far_point(Member& inside) {
        inside.work.factors.clear();
        inside.work.free = {};
        attach_refit(linalg::Execution(inside.work.execution), inside);
        const double ridge = tuning::separated_ridge * inside.work.response.total_weight;
        const problem::Target target = problem::Target::penalty(0, ridge);
        return OutcomePath(inside.work, outcome_of(inside.problem))
            .solve({&target, 1}, [](Index, double) {})
            .front()
            .solved.support;
    }

    // Whether the optimum of the features inside is within the limits; else the way ends at them.
    bool moves_to(const problem::Support& support) {
        const Workspace& work = refit_.work;
        const std::vector<double> goal = expand(work, support);
        double share = 1;
        const auto reach = [&](const Place& place) {
            const double beta = goal[place.feature];
            const double limit = std::copysign(work.penalties.limit(place.feature, beta), beta);
            const bool is_beyond = std::abs(beta) > std::abs(limit);
            return is_beyond ? (limit - place.beta) / (beta - place.beta) : 1;
        };
        for (const Place& place : places_)
            if (place.held == 0) share = std::min(share, reach(place));
        for (Place& place : places_) {
            if (place.held != 0) continue;
            const double beta = goal[place.feature];
            if (share < 1 && reach(place) <= share) {
                place.held = beta < 0 ? -1 : 1;
                place.beta = std::copysign(work.penalties.limit(place.feature, beta), beta);
            } else {
                place.beta += share == 1 ? beta - place.beta : share * (beta - place.beta);
            }
        }
        return share == 1;
    }

    // Frees the limit whose product points inwards most; false where none does but for rounding.
    bool leaves_limit(double centre) {
        const Workspace& work = refit_.work;
        const Index n = work.rows();
        const problem::Loss loss(refit_.problem.family);
        std::vector<double> u = predict(true);
        const auto find_u = [&](Index begin, Index length) {
            double squares = 0;
            for (Index i = begin; i < begin + length; ++i) {
                const double w = refit_.problem.weights.empty() ? 1 : refit_.problem.weights[i];
                u[i] = w * (refit_.problem.y[i] - loss.mean(u[i] + centre));
                if (w > 0) squares += u[i] * u[i] / w;
            }
            return linalg::RowSums<1>{squares};
        };
        const double squares =
            linalg::sum_rows<1>(work.execution, n, linalg::lane_operations, find_u)[0];
        const double noise =
            problem::product_rounding(n) * work.columns.spread * std::sqrt(squares);
        Place* worst = nullptr;
        double most = 0;
        excess_ = 0;
        std::vector<double> column(static_cast<std::size_t>(n));
        for (Place& place : places_) {
            if (place.held == 0) continue;
            X_.gather({&place.feature, 1}, work.execution, column.data(), n);
            const double inwards = -place.held * linalg::dot_of_rows(work.execution, column, u);
            const double norm = work.columns.norms[place.feature];
            excess_ += 2 * std::abs(place.beta) * std::max(0.0, inwards + noise * norm);
            if (inwards <= noise * norm || inwards / norm <= most) continue;
            most = inwards / norm;
            worst = &place;
        }
        if (worst == nullptr) return false;
        worst->held = 0;
        return true;
    }

    // The coefficients of all, with the gap of the limited problem: that of the features inside,
    // and what eq. 27 adds for those at their limits.
    Refitted finish(Refitted found, Status status) {
        Member null;
        set_up_refit(refit_, {}, null);
        attach_refit(refit_.work.execution, null);
        const double scale = OutcomePath(null.work, outcome_of(null.problem)).null_deviance();
        problem::Gap& gap = found.solved.gap;
        gap.absolute += excess_;
        gap.relative = gap.absolute / scale;
        const bool is_reached = gap.relative <= refit_.options.tolerance;
        found.solved.status = is_reached ? status : Status::iteration_limit;
        found.solved.support.clear();
        for (const Place& place : places_) {
            found.solved.support.features.push_back(place.feature);
            found.solved.support.signs.push_back(0);
            found.solved.support.beta.push_back(place.beta);
        }
        return found;
    }

    const Member& refit_;
    linalg::ScaledDesign X_;
    std::vector<Place> places_;
    std::vector<double> known_;  // of the linear predictor: offset and held features
    double excess_ = 0;          // of the gap, by products that point inwards, with their errors
};

}  // namespace

Refitted refit_within_limits(const Member& refit, std::span<const Index> features) {
    return LimitedRefit(refit, features).solve();
}

}  // namespace sven::path
