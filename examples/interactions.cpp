// A kind of matrix of one's own: 40 measures and their 780 products in pairs, which are computed
// when they are asked for and never stored.

#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sven/sven.hpp"

namespace {

using sven::Index;

class Interactions final : public sven::CustomMatrix {
  public:
    // `values` column by column.
    Interactions(std::vector<double> values, Index rows, Index measures)
        : values_(std::move(values)), rows_(rows) {
        for (Index a = 0; a < measures; ++a) pairs_.push_back({a, none});
        for (Index a = 0; a < measures; ++a)
            for (Index b = a + 1; b < measures; ++b) pairs_.push_back({a, b});
    }

    [[nodiscard]] Index rows() const override { return rows_; }
    [[nodiscard]] Index cols() const override { return static_cast<Index>(pairs_.size()); }

    // Called from several threads at once, each time for some thousands of entries.
    void read(Rows rows, std::span<const Index> columns, double* out, Index stride) const override {
        for (const Index column : columns) {
            const auto [a, b] = pairs_[static_cast<std::size_t>(column)];
            for (Index i = rows.begin; i < rows.end; ++i)
                out[i - rows.begin] = b == none ? at(i, a) : at(i, a) * at(i, b);
            out += stride;
        }
    }

    [[nodiscard]] std::string name(Index column) const {
        const auto [a, b] = pairs_[static_cast<std::size_t>(column)];
        const std::string first = "x" + std::to_string(a);
        return b == none ? first : first + " * x" + std::to_string(b);
    }
    [[nodiscard]] double at(Index row, Index measure) const {
        return values_[static_cast<std::size_t>(row + measure * rows_)];
    }

  private:
    static constexpr Index none = -1;

    std::vector<double> values_;
    Index rows_;
    std::vector<std::pair<Index, Index>> pairs_;
};

// 500 rows whose response knows x0 and the product of x3 and x7.
int interactions() {
    const Index rows = 500;
    const Index measures = 40;
    sven::SplitMix64 random(1);
    const auto uniform = [&] { return static_cast<double>(random.below(2001)) / 1000 - 1; };
    std::vector<double> values(static_cast<std::size_t>(rows * measures));
    for (double& value : values) value = uniform();
    const auto X = std::make_shared<const Interactions>(std::move(values), rows, measures);
    std::vector<double> y;
    for (Index i = 0; i < rows; ++i)
        y.push_back(X->at(i, 0) - 2 * X->at(i, 3) * X->at(i, 7) + 0.1 * uniform());

    sven::Problem problem;
    problem.X = X;
    problem.y = y;
    const sven::Solution solution = sven::fit(problem, sven::Mixing{.lambda = 0.1, .alpha = 1});

    std::printf("%lld columns, %s, gap below 1e-10: %s\n", static_cast<long long>(X->cols()),
                std::string(sven::name(solution.status)).c_str(),
                solution.gap < 1e-10 ? "yes" : "no");
    for (const sven::Coefficient& coefficient : solution.coefficients)
        std::printf("%s  % .6f\n", X->name(coefficient.feature).c_str(), coefficient.value);
    return solution.status == sven::Status::optimal ? 0 : 1;
}

}  // namespace

int main() {
    try {
        return interactions();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
