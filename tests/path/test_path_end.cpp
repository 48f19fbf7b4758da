// Paths that end before their grid does: as far as the rules say, certified, and the rest not
// solved.

#include <algorithm>
#include <atomic>
#include <string>

#include "support/certify.hpp"
#include "support/certify_outcome.hpp"
#include "support/outcome_data.hpp"
#include "sven/error.hpp"
#include "sven/session.hpp"

namespace sven::test {
namespace {

struct Case {
    Family family;
    Index n, p;
    bool is_early;  // whether the path must end well before its grid
};

class PathEnds : public ::testing::TestWithParam<Case> {
  protected:
    static Data data() {
        const auto [family, n, p, is_early] = GetParam();
        return family == Family::gaussian ? random_regression(n, p, 21)
                                          : outcome_data(family, n, p, 22);
    }
};

INSTANTIATE_TEST_SUITE_P(
    Families, PathEnds,
    ::testing::Values(Case{Family::gaussian, 200, 10, true}, Case{Family::gaussian, 30, 300, false},
                      Case{Family::binomial, 300, 12, true}, Case{Family::binomial, 40, 100, false},
                      Case{Family::poisson, 300, 12, true}),
    [](const auto& of) {
        return std::string(name(of.param.family)) + (of.param.n > of.param.p ? "Tall" : "Wide");
    });

double share(const Solution& solution) {
    return solution.coefficients.empty() ? 0 : 1 - solution.deviance / solution.null_deviance;
}

// glmnet's rules over a path that was solved to its last setting.
std::size_t naive_length(const std::vector<Solution>& path, Family family, const PathEnd& end) {
    const auto least = static_cast<std::size_t>(end.least_settings);
    for (std::size_t k = least - 1; k < path.size(); ++k) {
        const double now = share(path[k]);
        double gain = now - share(path[k - 1]);
        if (family == Family::gaussian) gain = now > 0 ? gain / now : 0;
        if (family == Family::poisson)
            gain = now > 0 ? (now - share(path[k - least + 1])) / now / 10 : 0;
        if (gain < end.least_gain || now > end.most_explained ||
            static_cast<Index>(path[k].coefficients.size()) > end.most_selected)
            return k + 1;
    }
    return path.size();
}

void expect_certified(const Data& data, const Setting& setting, const Solution& solution) {
    EXPECT_EQ(name(solution.status), name(Status::optimal));
    if (data.family == Family::gaussian)
        certify(data, setting, solution);
    else
        EXPECT_LE(certify_outcome(data, solution).gap, 1e-10);
}

TEST_P(PathEnds, WhereTheRulesSay) {
    const Data data = PathEnds::data();
    const std::vector<Setting> grid = lambda_grid(data.problem(), {.alpha = 0.8});
    const std::vector<Solution> whole = solve_path(data.problem(), grid);
    const PathEnd few{.most_selected = 4};
    const PathEnd little{.least_gain = 0.01};
    const PathEnd nothing{.least_gain = -1, .most_explained = 2};
    for (const PathEnd& end : {PathEnd{}, few, little, nothing}) {
        Session session(data.problem());
        const std::vector<Solution> path = session.solve_path(grid, end);
        ASSERT_EQ(path.size(), naive_length(whole, data.family, end));
        for (std::size_t k = 0; k < path.size(); ++k) expect_certified(data, grid[k], path[k]);
    }
    EXPECT_LT(naive_length(whole, data.family, few), grid.size());
    EXPECT_TRUE(!GetParam().is_early || naive_length(whole, data.family, {}) < 80);
}

TEST_P(PathEnds, WithoutSolvingTheRest) {
    const Data data = PathEnds::data();
    const std::vector<Setting> grid = lambda_grid(data.problem(), {.alpha = 1});
    Index done = 0;
    Index total = 0;
    Options options;
    options.method = Method::primal;
    options.progress = [&](const Progress& progress) {
        EXPECT_GE(progress.done, done);
        done = progress.done;
        total = progress.total;
    };
    Session session(data.problem(), options);
    const std::vector<Solution> path = session.solve_path(grid, {.most_selected = 3});
    EXPECT_EQ(total, static_cast<Index>(grid.size()));
    EXPECT_GE(done, static_cast<Index>(path.size()));
    EXPECT_LT(done, static_cast<Index>(grid.size()) / 2 + 10);  // it ends in the first half
    // and the session goes on from there
    done = 0;
    const std::vector<Solution> next = session.solve_path(grid);
    ASSERT_EQ(next.size(), grid.size());
    for (std::size_t k = 0; k < next.size(); k += 9) expect_certified(data, grid[k], next[k]);
}

TEST_P(PathEnds, ACancelIsNoEnd) {
    const Data data = PathEnds::data();
    const std::vector<Setting> grid = lambda_grid(data.problem(), {});
    CancelToken stop = true;
    Options options;
    options.cancel = &stop;
    Session session(data.problem(), options);
    const std::vector<Solution> path = session.solve_path(grid, PathEnd{});
    ASSERT_FALSE(path.empty());
    for (const Solution& solution : path) EXPECT_EQ(name(solution.status), name(Status::cancelled));
}

TEST(PathEnd, IsRefusedAtTheFirstSetting) {
    const Data data = random_regression(20, 3, 1);
    Session session(data.problem());
    const std::vector<Setting> grid = lambda_grid(data.problem(), {});
    EXPECT_THROW((void)session.solve_path(grid, {.least_settings = 1}), InvalidArgument);
    EXPECT_TRUE(session.solve_path({}, PathEnd{}).empty());
}

}  // namespace
}  // namespace sven::test
