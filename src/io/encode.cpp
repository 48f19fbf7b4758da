#include "io/encode.hpp"

#include <cmath>
#include <unordered_map>

#include "io/fault.hpp"

namespace sven::io {

namespace {

struct Feature {
    double* first = nullptr;
    Index step = 1;
    Index rows = 0;

    double& operator[](Index i) const { return first[i * step]; }
};

Feature feature(const MutableBlock& block, Index j) {
    if (block.layout == Layout::column_major) return {block.data + j * block.rows, 1, block.rows};
    return {block.data + j, block.cols, block.rows};
}

// The mean of the values that are not missing; NaN if there are none.
double mean_of(const Feature& values) {
    double sum = 0;
    Index count = 0;
    for (Index i = 0; i < values.rows; ++i) {
        if (std::isnan(values[i])) continue;
        sum += values[i];
        ++count;
    }
    return sum / static_cast<double>(count);
}

bool has_missing(const Feature& values) {
    for (Index i = 0; i < values.rows; ++i)
        if (std::isnan(values[i])) return true;
    return false;
}

Index fill(const Feature& values, double mean) {
    Index filled = 0;
    for (Index i = 0; i < values.rows; ++i) {
        if (!std::isnan(values[i])) continue;
        values[i] = mean;
        ++filled;
    }
    return filled;
}

}  // namespace

void impute_means(const Source& source, const MutableBlock& block, const Encoding* known,
                  Dataset& data) {
    std::unordered_map<std::string, double> means;
    if (known != nullptr) means.insert(known->means.begin(), known->means.end());
    for (Index j = 0; j < block.cols; ++j) {
        const std::string name = feature_name(data, j);
        const Feature values = feature(block, j);
        if (known != nullptr) {
            const auto found = means.find(name);
            if (found != means.end()) {
                data.imputed += fill(values, found->second);
            } else if (has_missing(values)) {
                raise(source.path(),
                      {0, 0, "a value of the feature " + in_quotes(name) + " is missing",
                       FaultKind::missing_value});
            }
            continue;
        }
        const double mean = mean_of(values);
        if (std::isnan(mean)) {
            raise(source.path(),
                  {0, 0, "the feature " + in_quotes(name) + " has no value to take a mean of"});
        }
        data.encoding.means.emplace_back(name, mean);
        data.imputed += fill(values, mean);
    }
}

}  // namespace sven::io
