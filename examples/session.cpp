// A session: one X, set up once, and fits of other settings, another response and other weights
// that each begin where the last one ended.

#include <cstdio>
#include <exception>
#include <vector>

#include "sven/sven.hpp"

namespace {

struct Data {
    std::vector<double> X;  // one column after the other
    std::vector<double> y, weights;
};

Data make_data(sven::Index rows, sven::Index cols) {
    sven::SplitMix64 random(7);
    const auto next = [&] { return static_cast<double>(random.below(2001)) / 1000 - 1; };
    Data data;
    for (sven::Index k = 0; k < rows * cols; ++k) data.X.push_back(next());
    for (sven::Index i = 0; i < rows; ++i) {
        data.y.push_back(2 * data.X[i] - data.X[rows + i] + 0.2 * next());
        data.weights.push_back(1.5 + next());
    }
    return data;
}

bool tell(const char* what, const sven::Solution& solution) {
    std::printf("%-18s %lld steps, %zu features, gap %.0e\n", what,
                static_cast<long long>(solution.iterations), solution.coefficients.size(),
                solution.gap);
    return solution.status == sven::Status::optimal && solution.gap <= 1e-10;
}

bool run() {
    constexpr sven::Index rows = 200;
    constexpr sven::Index cols = 500;
    Data data = make_data(rows, cols);
    sven::Problem problem;
    problem.X = sven::column_major(data.X.data(), rows, cols);
    problem.y = data.y;

    sven::Session session(problem);
    const sven::Setting setting = sven::Mixing{.lambda = 0.01, .alpha = 0.9};
    bool is_good = tell("the first fit", session.fit(setting));
    is_good &= tell("the same again", session.fit(setting));
    is_good &= tell("another lambda", session.fit(sven::Mixing{.lambda = 0.009, .alpha = 0.9}));

    for (double& value : data.y) value *= 1.01;
    session.set_response(data.y);
    is_good &= tell("another response", session.fit(setting));

    session.set_weights(data.weights);
    is_good &= tell("other weights", session.fit(setting));
    return is_good;
}

}  // namespace

int main() {
    try {
        return run() ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
