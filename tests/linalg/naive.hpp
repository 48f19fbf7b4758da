#pragma once
// Matrices for the tests of the seam, and how far a sum may be from the one in long double.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "linalg/design.hpp"
#include "support/back_end.hpp"
#include "support/matrix_kinds.hpp"
#include "support/problems.hpp"
#include "support/shapes.hpp"

namespace sven::test {

// The largest error of many sums, each relative to the sum of the magnitudes of its terms.
class Worst {
  public:
    void note(double value, Real expected, Real magnitude, Index at) {
        auto error = static_cast<double>(std::abs(value - expected));
        if (error != 0) error /= static_cast<double>(magnitude);
        if (std::isnan(error)) error = infinity;
        if (error <= error_) return;
        error_ = error;
        at_ = at;
    }
    double error() const { return error_; }
    Index at() const { return at_; }

  private:
    double error_ = 0;
    Index at_ = -1;
};

// A sum of n terms; vector lanes and blocks make the true error far smaller than n units.
inline double sum_tolerance(Index n) {
    return 2e-16 * (4 + std::sqrt(static_cast<double>(n)));
}

inline void expect_small(const Worst& worst, double tolerance) {
    EXPECT_LE(worst.error(), tolerance) << "at " << worst.at();
}

// Column-major, exact in float32. Columns are full, empty, constant or sparse in turn.
inline std::vector<double> mixed_matrix(Index n, Index p, unsigned seed, double density = 0.3) {
    Random random(seed);
    std::vector<double> X(static_cast<std::size_t>(n * p));
    for (Index j = 0; j < p; ++j)
        for (Index i = 0; i < n; ++i) {
            const auto value = static_cast<double>(static_cast<float>(random.normal() + 0.5));
            const bool is_kept = j % 5 == 0 || (j % 7 != 3 && random.uniform() < density);
            X[j * n + i] = j % 11 == 6 ? 2.25 : (is_kept ? value : 0);
        }
    return X;
}

// Some columns have none.
inline std::vector<double> random_shift(Index p, unsigned seed) {
    std::vector<double> shift = random_vector(p, seed);
    for (Index j = 0; j < p; j += 3) shift[j] = 0;
    return shift;
}

// Of positive weight: the first row, and most others.
inline std::vector<double> random_weights(Index n, unsigned seed) {
    Random random(seed);
    std::vector<double> weights(static_cast<std::size_t>(n));
    for (double& w : weights) w = random.uniform() < 0.2 ? 0 : 0.1 + random.uniform();
    weights[0] = 1;
    return weights;
}

inline std::vector<Shape> all_shapes() {
    std::vector<Shape> shapes;
    for (const Index n : {1, 2, 7, 100})
        for (const Index p : {1, 5, 12, 97, 300}) shapes.push_back({n, p});
    // more rows than a block of the panel, more columns than a tile, and enough for several threads
    for (const Shape large : {Shape{5000, 1}, Shape{5000, 5}, Shape{5000, 13}, Shape{700, 300}})
        shapes.push_back(large);
    return shapes;
}

// One matrix in every kind, each with the designs of the back end under test.
struct Designs {
    Designs(Index n, Index p, const std::vector<double>& X) {
        for (const Kind& kind : all_kinds()) {
            matrices.push_back(std::make_unique<StoredMatrix>(kind, n, p, X));
            for (TestedDesign& tested : tested_designs(matrices.back()->view())) {
                names.push_back(name(kind) + tested.name);
                owners.push_back(std::move(tested.owner));
                designs.push_back(std::move(tested.design));
            }
        }
    }
    // Calls check(design) for each kind, named in what fails.
    template <class Check>
    void each(const Check& check) const {
        for (std::size_t k = 0; k < designs.size(); ++k) {
            SCOPED_TRACE(names[k]);
            check(*designs[k]);
        }
    }
    std::vector<std::string> names;
    std::vector<std::unique_ptr<StoredMatrix>> matrices;
    std::vector<std::shared_ptr<void>> owners;
    std::vector<std::unique_ptr<linalg::Design>> designs;
};

}  // namespace sven::test
