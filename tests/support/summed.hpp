#pragma once
// Data in pieces, and problems whose rows are gone.

#include "support/problems.hpp"
#include "sven/statistics.hpp"

namespace sven::test {

// Rows [begin, end) as data of their own.
inline Data rows_of(const Data& data, Index begin, Index end) {
    Data part = data;
    part.n = end - begin;
    part.X.clear();
    for (Index j = 0; j < data.p; ++j)
        for (Index i = begin; i < end; ++i) part.X.push_back(data.at(i, j));
    const auto cut = [&](std::vector<double>& values) {
        if (values.empty()) return;
        values = {values.begin() + begin, values.begin() + end};
    };
    cut(part.y);
    cut(part.weights);
    cut(part.offset);
    return part;
}

inline Problem without_rows(const Data& data, const Statistics& statistics) {
    Problem problem = data.problem();
    problem.X = DenseView{};
    problem.y = problem.weights = problem.offset = {};
    problem.statistics = &statistics;
    return problem;
}

}  // namespace sven::test
