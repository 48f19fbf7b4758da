#include "reduction/systems/orthogonal_factor.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/qr.hpp"
#include "reduction/tuning.hpp"

namespace sven::reduction {

bool OrthogonalFactor::is_current(const SystemRequest& request) const {
    if (!is_for(request.l2)) return false;
    const auto active = std::count(request.active.begin(), request.active.end(), char{1});
    return active == static_cast<std::ptrdiff_t>(order_.size()) &&
           std::all_of(order_.begin(), order_.end(),
                       [&](Index slot) { return request.active[slot] != 0; });
}

// The first dependent column is taken out and the rest factored again, until there is none: a
// direction that is rounding must not enter the factor.
bool OrthogonalFactor::update(const SystemRequest& request) {
    refused_.clear();
    if (is_current(request)) return true;
    l2_ = request.l2;
    list_slots(request, is_known_, slots_);
    const Index n = request.kernel.rows();
    for (;;) {
        execution_.check();
        const auto m = static_cast<Index>(slots_.size());
        const Index rows = l2_ > 0 ? n + m : n;
        const Index dependent = factor(request, rows);
        if (dependent < m) {
            refused_.push_back(slots_[dependent]);
            slots_.erase(slots_.begin() + dependent);
            continue;
        }
        order_.clear();
        reserve(m);
        for (Index k = 0; k < m; ++k)
            std::copy_n(stacked_.data() + k * rows, k + 1, U_.data() + k * stride_);
        order_.assign(slots_.begin(), slots_.end());
        return true;
    }
}

// The first column that depends on those before it; their number where there is none.
Index OrthogonalFactor::factor(const SystemRequest& request, Index rows) {
    Kernel& kernel = request.kernel;
    const Index n = kernel.rows();
    const auto m = static_cast<Index>(slots_.size());
    stacked_.reserve(rows * std::max<Index>(1, m));
    for (Index k = 0; k < m; ++k) {
        execution_.check();
        double* column = stacked_.data() + k * rows;
        std::copy_n(kernel.columns() + slots_[k] * n, n, column);
        if (rows == n) continue;
        std::fill_n(column + n, m, 0.0);
        column[n + k] = std::sqrt(request.ridge[slots_[k]]);
    }
    tau_.resize(static_cast<std::size_t>(std::max<Index>(1, m)));
    linalg::qr(rows, m, stacked_.data(), tau_.data(), execution_);
    for (Index k = 0; k < m; ++k) {
        if (k >= rows) return k;
        const double length =
            std::sqrt(kernel.gram(slots_[k], slots_[k]) + request.ridge[slots_[k]]);
        if (!(std::abs(stacked_[k * rows + k]) > tuning::dependent_distance * length)) return k;
    }
    return m;
}

}  // namespace sven::reduction
