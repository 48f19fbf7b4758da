#pragma once
// What the generators of several families share.

#include "soak/case.hpp"
#include "soak/random.hpp"

namespace sven::soak {

// n x p standard normal columns with a common factor, and a response of some of them and noise.
[[nodiscard]] Data gaussian(Random& random, Index n, Index p);
// Small: mostly n <= 40 and p <= 12, now and then n <= 60 and p <= 30.
[[nodiscard]] Data gaussian(Random& random);
// Of the columns, some with a coefficient around 1, and noise of the given size.
void set_response(Random& random, Data& data, double noise);
void set_column(Data& data, Index j, const std::vector<double>& values);
[[nodiscard]] std::vector<double> normals(Random& random, Index count);
// Intercept and standardisation each on or off.
void choose_flags(Random& random, Data& data);

// Sizes that settings are measured by, in the range of long double so that no scale is too large.
struct NaturalScale {
    double weight = 1;   // W
    double h = 0;        // max |x_j'y| over the penalised features
    double t = 0;        // max |x_j'y| / ||x_j||^2
    double squares = 0;  // max ||x_j||^2
};
[[nodiscard]] NaturalScale natural_scale(const Data& data);

// A penalty, a mixing or a budget, of moderate size.
[[nodiscard]] Setting choose_setting(Random& random, const Data& data);

}  // namespace sven::soak
