#pragma once
// Small positive definite systems, in the numbers of a judge.

#include <cstddef>
#include <vector>

namespace sven::soak {

// x := H^-1 x by Cholesky. False where H is not positive definite.
template <class Number>
bool solve_definite(std::vector<std::vector<Number>> H, std::vector<Number>& x) {
    const std::size_t d = x.size();
    for (std::size_t j = 0; j < d; ++j) {
        for (std::size_t k = 0; k < j; ++k) H[j][j] -= H[j][k] * H[j][k];
        if (H[j][j] <= 0) return false;
        H[j][j] = sqrt(H[j][j]);
        for (std::size_t i = j + 1; i < d; ++i) {
            for (std::size_t k = 0; k < j; ++k) H[i][j] -= H[i][k] * H[j][k];
            H[i][j] /= H[j][j];
        }
    }
    for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t k = 0; k < i; ++k) x[i] -= H[i][k] * x[k];
        x[i] /= H[i][i];
    }
    for (std::size_t i = d; i-- > 0;) {
        for (std::size_t k = i + 1; k < d; ++k) x[i] -= H[k][i] * x[k];
        x[i] /= H[i][i];
    }
    return true;
}

}  // namespace sven::soak
