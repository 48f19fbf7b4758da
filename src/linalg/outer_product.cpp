#include "linalg/outer_product.hpp"

#include "linalg/dense.hpp"
#include "linalg/tuning.hpp"

namespace sven::linalg {

void add_outer_product(const ColumnBlock& B, double sign, Triangle triangle,
                       const Execution& execution, double* M) {
    constexpr Index width = outer_product_columns;
    const Index n = B.n;
    const double work =
        static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(B.count);
    const Team team = execution.team_for(work / outer_product_speed);
    parallel_for(execution, team, (n + width - 1) / width, [&](Index k) {
        const Index first = k * width;
        const Index end = std::min(n, first + width);
        const Index top = triangle == Triangle::upper ? 0 : first;
        const Index bottom = triangle == Triangle::upper ? end : n;
        multiply<double>({bottom - top, end - first, B.count, sign, by_columns(B.data + top, n),
                          by_rows(B.data + first, n), M + first * n + top, n});
    });
}

}  // namespace sven::linalg
