#pragma once
// Seeded problems for the tests, dense in column-major order, with all that a Problem points to.

#include <random>
#include <vector>

#include "support/numbers.hpp"
#include "sven/path.hpp"

namespace sven::test {

struct Data {
    Index n = 0;
    Index p = 0;
    std::vector<double> X;  // column-major
    std::vector<double> y;
    std::vector<double> weights;
    std::vector<double> factors;
    std::vector<double> lower;   // on the scale of X; empty: none
    std::vector<double> upper;   // the same
    std::vector<double> offset;  // empty: none
    bool nonnegative = false;
    bool intercept = true;
    bool standardize = true;
    Family family = Family::gaussian;

    Problem problem() const {
        return {column_major(X.data(), n, p),
                y,
                weights,
                factors,
                nonnegative,
                intercept,
                standardize,
                lower,
                upper,
                offset,
                family};
    }
    double& at(Index i, Index j) { return X[j * n + i]; }
    double at(Index i, Index j) const { return X[j * n + i]; }
};

class Random {
  public:
    explicit Random(unsigned seed) : engine_(seed) {}
    double normal() { return normal_(engine_); }
    double uniform() { return uniform_(engine_); }
    Index index(Index count) { return static_cast<Index>(uniform() * static_cast<double>(count)); }

  private:
    std::mt19937_64 engine_;
    std::normal_distribution<double> normal_;
    std::uniform_real_distribution<double> uniform_;
};

inline std::vector<double> random_vector(Index size, unsigned seed) {
    Random random(seed);
    std::vector<double> values(static_cast<std::size_t>(size));
    for (double& value : values) value = random.normal();
    return values;
}

// Correlated columns (one common factor of share rho), a response from a few of them and noise.
inline Data random_regression(Index n, Index p, unsigned seed, double rho = 0.3) {
    Random random(seed);
    Data data;
    data.n = n;
    data.p = p;
    data.X.assign(static_cast<std::size_t>(n * p), 0.0);
    data.y.assign(static_cast<std::size_t>(n), 0.0);
    std::vector<double> common(static_cast<std::size_t>(n));
    for (double& value : common) value = random.normal();
    for (Index j = 0; j < p; ++j) {
        const double scale = 0.5 + 2 * random.uniform();
        const double mean = random.normal();
        for (Index i = 0; i < n; ++i)
            data.at(i, j) = mean + scale * ((1 - rho) * random.normal() + rho * common[i]);
    }
    const Index relevant = std::max<Index>(1, std::min<Index>(p, n) / 4);
    for (Index k = 0; k < relevant && p > 0; ++k) {
        const Index j = random.index(p);
        const double value = random.normal();
        for (Index i = 0; i < n; ++i) data.y[i] += value * data.at(i, j);
    }
    for (Index i = 0; i < n; ++i) data.y[i] += 0.5 * random.normal() + 1;
    return data;
}

inline void add_weights(Data& data, unsigned seed) {
    Random random(seed);
    data.weights.resize(static_cast<std::size_t>(data.n));
    for (double& w : data.weights) w = random.uniform() < 0.1 ? 0 : 0.2 + 2 * random.uniform();
    data.weights[0] = 1;
}

inline void add_factors(Data& data, unsigned seed) {
    Random random(seed);
    data.factors.resize(static_cast<std::size_t>(data.p));
    for (double& f : data.factors) f = 0.3 + 2 * random.uniform();
    if (data.p > 2) data.factors[1] = 0;
    if (data.p > 3) data.factors[3] = infinity;
}

// The smallest lambda at which every penalised coefficient of the Lasso is zero.
inline double largest_lambda(const Problem& problem, const Options& options = {}) {
    return std::get<Mixing>(lambda_grid(problem, {.alpha = 1, .count = 1}, options)[0]).lambda;
}
inline double largest_lambda(const Data& data) {
    return largest_lambda(data.problem());
}

}  // namespace sven::test
