#include "soak/generate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace sven::soak {

std::vector<double> normals(Random& random, Index count) {
    std::vector<double> values(static_cast<std::size_t>(count));
    for (double& value : values) value = random.normal();
    return values;
}

void set_column(Data& data, Index j, const std::vector<double>& values) {
    std::copy(values.begin(), values.end(), data.X.begin() + j * data.n);
}

void set_response(Random& random, Data& data, double noise) {
    data.y.assign(static_cast<std::size_t>(data.n), 0.0);
    for (Index j = 0; j < data.p; ++j) {
        if (random.chance(0.5)) continue;
        const double value = random.normal();
        for (Index i = 0; i < data.n; ++i) data.y[i] += value * data.at(i, j);
    }
    for (double& value : data.y) value += noise * random.normal();
}

Data gaussian(Random& random, Index n, Index p) {
    Data data;
    data.n = n;
    data.p = p;
    data.X.resize(static_cast<std::size_t>(n * p));
    const std::vector<double> common = normals(random, n);
    const double share = random.uniform(0, 0.9);
    for (Index j = 0; j < p; ++j) {
        const double mean = random.normal();
        const double scale = random.uniform(0.3, 3);
        for (Index i = 0; i < n; ++i)
            data.at(i, j) = mean + scale * ((1 - share) * random.normal() + share * common[i]);
    }
    set_response(random, data, random.uniform(0.01, 1));
    return data;
}

Data gaussian(Random& random, Range rows, Range columns) {
    // in this order: that of arguments is the compiler's
    const Index n = random.between(rows.low, rows.high);
    const Index p = random.between(columns.low, columns.high);
    return gaussian(random, n, p);
}

Data gaussian(Random& random) {
    if (random.chance(0.05)) return gaussian(random, {5, 60}, {1, 30});
    return gaussian(random, {5, 40}, {1, 12});
}

void choose_flags(Random& random, Data& data) {
    data.intercept = random.chance(0.7);
    data.standardize = random.chance(0.6);
}

void store_as(Case& made, const test::Kind& kind) {
    made.kind = kind;
    if (kind.scalar == Scalar::float32)
        for (double& entry : made.data.X) entry = static_cast<float>(entry);
}

void choose_method(Random& random, Case& made) {
    constexpr std::array methods{Method::automatic, Method::primal, Method::dual};
    made.options.method = methods[static_cast<std::size_t>(random.between(0, 2))];
}

void make_collinear(Random& random, Data& data, double distance) {
    const Index last = data.p - 1;
    std::vector<double> sum(static_cast<std::size_t>(data.n), 0.0);
    for (Index j = 0; j < last; ++j) {
        const double value = random.normal();
        for (Index i = 0; i < data.n; ++i) sum[i] += value * data.at(i, j);
    }
    for (double& value : sum) value += distance * random.normal();
    set_column(data, last, sum);
}

std::vector<std::vector<double>> orthonormal(Random& random, Index n, Index k) {
    std::vector<std::vector<double>> columns;
    while (static_cast<Index>(columns.size()) < k) {
        std::vector<double> next = normals(random, n);
        for (int pass = 0; pass < 2; ++pass)  // once leaves what rounding made
            for (const std::vector<double>& other : columns) {
                const double share =
                    std::inner_product(next.begin(), next.end(), other.begin(), 0.0);
                for (Index i = 0; i < n; ++i) next[i] -= share * other[i];
            }
        const double norm =
            std::sqrt(std::inner_product(next.begin(), next.end(), next.begin(), 0.0));
        for (double& value : next) value /= norm;
        columns.push_back(std::move(next));
    }
    return columns;
}

NaturalScale natural_scale(const Data& data) {
    const auto weight = [&](Index i) -> long double {
        return data.weights.empty() ? 1 : data.weights[i];
    };
    long double W = 0;
    long double y_mean = 0;
    for (Index i = 0; i < data.n; ++i) {
        W += weight(i);
        y_mean += weight(i) * data.y[i];
    }
    y_mean = data.intercept ? y_mean / W : 0;
    NaturalScale natural;
    natural.weight = static_cast<double>(W);
    for (Index j = 0; j < data.p; ++j) {
        const double factor = data.factors.empty() ? 1 : data.factors[j];
        if (factor == 0 || std::isinf(factor)) continue;
        long double mean = 0;
        for (Index i = 0; i < data.n; ++i) mean += weight(i) * data.at(i, j) / W;
        long double product = 0;
        long double squares = 0;
        long double variance = 0;
        for (Index i = 0; i < data.n; ++i) {
            const long double entry = data.at(i, j) - (data.intercept ? mean : 0);
            const long double centred = data.at(i, j) - mean;
            product += weight(i) * entry * (data.y[i] - y_mean);
            squares += weight(i) * entry * entry;
            variance += weight(i) * centred * centred / W;
        }
        if (!(squares > 0) || !(variance > 0)) continue;
        const long double scale = data.standardize ? std::sqrt(variance) : 1;
        const long double slope = std::abs(product) / squares * scale;
        natural.h = std::max(natural.h, static_cast<double>(std::abs(product) / scale / factor));
        natural.t = std::max(natural.t, static_cast<double>(slope * factor));
        natural.squares = std::max(natural.squares, static_cast<double>(squares / (scale * scale)));
    }
    return natural;
}

Setting choose_setting(Random& random, const Data& data) {
    const NaturalScale natural = natural_scale(data);
    const double h = natural.h * random.decades(-4, 0.1);
    const double l2 = random.chance(0.4) ? 0 : natural.squares * random.decades(-6, 1);
    switch (random.between(0, 2)) {
        case 0:
            return Penalty{2 * h, l2};
        case 1:
            return Budget{natural.t * random.decades(-3, 1), l2};
        default: {
            const double alpha = random.chance(0.3) ? 1 : random.uniform(0.05, 1);
            return Mixing{h / (natural.weight * alpha), alpha};
        }
    }
}

Case make_case(Random& random, Data data) {
    Case made;
    made.data = std::move(data);
    choose_flags(random, made.data);
    choose_method(random, made);
    made.settings = {choose_setting(random, made.data)};
    return made;
}

}  // namespace sven::soak
