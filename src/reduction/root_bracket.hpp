#pragma once
// The zero of a falling function, enclosed between two points and narrowed by secants. On a
// piecewise linear function the secant through the last two points is exact once both lie on the
// right piece; a bracket that does not halve in three rounds is halved by force.

#include <algorithm>
#include <cmath>

#include "reduction/tuning.hpp"

namespace sven::reduction {

class RootBracket {
  public:
    struct Point {
        double at = 0;
        double value = 0;
    };

    // The value is positive at `low`, negative at `high`.
    RootBracket(Point low, Point high)
        : low_(low), high_(high), last_(low), before_(high), width_(high.at - low.at) {}

    // Where to look next; is_exhausted() when the zero was met, or rounding leaves no point in
    // between. A secant that rounding puts onto an end is not followed.
    double next() const {
        if (rounds_ < tuning::most_slow_secants)
            for (const double at : {zero(before_, last_), zero(low_, high_)})
                if (is_inside(at)) return at;
        return 0.5 * (low_.at + high_.at);
    }
    bool is_exhausted() const { return last_.value == 0 || !is_inside(next()); }

    void add(Point point) {
        before_ = last_;
        last_ = point;
        (point.value > 0 ? low_ : high_) = point;
        ++rounds_;
        if (high_.at - low_.at <= 0.5 * width_) {
            width_ = high_.at - low_.at;
            rounds_ = 0;
        }
    }

    const Point& low() const { return low_; }
    const Point& high() const { return high_; }
    // The end whose value is nearer to zero.
    const Point& nearest() const {
        return std::abs(low_.value) < std::abs(high_.value) ? low_ : high_;
    }

  private:
    static double zero(const Point& a, const Point& b) {
        return a.at + (b.at - a.at) * a.value / (a.value - b.value);
    }
    bool is_inside(double at) const { return at > low_.at && at < high_.at; }

    Point low_;
    Point high_;
    Point last_;
    Point before_;
    double width_;    // when it last halved
    int rounds_ = 0;  // since then
};

}  // namespace sven::reduction
