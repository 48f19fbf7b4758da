#include "reduction/column_kernel.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/dense.hpp"
#include "reduction/tuning.hpp"

namespace sven::reduction {

ColumnKernel::ColumnKernel(linalg::ScaledDesign& X, std::span<const double> y,
                           std::span<const double> products, std::span<const double> norms,
                           const linalg::Execution& execution)
    : DesignKernel(X, execution), norms_(norms) {
    set_response(y, products);
}

void ColumnKernel::set_response(std::span<const double> y, std::span<const double> products) {
    y_ = y;
    products_ = products;
    residual_.assign(y.begin(), y.end());
    residual_of_.clear();
    slot_products_.clear();
    knows_residual_ = true;
    response_norm_ = std::sqrt(linalg::squares_of_rows(execution_, y));
}

void ColumnKernel::append(std::span<const Index> features) {
    if (features.empty()) return;
    add_slots(features);
    multiplications_ = 0;
    slot_entries_ += X_.entries_of(features);
}

const double* ColumnKernel::columns() {
    if (columns_.slots < slots()) {
        double* const fresh = make_room(columns_);
        gather(std::span(feature_).subspan(columns_.slots), fresh);
        columns_.slots = slots();
    }
    return columns_.values.data();
}

void ColumnKernel::need_gram() {
    if (gram_slots_ == slots()) return;
    grow_gram(execution_, slots(), gram_slots_);
    if (X_.is_sparse())
        extend_sparse_gram(gram_slots_);
    else
        extend_gram(columns(), gram_slots_);
    gram_slots_ = slots();
}

double ColumnKernel::gram_cost() const {
    const auto fresh = static_cast<double>(slots() - gram_slots_);
    return X_.is_sparse() ? tuning::gram_entry * fresh * slot_entries_
                          : fresh * static_cast<double>(slots()) * static_cast<double>(rows());
}

linalg::Systems* ColumnKernel::systems() {
    if (!has_asked_for_systems_) systems_ = X_.make_systems();
    has_asked_for_systems_ = true;
    if (systems_ == nullptr || systems_->size() == slots()) return systems_.get();
    execution_.check();
    if (!systems_->append(std::span(feature_).subspan(systems_->size()))) systems_.reset();
    return systems_.get();
}

// Whether the slots are at hand by rows, some of them at least: after some products that pays.
bool ColumnKernel::keeps_selected() {
    if (++multiplications_ > tuning::multiplications_by_columns) select_slots();
    return selected_ != nullptr;
}

void ColumnKernel::select_slots() {
    const Index known = selected_ == nullptr ? 0 : selected_->columns();
    if (slots() - known > known / tuning::selected_per_missing) {
        execution_.check();
        selected_ = X_.select(feature_);
    }
}

void ColumnKernel::keep(std::span<const Index> kept) {
    keep_columns(kept, columns_);
    if (systems_ != nullptr) systems_->keep(kept.first(kept_of(kept, systems_->size())));
    keep_slots(kept, gram_slots_);
    gram_slots_ = kept_of(kept, gram_slots_);
    slot_entries_ = X_.entries_of(feature_);
    selected_.reset();
    multiplications_ = 0;
    slot_products_.clear();
    knows_residual_ = false;
}

// Its members must be the slots of today.
bool ColumnKernel::is_for_device() const {
    return systems_ != nullptr && systems_->has_columns() && systems_->size() == slots() &&
           slot_entries_ >=
               (X_.is_sparse() ? tuning::device_product_scattered : tuning::device_product_entries);
}

void ColumnKernel::multiply(std::span<const double> x, double* out) {
    if (is_for_device()) {
        execution_.check();
        systems_->multiply(x, out);
        return;
    }
    if (!X_.is_sparse()) {
        combine_columns(columns(), x, out);
        return;
    }
    if (keeps_selected())
        X_.multiply(*selected_, feature_, x, execution_, out);
    else
        multiply_entries(x, out);
}

void ColumnKernel::set_coefficients(std::span<const double> beta) {
    if (has_residual_of(beta)) return;
    knows_residual_ = false;  // a cancel may leave it half done
    slot_products_.clear();
    if (is_for_device()) {
        execution_.check();
        slot_products_.resize(static_cast<std::size_t>(slots()));
        systems_->look(y_, beta, residual_.data(), slot_products_.data());
    } else {
        multiply(beta, residual_.data());
        for (Index i = 0; i < rows(); ++i) residual_[i] = y_[i] - residual_[i];
    }
    residual_of_.assign(beta.begin(), beta.end());
    knows_residual_ = true;
}

// Slots that came since have no part in it.
bool ColumnKernel::has_residual_of(std::span<const double> beta) const {
    const std::size_t known = residual_of_.size();
    return knows_residual_ && beta.size() >= known &&
           std::equal(residual_of_.begin(), residual_of_.end(), beta.begin()) &&
           std::all_of(beta.begin() + known, beta.end(), [](double b) { return b == 0; });
}

void ColumnKernel::slot_correlations(double* out) {
    if (knows_slot_products()) {
        std::copy(slot_products_.begin(), slot_products_.end(), out);
        return;
    }
    correlate_slots(residual_, out);
    slot_products_.assign(out, out + slots());
}

// Neighbours together, where the columns are at hand.
void ColumnKernel::correlations_of_slots(std::span<const Index> some, double* out) {
    if (knows_slot_products() || is_for_device() || X_.is_sparse()) {
        slot_correlations(out);
        return;
    }
    const double* const Z = columns();
    for (std::size_t k = 0; k < some.size();) {
        Index count = 1;
        while (k + count < some.size() && some[k + count] == some[k] + count) ++count;
        project_columns(Z + some[k] * rows(), count, residual_, out + some[k]);
        k += static_cast<std::size_t>(count);
    }
}

void ColumnKernel::correlate_slots(std::span<const double> v, double* out) {
    if (is_for_device()) {
        execution_.check();
        systems_->correlate(v, out);
    } else if (X_.is_sparse()) {
        X_.correlate_some(feature_, v, execution_, out);
    } else {
        project_columns(columns(), slots(), v, out);
    }
}

void ColumnKernel::gather(std::span<const Index> features, double* out) {
    X_.gather(features, execution_, out, rows());
}

void ColumnKernel::correlations(std::span<const Index> features, double* out) {
    X_.correlate_some(features, residual_, execution_, out);
}

void ColumnKernel::multiply_gram(const double* x, double* out) {
    if (multiplies_by_gram()) {
        need_gram();
        multiply_stored(execution_, x, out);
        return;
    }
    const std::span<const double> values(x, static_cast<std::size_t>(slots()));
    const bool is_scattered = X_.is_sparse() && !is_for_device();
    if (is_scattered && keeps_selected()) {
        X_.multiply_gram(*selected_, feature_, values, execution_, out);
        return;
    }
    product_.resize(static_cast<std::size_t>(rows()));
    if (is_scattered)
        multiply_entries(values, product_.data());
    else
        multiply(values, product_.data());
    correlate_slots(product_, out);
}

double ColumnKernel::multiply_cost() const {
    const auto m = static_cast<double>(slots());
    const auto n = static_cast<double>(rows());
    return X_.is_sparse() ? 2 * slot_entries_ + 4 * n : m * std::min(m, 2 * n);
}

double ColumnKernel::residual_squares() {
    return linalg::squares_of_rows(execution_, residual_);
}

double ColumnKernel::rounding() const {
    return residual_rounding(std::sqrt(linalg::squares_of_rows(execution_, residual_)),
                             response_norm_);
}

bool ColumnKernel::sweep(std::span<const Index> slots, int rounds,
                         const linalg::CoordinateStep& step) {
    knows_residual_ = false;
    slot_products_.clear();
    if (X_.is_sparse()) {
        support_.clear();
        for (const Index slot : slots) support_.push_back(feature_[slot]);
        return X_.sweep(support_, rounds, step, residual_);
    }
    const Index n = rows();
    const double* const Z = columns();
    for (int k = 0; k < rounds; ++k)
        for (std::size_t c = 0; c < slots.size(); ++c) {
            const double* x = Z + slots[c] * n;
            const double t = step(static_cast<Index>(c), linalg::dot(n, x, residual_.data()));
            if (t != 0) linalg::axpy(n, -t, x, residual_.data());
        }
    return true;
}

double ColumnKernel::sweep_cost(std::span<const Index> slots) const {
    const auto count = static_cast<double>(slots.size());
    if (X_.is_sparse())
        return tuning::swept_entry * slot_entries_ * count /
                   static_cast<double>(std::max<Index>(1, this->slots())) +
               tuning::swept_coordinate * count;
    return 2 * tuning::streamed * static_cast<double>(rows()) * count;  // read twice
}

}  // namespace sven::reduction
