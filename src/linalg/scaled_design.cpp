#include "linalg/scaled_design.hpp"

namespace sven::linalg {

// With q = root_w o r, a step takes t w o (x_j - m_j) from it: t w o x_j over the stored entries,
// and the rest is counted in one number, so that q = p + level w. Centred columns sum to nothing,
// and the sum over p follows without another look (maths.md, eq. 62).
bool ScaledDesign::sweep(std::span<const Index> columns, int rounds, const CoordinateStep& step,
                         std::span<double> r) {
    const bool is_weighted = !root_weights_.empty();
    if (is_weighted && weights_.empty())
        for (const double root : root_weights_) weights_.push_back(root * root);
    if (is_weighted)
        for (Index i = 0; i < rows(); ++i) weighted_[i] = root_weights_[i] * r[i];
    double* p = is_weighted ? weighted_.data() : r.data();
    const Execution alone;
    const double total = is_weighted ? sum_of_rows(alone, weights_) : static_cast<double>(rows());
    double sum = sum_of_rows(alone, {p, static_cast<std::size_t>(rows())});
    double level = 0;
    const CoordinateStep scaled = [&](Index c, double product) {
        const Index j = columns[c];
        const double t = step(c, correct(j, product, sum)) * inverse_scale_[j];
        level += t * offset_[j];
        sum -= t * offset_[j] * total;
        return t;
    };
    for (int k = 0; k < rounds; ++k)
        if (!design_->sweep(columns, weights_, scaled, p)) return false;
    for (Index i = 0; i < rows(); ++i) {
        if (!is_weighted)
            r[i] += level;
        else if (root_weights_[i] > 0)
            r[i] = p[i] / root_weights_[i] + level * root_weights_[i];
    }
    return true;
}

}  // namespace sven::linalg
