#include "reduction/gram_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/dense.hpp"
#include "reduction/tuning.hpp"

namespace sven::reduction {

GramKernel::GramKernel(const ScaledGram& gram, const linalg::Execution& execution,
                       const linalg::Design* design)
    : Kernel(gram.features),
      data_(gram),
      execution_(execution),
      design_(design),
      correlations_(gram.products),
      residual_squares_(gram.response_squares) {
    whole_ = gram.values->data();
}

linalg::Systems* GramKernel::systems() {
    if (design_ != nullptr)
        systems_ = std::exchange(design_, nullptr)->make_systems(features(), whole_);
    return systems_.get();
}

void GramKernel::keep(std::span<const Index> slots) {
    keep_slots(slots, copied_);
    copied_ = kept_of(slots, copied_);
}

// Entries of the slots beside each other, for products with them alone.
void GramKernel::copy_slots() {
    const Index first = copied_;
    grow_gram(execution_, slots(), first);
    linalg::Poll poll(execution_);
    for (Index a = 0; a < slots(); ++a) {
        const Index begin = std::max(a, first);
        if (poll.stops_after(4.0 * static_cast<double>(slots() - begin))) throw linalg::Cancelled();
        const double* column = whole_ + feature(a) * data_.features;
        for (Index b = begin; b < slots(); ++b) gram_[a * gram_stride_ + b] = column[feature(b)];
    }
    copied_ = slots();
}

void GramKernel::multiply_gram(const double* x, double* out) {
    if (copied_ < slots()) copy_slots();
    multiply_stored(execution_, x, out);
}

void GramKernel::set_coefficients(std::span<const double> beta) {
    nonzero_.clear();
    value_.clear();
    for (Index slot = 0; slot < slots(); ++slot)
        if (beta[slot] != 0) {
            nonzero_.push_back(feature(slot));
            value_.push_back(beta[slot]);
        }
    expanded_.assign(static_cast<std::size_t>(data_.features), 0.0);
    for (std::size_t k = 0; k < nonzero_.size(); ++k) expanded_[nonzero_[k]] = value_[k];
    is_current_ = false;
}

// X'r = X'y - G beta (maths.md, eq. 35). With most features selected, half of the matrix tells all.
void GramKernel::follow_coefficients() {
    if (is_current_) return;
    const Index p = data_.features;
    const auto count = static_cast<Index>(nonzero_.size());
    if (2 * count > p + p / tuning::features_per_excess)
        subtract_half();
    else
        subtract_columns();
    execution_.check();
    note_residual();
    is_current_ = true;
}

void GramKernel::subtract_half() {
    const Index p = data_.features;
    multiply_symmetric(execution_, {whole_, p, p}, expanded_.data(), correlations_.data());
    for (Index j = 0; j < p; ++j) correlations_[j] = data_.products[j] - correlations_[j];
}

// Four columns of G at a time.
void GramKernel::subtract_columns() {
    const Index p = data_.features;
    const auto count = static_cast<Index>(nonzero_.size());
    const double work = 2.0 * static_cast<double>(p) * static_cast<double>(count);
    linalg::parallel_ranges(
        execution_.team_for(work), p, tuning::updated_entries, [&](Index begin, Index end) {
            double* u = correlations_.data();
            std::copy(data_.products.begin() + begin, data_.products.begin() + end, u + begin);
            linalg::Poll poll(execution_);
            Index k = 0;
            for (; k + 4 <= count; k += 4) {
                if (poll.stops_after(8.0 * static_cast<double>(end - begin))) return;
                const double* g0 = whole_ + nonzero_[k] * p;
                const double* g1 = whole_ + nonzero_[k + 1] * p;
                const double* g2 = whole_ + nonzero_[k + 2] * p;
                const double* g3 = whole_ + nonzero_[k + 3] * p;
                const double b0 = value_[k];
                const double b1 = value_[k + 1];
                const double b2 = value_[k + 2];
                const double b3 = value_[k + 3];
                for (Index j = begin; j < end; ++j)
                    u[j] -= b0 * g0[j] + b1 * g1[j] + b2 * g2[j] + b3 * g3[j];
            }
            for (; k < count; ++k) {
                const double* g = whole_ + nonzero_[k] * p;
                for (Index j = begin; j < end; ++j) u[j] -= value_[k] * g[j];
            }
        });
}

double GramKernel::correlation(Index feature) const {
    const Index p = data_.features;
    return data_.products[feature] - linalg::dot(p, whole_ + feature * p, expanded_.data());
}

bool GramKernel::is_for_few(std::size_t features) const {
    return !is_current_ && tuning::all_per_few * static_cast<Index>(features) <=
                               std::min(static_cast<Index>(nonzero_.size()), data_.features / 2);
}

// ||r||^2 = y'y - (X'y)'beta - (X'r)'beta
void GramKernel::note_residual() {
    residual_squares_ = data_.response_squares;
    for (std::size_t k = 0; k < nonzero_.size(); ++k)
        residual_squares_ -= value_[k] * (data_.products[nonzero_[k]] + correlations_[nonzero_[k]]);
    residual_squares_ = std::max(0.0, residual_squares_);
}

// r -= t x_j takes t G_j from the products, and t (x_j'r_before + x_j'r_after) from ||r||^2.
bool GramKernel::sweep(std::span<const Index> slots, int rounds,
                       const linalg::CoordinateStep& step) {
    const Index p = data_.features;
    follow_coefficients();
    for (int k = 0; k < rounds; ++k)
        for (std::size_t c = 0; c < slots.size(); ++c) {
            const Index j = feature(slots[c]);
            const double before = correlations_[j];
            const double t = step(static_cast<Index>(c), before);
            if (t == 0) continue;
            linalg::axpy(p, -t, whole_ + j * p, correlations_.data());
            residual_squares_ -= t * (before + correlations_[j]);
        }
    return true;
}

double GramKernel::sweep_cost(std::span<const Index> slots) const {
    return tuning::swept_dense_entry * static_cast<double>(data_.features) *
           static_cast<double>(slots.size());
}

void GramKernel::slot_correlations(double* out) {
    follow_coefficients();
    for (Index slot = 0; slot < slots(); ++slot) out[slot] = correlations_[feature(slot)];
}

void GramKernel::correlations_of_slots(std::span<const Index> some, double* out) {
    if (!is_for_few(some.size())) return slot_correlations(out);
    for (const Index slot : some) out[slot] = correlation(feature(slot));
}

void GramKernel::correlations(std::span<const Index> features, double* out) {
    const bool is_for_few = this->is_for_few(features.size());
    if (!is_for_few) follow_coefficients();
    for (std::size_t k = 0; k < features.size(); ++k)
        out[k] = is_for_few ? correlation(features[k]) : correlations_[features[k]];
}

// From the Gram matrix alone the products are known to the rounding of X'y.
double GramKernel::rounding() const {
    return tuning::product_rounding * std::sqrt(data_.response_squares);
}

}  // namespace sven::reduction
