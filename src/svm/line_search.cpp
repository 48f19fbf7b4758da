#include "svm/line_search.hpp"

#include <algorithm>

namespace sven::svm {
namespace {

bool earlier(const Breakpoint& a, const Breakpoint& b) {
    return a.at < b.at;
}

// f' just after the breakpoints passed so far, as a line in tau.
struct Slope {
    double constant;
    double curvature;

    double at(double tau) const { return constant + curvature * tau; }
    void pass(const Breakpoint& point) {
        constant -= point.curvature * point.at;
        curvature += point.curvature;
    }
};

}  // namespace

double minimise(PiecewiseQuadratic f, double limit) {
    if (f.slope >= 0) return 0;
    Slope slope{f.slope, f.curvature};
    double from = 0;  // f' is negative here
    std::span<Breakpoint> open = f.breakpoints;
    double until = limit;  // f' has changed sign here, or the ray ends
    while (!open.empty()) {
        const auto middle = open.begin() + static_cast<std::ptrdiff_t>(open.size() / 2);
        std::nth_element(open.begin(), middle, open.end(), earlier);
        Slope beyond = slope;
        for (auto point = open.begin(); point != middle; ++point) beyond.pass(*point);
        // f' is increasing: its sign at the median tells which half holds the minimum.
        if (middle->at < until && beyond.at(middle->at) < 0) {
            beyond.pass(*middle);
            slope = beyond;
            from = middle->at;
            open = {middle + 1, open.end()};
        } else {
            until = std::min(until, middle->at);
            open = {open.begin(), middle};
        }
    }
    const double curvature = std::max(slope.curvature, f.least_curvature);
    if (curvature <= 0) return until;
    // From `from`, not from zero: the least curvature holds on this piece only.
    const double tau = from - slope.at(from) / curvature;
    return std::clamp(tau, from, until);
}

}  // namespace sven::svm
