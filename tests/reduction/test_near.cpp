// Settings that end at a point whose gap is small enough, before its support repeats: what the next
// setting begins with.

#include "reduction/gram_problem.hpp"

namespace sven::test {
namespace {

// The next support is that of maths.md, eq. 21: where |x_j'r| > h f_j. What is in both keeps its
// coefficient.
TEST(NearEnd, GoesOnWithTheSupportThatItsPointNames) {
    int ended_near = 0;
    Index changes = 0;
    for (unsigned seed = 1; seed <= 30; ++seed) {
        SCOPED_TRACE(seed);
        GramProblem problem(seed);
        problem.run(0.5, 6);
        const problem::Target target = problem.at(0.2, 3);
        if (problem.solve(target, 3e-2).ending != reduction::Ending::near) continue;
        ++ended_near;
        const std::vector<double> beta = problem.beta();
        const std::vector<double> products = problem.products();
        problem.go_on();
        const std::vector<double> after = problem.beta();
        for (Index j = 0; j < GramProblem::p; ++j) {
            const bool stays = std::abs(products[j]) > target.h() * problem.factor(j);
            EXPECT_EQ(problem.is_active(j), stays) << j;
            EXPECT_EQ(after[j], stays ? beta[j] : 0) << j;
            changes += (beta[j] != 0) != stays;
        }
    }
    EXPECT_GE(ended_near, 5);
    EXPECT_GE(changes, 10);
}

}  // namespace
}  // namespace sven::test
