#pragma once

#include "linalg/execution.hpp"

namespace sven::linalg {

// A = QR by Householder reflections, A rows x cols, column-major without padding: R is stored in
// the upper triangle, the reflections below it and in tau, min(rows, cols) of them. Polls the
// cancel token.
void qr(Index rows, Index cols, double* A, double* tau, const Execution& execution);

}  // namespace sven::linalg
