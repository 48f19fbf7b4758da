#pragma once
// The systems of a device, solved by the host: what the solver asks of a device can be tested
// without one.

#include <algorithm>
#include <memory>
#include <vector>

#include "linalg/cholesky.hpp"
#include "linalg/dense.hpp"
#include "support/counting_design.hpp"

namespace sven::test {

struct SystemCounts {
    Index factors = 0;
    Index failures = 0;
    Index products = 0;
};

class HostSystems final : public linalg::Systems {
  public:
    // Over columns of X, none at first.
    HostSystems(const linalg::Design& design, const linalg::ColumnScales& scales,
                SystemCounts& counts)
        : design_(&design), scales_(scales), counts_(counts) {}
    // Over a Gram matrix.
    HostSystems(Index size, const double* gram, SystemCounts& counts)
        : size_(size), gram_(gram, gram + size * size), counts_(counts) {}

    Index size() const override { return size_; }
    bool has_columns() const override { return design_ != nullptr; }

    bool append(std::span<const Index> columns) override {
        if (design_ == nullptr) return false;
        for (const Index j : columns) {
            std::vector<double> column(static_cast<std::size_t>(design_->rows()));
            design_->gather({&j, 1}, {}, column.data(), design_->rows());
            for (std::size_t i = 0; i < column.size(); ++i)
                column[i] = (column[i] - scales_.offset[j]) * scales_.inverse_scale[j] *
                            (scales_.root_weights.empty() ? 1 : scales_.root_weights[i]);
            columns_.push_back(std::move(column));
            std::vector<double> products;  // with those before it, and itself
            for (const std::vector<double>& other : columns_)
                products.push_back(
                    linalg::dot(design_->rows(), columns_.back().data(), other.data()));
            products_.push_back(std::move(products));
        }
        size_ = static_cast<Index>(columns_.size());
        return true;
    }
    void keep(std::span<const Index> members) override {
        std::vector<std::vector<double>> columns;
        std::vector<std::vector<double>> products;
        for (std::size_t a = 0; a < members.size(); ++a) {
            products.emplace_back();
            for (std::size_t b = 0; b <= a; ++b)
                products[a].push_back(products_[members[a]][members[b]]);
            columns.push_back(std::move(columns_[members[a]]));
        }
        columns_ = std::move(columns);
        products_ = std::move(products);
        size_ = static_cast<Index>(columns_.size());
    }

    bool factor(const linalg::SystemMatrix& K, double coarsest, std::span<const double> b,
                double* x) override {
        ++counts_.factors;
        order_ = static_cast<Index>(K.members.size());
        U_.assign(static_cast<std::size_t>(order_ * order_), 0.0);
        std::vector<double> diagonal;
        for (Index j = 0; j < order_; ++j) {
            for (Index i = 0; i <= j; ++i) U_[j * order_ + i] = gram(K.members[i], K.members[j]);
            diagonal.push_back(U_[j * order_ + j] += K.ridge[j]);
        }
        bool is_good = linalg::cholesky_upper(order_, U_.data(), order_, {});
        for (Index j = 0; j < order_ && is_good; ++j) {
            const double pivot = U_[j * order_ + j];
            is_good = pivot * pivot > coarsest * diagonal[j];
        }
        counts_.failures += is_good ? 0 : 1;
        if (is_good && !b.empty()) solve(b, x);
        return is_good;
    }
    void solve(std::span<const double> b, double* x) override {
        std::copy(b.begin(), b.end(), x);
        linalg::solve_upper_transposed({order_, U_.data(), order_}, x);
        linalg::solve_upper({order_, U_.data(), order_}, x);
    }

    void multiply(std::span<const double> x, double* out) override {
        ++counts_.products;
        std::fill_n(out, design_->rows(), 0.0);
        for (std::size_t k = 0; k < columns_.size(); ++k)
            linalg::axpy(design_->rows(), x[k], columns_[k].data(), out);
    }
    void correlate(std::span<const double> v, double* out) override {
        ++counts_.products;
        for (std::size_t k = 0; k < columns_.size(); ++k)
            out[k] = linalg::dot(design_->rows(), columns_[k].data(), v.data());
    }

  private:
    double gram(Index a, Index b) const {
        return design_ == nullptr ? gram_[b * size_ + a]
                                  : products_[std::max(a, b)][std::min(a, b)];
    }

    const linalg::Design* design_ = nullptr;
    linalg::ColumnScales scales_;
    Index size_ = 0;
    std::vector<double> gram_;
    SystemCounts& counts_;
    std::vector<std::vector<double>> columns_, products_;
    std::vector<double> U_;
    Index order_ = 0;
};

class DesignWithSystems final : public CountingDesign {
  public:
    using CountingDesign::CountingDesign;

    const SystemCounts& counts() const { return counts_; }
    std::unique_ptr<linalg::Systems> make_systems(
        const linalg::ColumnScales& scales) const override {
        return std::make_unique<HostSystems>(*this, scales, counts_);
    }
    std::unique_ptr<linalg::Systems> make_systems(Index size, const double* gram) const override {
        return std::make_unique<HostSystems>(size, gram, counts_);
    }

  private:
    mutable SystemCounts counts_;
};

}  // namespace sven::test
