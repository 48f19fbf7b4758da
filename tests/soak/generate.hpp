#pragma once
// What the generators of several families share.

#include "soak/case.hpp"
#include "soak/random.hpp"

namespace sven::soak {

struct Range {
    Index low;
    Index high;
};

// n x p standard normal columns with a common factor, and a response of some of them and noise.
[[nodiscard]] Data gaussian(Random& random, Index n, Index p);
[[nodiscard]] Data gaussian(Random& random, Range rows, Range columns);
// Small: mostly n <= 40 and p <= 12, now and then n <= 60 and p <= 30.
[[nodiscard]] Data gaussian(Random& random);
// Of the columns, some with a coefficient around 1, and noise of the given size.
void set_response(Random& random, Data& data, double noise);
void set_column(Data& data, Index j, const std::vector<double>& values);
[[nodiscard]] std::vector<double> normals(Random& random, Index count);
// Intercept and standardisation each on or off.
void choose_flags(Random& random, Data& data);

// The same numbers in another storage; of float32, X is rounded to what it can hold.
void store_as(Case& made, const test::Kind& kind);
// Over the columns, over the Gram matrix, or as the library likes.
void choose_method(Random& random, Case& made);
// One column is a combination of the others but for a small distance.
void make_collinear(Random& random, Data& data, double distance);
// An n x k matrix with orthonormal columns, n >= k, but for rounding.
[[nodiscard]] std::vector<std::vector<double>> orthonormal(Random& random, Index n, Index k);

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
// A case of these data: flags, method and setting are chosen.
[[nodiscard]] Case make_case(Random& random, Data data);

}  // namespace sven::soak
