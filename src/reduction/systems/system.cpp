#include "reduction/systems/system.hpp"

#include "linalg/row_sums.hpp"

namespace sven::reduction {

void KernelSystem::take(const SystemRequest& request) {
    kernel_ = &request.kernel;
    active_ = request.active;
    ridge_ = request.ridge;
    l2_ = request.l2;
    order_.clear();
    for (std::size_t slot = 0; slot < active_.size(); ++slot)
        if (active_[slot]) order_.push_back(static_cast<Index>(slot));
}

void KernelSystem::multiply(const double* x, double* out) const {
    kernel_->multiply_gram(x, out);
    for (std::size_t slot = 0; slot < active_.size(); ++slot)
        out[slot] = active_[slot] ? out[slot] + ridge_[slot] * x[slot] : 0;
}

double KernelSystem::quadratic(const double* d) {
    direction_.assign(active_.size(), 0.0);
    for (const Index slot : order_) direction_[slot] = d[slot];
    double sum = 0;
    if (kernel_->has_columns()) {  // ||X d||^2, and no Gram matrix
        image_.resize(static_cast<std::size_t>(kernel_->rows()));
        kernel_->multiply(direction_, image_.data());
        sum = linalg::squares_of_rows(execution_, image_);
        for (const Index slot : order_) sum += ridge_[slot] * d[slot] * d[slot];
        return sum;
    }
    image_.resize(active_.size());
    multiply(direction_.data(), image_.data());
    for (const Index slot : order_) sum += d[slot] * image_[slot];
    return sum;
}

}  // namespace sven::reduction
