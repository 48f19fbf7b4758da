#include "reduction/systems/row_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/cholesky.hpp"
#include "linalg/dense.hpp"
#include "linalg/outer_product.hpp"
#include "reduction/tuning.hpp"

namespace sven::reduction {

void RowMatrix::begin(Index rows) {
    rows_ = rows;
    sum_.reserve(rows * rows);
    for (Index j = 0; j < rows; ++j) {
        execution_.check();
        std::fill_n(sum_.data() + j * rows, rows, 0.0);
    }
}

void RowMatrix::add(std::span<const Index> features, std::span<const double> weights, double sign,
                    const Gather& gather) {
    constexpr std::size_t width = tuning::added_columns;
    block_.reserve(rows_ * tuning::added_columns);
    for (std::size_t begin = 0; begin < features.size(); begin += width) {
        execution_.check();
        const auto list = features.subspan(begin, std::min(width, features.size() - begin));
        gather(list, block_.data());
        for (std::size_t c = 0; c < list.size(); ++c) {
            const double root = std::sqrt(weights[list[c]]);
            if (root != 1)
                linalg::scale(rows_, root, block_.data() + static_cast<Index>(c) * rows_);
        }
        linalg::add_outer_product({block_.data(), rows_, static_cast<Index>(list.size())}, sign,
                                  linalg::Triangle::upper, execution_, sum_.data());
    }
}

void RowMatrix::add_direction(std::span<const double> v) {
    linalg::add_outer_product({v.data(), rows_, 1}, 1, linalg::Triangle::upper, execution_,
                              sum_.data());
}

bool RowMatrix::factorise(double l2) {
    U_.reserve(rows_ * rows_);
    for (Index j = 0; j < rows_; ++j) {
        execution_.check();
        std::copy_n(sum_.data() + j * rows_, j + 1, U_.data() + j * rows_);
        U_[j * rows_ + j] += l2;
    }
    return linalg::cholesky_upper(rows_, U_.data(), rows_, execution_);
}

void RowMatrix::solve(double* b) const {
    linalg::solve_upper_transposed({rows_, U_.data(), rows_}, b);
    linalg::solve_upper({rows_, U_.data(), rows_}, b);
}

double RowMatrix::largest_diagonal() const {
    double largest = 0;
    for (Index i = 0; i < rows_; ++i) largest = std::max(largest, sum_[i * rows_ + i]);
    return largest;
}

}  // namespace sven::reduction
