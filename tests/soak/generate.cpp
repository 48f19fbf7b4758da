#include "soak/generate.hpp"

#include <algorithm>
#include <cmath>

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

Data gaussian(Random& random) {
    const bool is_large = random.chance(0.05);
    return gaussian(random, random.between(5, is_large ? 60 : 40),
                    random.between(1, is_large ? 30 : 12));
}

void choose_flags(Random& random, Data& data) {
    data.intercept = random.chance(0.7);
    data.standardize = random.chance(0.6);
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

}  // namespace sven::soak
