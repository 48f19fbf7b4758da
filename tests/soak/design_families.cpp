// What the columns are like: ties, dependence, condition.

#include <array>
#include <cmath>

#include "soak/families.hpp"
#include "soak/generate.hpp"

namespace sven::soak {
namespace {

// Small integers, and settings that make products meet their bounds exactly.
Case ties(Random& random) {
    Case made;
    Data& data = made.data;
    data = gaussian(random, {3, 12}, {2, 10});
    for (double& entry : data.X) entry = static_cast<double>(random.between(-2, 2));
    for (double& value : data.y) value = static_cast<double>(random.between(-4, 4));
    data.intercept = random.chance(0.3);
    data.standardize = random.chance(0.2);
    choose_method(random, made);
    const auto l2 = static_cast<double>(random.between(0, 2));
    if (random.chance(0.6))
        made.settings = {Penalty{2 * static_cast<double>(random.between(1, 12)), l2}};
    else
        made.settings = {Budget{static_cast<double>(random.between(1, 8)) / 2, l2}};
    return made;
}

// Orthogonal columns of ones and minus ones: products that meet their bounds many at a time.
Case orthogonal(Random& random) {
    Case made;
    Data& data = made.data;
    data = gaussian(random, 8, random.between(2, 7));
    for (Index j = 0; j < data.p; ++j)
        for (Index i = 0; i < data.n; ++i)
            data.at(i, j) = __builtin_parityll(static_cast<unsigned>(i & (j + 1))) != 0 ? -1 : 1;
    for (double& value : data.y) value = static_cast<double>(random.between(-3, 3));
    choose_flags(random, data);
    choose_method(random, made);
    const auto amount = static_cast<double>(random.between(1, 12));
    const auto l2 = random.chance(0.5) ? 0.0 : static_cast<double>(random.between(1, 8));
    if (random.chance(0.6))
        made.settings = {Penalty{2 * amount, l2}};
    else
        made.settings = {Budget{amount / 4, l2}};
    return made;
}

// Multiples of one column, exactly (powers of two) or but for rounding.
Case rank_one(Random& random) {
    Data data = gaussian(random, {4, 30}, {2, 10});
    const std::vector<double> column = normals(random, data.n);
    const bool is_exact = random.chance(0.5);
    for (Index j = 0; j < data.p; ++j) {
        const double factor = is_exact ? std::ldexp(random.chance(0.5) ? 1 : -1,
                                                    static_cast<int>(random.between(-3, 3)))
                                       : random.normal();
        for (Index i = 0; i < data.n; ++i) data.at(i, j) = factor * column[i];
    }
    set_response(random, data, 0.5);
    return make_case(random, std::move(data));
}

// Powers of points in an interval: conditions from 1 to 1e15 and beyond.
Case vandermonde(Random& random) {
    const Index p = random.between(2, 12);
    Data data = gaussian(random, random.between(p + 2, 40), p);
    const double low = random.chance(0.5) ? 0 : -1;
    std::vector<double> points;
    for (Index i = 0; i < data.n; ++i) points.push_back(random.uniform(low, 1));
    for (Index j = 0; j < data.p; ++j)
        for (Index i = 0; i < data.n; ++i)
            data.at(i, j) = std::pow(points[i], static_cast<double>(j + 1));
    set_response(random, data, random.decades(-6, 0));
    return make_case(random, std::move(data));
}

// Singular values that fall by equal factors, or all at once, down to 1e-15 of the largest.
Case spectra(Random& random) {
    const Index p = random.between(2, 10);
    Data data = gaussian(random, random.between(p + 1, 40), p);
    const auto left = orthonormal(random, data.n, p);
    const auto right = orthonormal(random, p, p);
    const double decades = random.uniform(0, 15);
    const bool is_cliff = random.chance(0.3);
    std::fill(data.X.begin(), data.X.end(), 0.0);
    for (Index k = 0; k < p; ++k) {
        const double share = static_cast<double>(k) / static_cast<double>(p - 1);
        const double value = std::pow(10, -decades * (is_cliff ? std::floor(share + 0.5) : share));
        for (Index j = 0; j < p; ++j)
            for (Index i = 0; i < data.n; ++i) data.at(i, j) += value * left[k][i] * right[k][j];
    }
    if (random.chance(0.5))
        data.y = normals(random, data.n);
    else
        set_response(random, data, random.decades(-8, 0));
    return make_case(random, std::move(data));
}

// Exact copies, sign-flipped copies, and exact sums of columns.
Case duplicates(Random& random) {
    Data data = gaussian(random, {4, 30}, {3, 12});
    // few digits, so that sums and differences are exact
    for (double& entry : data.X) entry = std::round(entry * 1024) / 1024;
    for (Index j = 1; j < data.p; ++j) {
        if (random.chance(0.5)) continue;
        const Index other = random.between(0, j - 1);
        const Index third = random.between(0, j - 1);
        const double sign = random.chance(0.5) ? 1 : -1;
        const double scale = random.chance(0.3) ? 2 : 1;
        const double share = random.chance(0.3) ? 1 : 0;
        for (Index i = 0; i < data.n; ++i)
            data.at(i, j) = sign * scale * data.at(i, other) + share * data.at(i, third);
    }
    set_response(random, data, 0.5);
    Case made = make_case(random, std::move(data));
    if (random.chance(0.3)) {
        made.data.factors.assign(static_cast<std::size_t>(made.data.p), 1.0);
        for (double& f : made.data.factors)
            if (random.chance(0.3)) f = 0;
    }
    return made;
}

// Penalised columns at a small distance from each other.
Case near_duplicates(Random& random) {
    Data data = gaussian(random, {5, 40}, {2, 10});
    for (Index j = 1; j < data.p; ++j) {
        if (random.chance(0.4)) continue;
        const Index other = random.between(0, j - 1);
        const double sign = random.chance(0.5) ? 1 : -1;
        const double distance = random.decades(-16, -1);
        for (Index i = 0; i < data.n; ++i)
            data.at(i, j) = sign * data.at(i, other) + distance * random.normal();
    }
    set_response(random, data, 0.3);
    return make_case(random, std::move(data));
}

// More columns than rows.
Case wide(Random& random) {
    const Index n = random.between(3, 15);
    Case made = make_case(random, gaussian(random, n, random.between(n, 30)));
    // to the ends, where as many are selected as there are rows
    if (random.chance(0.3)) {
        const NaturalScale natural = natural_scale(made.data);
        made.settings = {Penalty{2 * natural.h * random.decades(-12, -3), 0}};
    } else if (random.chance(0.3)) {
        made.settings = {Budget{natural_scale(made.data).t * random.decades(0, 4), 0}};
    }
    return made;
}

// One or a few rows, constant and empty columns, a constant response.
Case degenerate(Random& random) {
    Data data = gaussian(random, {1, 5}, {1, 6});
    for (Index j = 0; j < data.p; ++j) {
        if (random.chance(0.6)) continue;
        const double value = random.chance(0.5) ? 0 : random.normal();
        for (Index i = 0; i < data.n; ++i) data.at(i, j) = value;
    }
    if (random.chance(0.3)) {
        const double value = random.chance(0.3) ? 0 : random.normal();
        for (double& entry : data.y) entry = value;
    }
    Case made = make_case(random, std::move(data));
    if (random.chance(0.3)) made.settings = {Penalty{random.decades(-3, 1), random.decades(-3, 1)}};
    return made;
}

constexpr std::array table{
    Family{"ties", ties},
    Family{"orthogonal", orthogonal},
    Family{"rank-one", rank_one},
    Family{"vandermonde", vandermonde},
    Family{"spectra", spectra},
    Family{"duplicates", duplicates},
    Family{"near-duplicates", near_duplicates},
    Family{"wide", wide},
    Family{"degenerate", degenerate},
};

}  // namespace

std::span<const Family> design_families() {
    return table;
}

}  // namespace sven::soak
