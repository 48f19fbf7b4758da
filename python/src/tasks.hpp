#pragma once
// X whose columns tasks of a Python scheduler answer for.

#include <vector>

#include "arrays.hpp"

namespace svenet {

// `ask(parts, messages, common, is_cancelled)` returns what `answer_for_columns` does for each
// message, wherever the columns of its part are.
Matrix columns_of_tasks(sven::Index rows, const std::vector<sven::Index>& cols, nb::object ask);

nb::bytes answer_for_columns(const Matrix& part, const nb::bytes& message, const nb::bytes& common);

}  // namespace svenet
