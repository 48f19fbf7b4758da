#pragma once
// Where a solve ended, for the next one to begin at.

#include <vector>

#include "path/workspace.hpp"

namespace sven::path {

struct Standing {
    problem::Support support;
    // Of h_max: its multiplier; negative: nothing was solved yet. With another response both change
    // alike, so that a support belongs to a share and not to a multiplier.
    double share = -1;
    double l2 = 0;
    double weighted_l1 = 0;        // sum f |beta|
    std::vector<double> products;  // X'r, while the data are the same; empty: unknown

    double multiplier(const Workspace& work) const { return share * work.h_max; }
};

// Whether a path to these targets begins there: it is nearer than the top, where all is zero.
bool begins_at(const Standing& standing, std::span<const problem::Target> targets,
               const Workspace& work);
// Its support without the features that are excluded by now.
problem::Support support_of(const Standing& standing, const Workspace& work);
// Notes where a path ended, but for the products.
void note_end(const problem::Support& support, double h, double l2, const Workspace& work,
              Standing& standing);

}  // namespace sven::path
