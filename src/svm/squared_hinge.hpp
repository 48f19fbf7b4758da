#pragma once
// The problem that this folder solves, in its general form (maths.md, eq. 7-10). With samples z_i
// (labels multiplied in), costs C_i > 0, offsets b_i and a centre w0,
//
//     primal   min_w   P(w) = 1/2 ||w - w0||^2 + sum_i C_i max(0, b_i - z_i'w)^2
//     dual     max_a   D(a) = -1/2 ||Za||^2 - sum_i a_i^2 / (4 C_i) + a'(b - Z'w0),   a >= 0
//     meeting  w = w0 + Za,   a_i = 2 C_i max(0, b_i - z_i'w)
//
// Classification has w0 = 0 and b = 1. The margin of sample i is m_i = b_i - z_i'w; the support is
// the set where it is positive. For any w, and a_i = 2 C_i max(0, m_i), the duality gap is half the
// squared gradient, P(w) - D(a) = 1/2 ||w - w0 - Za||^2, a sum without cancellation.

#include <span>

#include "svm/rows.hpp"

namespace sven::svm {

struct SquaredHinge {
    Rows* samples = nullptr;          // m x d; its scratch is used
    std::span<const double> costs;    // m
    std::span<const double> offsets;  // m
    std::span<const double> centre;   // d
};

}  // namespace sven::svm
