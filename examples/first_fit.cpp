// A first fit: eight patients, three measures, and an elastic net that carries its own proof.

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "sven/sven.hpp"

namespace {

int first_fit() {
    // One column after the other: the view below reads them where they are.
    const std::vector<double> X = {
        -0.58, -0.99, -0.51, -1.20, 0.75, -1.05, 0.74, 0.69,  // lcavol
        2.77,  3.32,  2.69,  3.28,  3.43, 3.23,  3.47, 3.54,  // lweight
        50,    58,    74,    58,    62,   50,    64,   58,    // age
    };
    const std::vector<double> y = {-0.43, -0.16, -0.16, -0.16, 0.37, 0.77, 0.77, 0.85};

    sven::Problem problem;
    problem.X = sven::column_major(X.data(), 8, 3);
    problem.y = y;

    // min ||Xb - y||^2 + l2 ||b||^2 subject to ||b||_1 <= t, on standardised columns.
    const sven::Solution solution = sven::fit(problem, sven::Budget{.t = 0.25, .l2 = 0.1});

    std::printf("sven %s: %s, l1 = %.6f, gap = %.1e\n", SVEN_VERSION,
                std::string(sven::name(solution.status)).c_str(), solution.l1, solution.gap);
    std::printf("intercept  % .6f\n", solution.intercept);
    for (const sven::Coefficient& coefficient : solution.coefficients) {
        std::printf("feature %lld  % .6f\n", static_cast<long long>(coefficient.feature),
                    coefficient.value);
    }
    return solution.status == sven::Status::optimal && solution.gap <= 1e-10 ? 0 : 1;
}

}  // namespace

int main() {
    try {
        return first_fit();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
