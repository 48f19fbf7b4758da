#pragma once
// Shared by both layouts of dense X.

#include "linalg/design.hpp"
#include "linalg/kernels.hpp"
#include "linalg/row_sums.hpp"

namespace sven::linalg {

// The kernels of one scalar type.
template <class T>
struct Loops;

template <>
struct Loops<double> {
    static constexpr auto correlate = &Kernels::correlate_f64;
    static constexpr auto correlate_rows = &Kernels::correlate_rows_f64;
    static constexpr auto dot = &Kernels::dot_f64;
    static constexpr auto sum = &Kernels::sum_f64;
    static constexpr auto centred_sums = &Kernels::centred_sums_f64;
    static constexpr auto add_moments = &Kernels::add_moments_f64;
    static constexpr auto pack = &Kernels::pack_f64;
};

template <>
struct Loops<float> {
    static constexpr auto correlate = &Kernels::correlate_f32;
    static constexpr auto correlate_rows = &Kernels::correlate_rows_f32;
    static constexpr auto dot = &Kernels::dot_f32;
    static constexpr auto sum = &Kernels::sum_f32;
    static constexpr auto centred_sums = &Kernels::centred_sums_f32;
    static constexpr auto add_moments = &Kernels::add_moments_f32;
    static constexpr auto pack = &Kernels::pack_f32;
};

template <>
struct Loops<std::int8_t> {
    static constexpr auto correlate = &Kernels::correlate_i8;
    static constexpr auto correlate_rows = &Kernels::correlate_rows_i8;
    static constexpr auto dot = &Kernels::dot_i8;
    static constexpr auto sum = &Kernels::sum_i8;
    static constexpr auto centred_sums = &Kernels::centred_sums_i8;
    static constexpr auto add_moments = &Kernels::add_moments_i8;
    static constexpr auto pack = &Kernels::pack_i8;
};

inline double total_weight(const Execution& execution, RowWeights weights, Index rows) {
    return weights.empty() ? static_cast<double>(rows) : sum_of_rows(execution, weights);
}

// The shifts of the columns if any is non-zero; otherwise null, which selects the loops without
// shift.
inline const double* shift_of(std::span<const double> shift, Index begin, Index count) {
    if (shift.empty()) return nullptr;
    for (Index j = begin; j < begin + count; ++j)
        if (shift[j] != 0) return shift.data() + begin;
    return nullptr;
}

std::unique_ptr<Design> make_row_major_design(const DenseView& X);

}  // namespace sven::linalg
