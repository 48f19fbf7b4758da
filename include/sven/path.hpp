#pragma once
// A regularisation path: many settings, solved from strong to weak penalties, each from the
// solution of its neighbour, and verified several at a time by one product with X (maths.md,
// section "Paths").

#include <vector>

#include "sven/elastic_net.hpp"
#include "sven/export.h"

namespace sven {

// The solutions in the order of the settings. After a cancel, the settings that were not
// finished have Status::cancelled and no coefficients.
[[nodiscard]] SVEN_API std::vector<Solution> solve_path(const Problem& problem,
                                                        std::span<const Setting> settings,
                                                        const Options& options = {});

// The same for each column of `responses`, which has rows(X) numbers per column; the y of the
// problem is not used. Standardisation, Gram matrix and products with X are shared, so that many
// responses cost little more than one.
[[nodiscard]] SVEN_API std::vector<std::vector<Solution>> solve_paths(
    const Problem& problem, std::span<const double> responses, std::span<const Setting> settings,
    const Options& options = {});

struct Grid {
    double alpha = 1;
    int count = 100;
    double min_ratio = 0;  // of the largest lambda; 0: 1e-4 when n >= p, else 1e-2
    Convention convention = Convention::documented;
};

// From the smallest lambda at which every penalised coefficient is zero down to min_ratio of it,
// equally spaced on the log scale. For alpha below 1e-3 the largest lambda is that of alpha = 1e-3,
// as in glmnet.
[[nodiscard]] SVEN_API std::vector<Setting> lambda_grid(const Problem& problem, const Grid& grid,
                                                        const Options& options = {});

// The protocol of the SVEN paper: up to `count` budgets (t, l2) taken along the path of `grid`,
// from small to large, no two with the same number of selected features and spread evenly over the
// numbers that occur. Fewer if a path four times finer than `grid` or `count` has fewer.
[[nodiscard]] SVEN_API std::vector<Setting> distinct_budgets(const Problem& problem,
                                                             const Grid& grid, int count,
                                                             const Options& options = {});

}  // namespace sven
