#include "reduction/systems/projection.hpp"

#include <algorithm>
#include <utility>

#include "linalg/cholesky.hpp"
#include "linalg/dense.hpp"

namespace sven::reduction {

void Projection::clear() {
    places_.clear();
    left_ = rows_ = 0;
    is_ready_ = true;
}

bool Projection::follow(const Factor& factor, std::span<const Index> left) {
    const auto has_left = [&](Index place) {
        return std::binary_search(left.begin(), left.end(), place);
    };
    const bool is_same = is_ready_ && rows_ == factor.order &&
                         left_ == static_cast<Index>(left.size()) &&
                         std::all_of(places_.begin(), places_.begin() + left_, has_left);
    if (is_same) return true;
    is_ready_ = false;
    extend(factor);
    left_ = 0;
    for (Index k = 0; k < static_cast<Index>(places_.size()); ++k)
        if (has_left(places_[k])) swap(left_++, k);
    missing_.clear();
    for (const Index place : left)
        if (std::find(places_.begin(), places_.begin() + left_, place) == places_.begin() + left_)
            missing_.push_back(place);
    add(factor, missing_);
    const auto end = static_cast<Index>(places_.size());
    for (Index k = end - static_cast<Index>(missing_.size()); k < end; ++k) swap(left_++, k);
    is_ready_ = factor_square();
    return is_ready_;
}

bool Projection::factor_square() {
    const Index count = left_;
    if (count == 0) return true;
    sums_.resize(static_cast<std::size_t>(count * count));
    linalg::assign<float>({count, count, rows_, 1, linalg::by_rows<float>(P_.data(), stride_),
                           linalg::by_columns<float>(P_.data(), stride_), sums_.data(), count,
                           linalg::Part::upper});
    square_.assign(sums_.begin(), sums_.end());
    return linalg::cholesky_upper(count, square_.data(), count, execution_);
}

// With U bordered by U_12 and U_22, the new rows are -U_22^-T U_12'P.
void Projection::extend(const Factor& factor) {
    const auto count = static_cast<Index>(places_.size());
    const Index fresh = factor.order - rows_;
    if (fresh > 0 && count > 0) {
        reserve(factor.order, count);
        const float* border = factor.U.values + rows_ * factor.U.stride;
        linalg::assign<float>(
            {fresh, count, rows_, -1, linalg::by_rows<float>(border, factor.U.stride),
             linalg::by_columns<float>(P_.data(), stride_), P_.data() + rows_, stride_});
        linalg::divide_upper_transposed<float>({fresh, border + rows_, factor.U.stride}, count,
                                               P_.data() + rows_, stride_);
    }
    rows_ = factor.order;
}

void Projection::add(const Factor& factor, std::span<const Index> places) {
    if (places.empty()) return;
    const auto before = static_cast<Index>(places_.size());
    const auto count = static_cast<Index>(places.size());
    reserve(rows_, before + count);
    for (Index k = 0; k < count; ++k) {
        std::fill_n(column(before + k), rows_, 0.0F);
        column(before + k)[places[k]] = 1;
    }
    factor.triangle.divide_transposed(
        factor.U, {column(before), stride_, rows_, count, places.front()}, execution_);
    places_.insert(places_.end(), places.begin(), places.end());
}

void Projection::reserve(Index rows, Index columns) {
    if (rows <= stride_ && columns * stride_ <= P_.capacity()) return;
    const Index stride = std::max(rows, stride_);
    linalg::Buffer<float> grown(stride * std::max(columns, 2 * static_cast<Index>(places_.size())));
    for (Index k = 0; k < static_cast<Index>(places_.size()); ++k)
        std::copy_n(column(k), rows_, grown.data() + k * stride);
    P_.swap(grown);
    stride_ = stride;
}

void Projection::swap(Index a, Index b) {
    if (a == b) return;
    std::swap(places_[a], places_[b]);
    std::swap_ranges(column(a), column(a) + rows_, column(b));
}

void Projection::apply(float* y) {
    const auto count = static_cast<std::size_t>(left_);
    along_.resize(count);
    const linalg::Columns<float> P{P_.data(), stride_, rows_, left_};
    linalg::project(P, y, along_.data());
    solved_.assign(along_.begin(), along_.end());
    const linalg::Triangular<double> R{left_, square_.data(), left_};
    linalg::solve_upper_transposed(R, solved_.data());
    linalg::solve_upper(R, solved_.data());
    for (std::size_t k = 0; k < count; ++k) along_[k] = static_cast<float>(solved_[k]);
    linalg::combine(P, -1.0F, along_.data(), y);
}

void Projection::remainder(std::span<const Index> places, linalg::Buffer<double>& out) const {
    const auto count = static_cast<Index>(places.size());
    std::vector<double> columns(static_cast<std::size_t>(left_ * count), 0.0);
    for (Index k = 0; k < count; ++k) {
        const auto at = std::find(places_.begin(), places_.begin() + left_, places[k]);
        columns[k * left_ + (at - places_.begin())] = 1;
    }
    linalg::divide_upper_transposed<double>({left_, square_.data(), left_}, count, columns.data(),
                                            left_);
    out.reserve(count * count);
    linalg::assign<double>({count, count, left_, 1, linalg::by_rows<double>(columns.data(), left_),
                            linalg::by_columns<double>(columns.data(), left_), out.data(), count});
}

}  // namespace sven::reduction
