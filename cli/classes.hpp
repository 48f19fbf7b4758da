#pragma once
// What a binomial target may be besides 0, 1 and the shares between them: two classes by any
// names, or two columns of counts.

#include <string>
#include <utility>
#include <vector>

#include "cli/arguments.hpp"
#include "sven/io.hpp"

namespace sven::cli {

// The target 1 and the other: {other, 1}; empty: the numbers of the data.
using Classes = std::vector<std::string>;

// "cured,not" of a binomial target are two columns: what is counted, and the rest.
std::pair<std::string, std::string> split_counts(const std::string& target);

// The rows' target as the library takes it, with the weights that counts bring.
struct BinomialTarget {
    std::vector<double> y;
    std::vector<double> trials;  // empty: no counts
    Classes classes;
};

// Of a table whose target may be text. `positive` is the class that becomes 1; empty: the last in
// the order of the texts, or of the numbers. Throws InvalidArgument if there are not two classes.
BinomialTarget binomial_target(const io::Dataset& table, const std::string& path,
                               const std::string& positive);

// The same by the classes of a model. Rows without a target are NaN. Throws InvalidArgument on a
// class that the model does not know.
BinomialTarget known_target(const io::Dataset& table, const std::string& path,
                            const Classes& classes);

}  // namespace sven::cli
