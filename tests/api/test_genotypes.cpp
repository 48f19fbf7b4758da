// Packed genotypes give the solution of the same entries as doubles.

#include "support/certify.hpp"
#include "support/genotype_data.hpp"
#include "support/shapes.hpp"
#include "support/solutions.hpp"
#include "sven/error.hpp"
#include "sven/predict.hpp"

namespace sven::test {
namespace {

class GenotypeSolutions : public testing::TestWithParam<GenotypeCase> {
  protected:
    GenotypeSolutions() : packed_(GetParam()) {
        data_.n = packed_.rows();
        data_.p = packed_.cols();
        data_.X = packed_.dense();
        data_.y = random_vector(data_.n, 8);
        for (Index i = 0; i < data_.n; ++i)
            for (const Index j : {0, 2, 9, 14}) data_.y[i] += (j % 4 - 1.5) * data_.at(i, j);
    }
    Problem packed_problem() const {
        Problem problem = data_.problem();
        problem.X = packed_.view();
        return problem;
    }
    static Options with(Method method, int threads) {
        Options options;
        options.method = method;
        options.threads = threads;
        return options;
    }
    std::vector<Setting> settings() const {
        const double largest = largest_lambda(data_.problem());
        return {Mixing{0.5 * largest, 1}, Mixing{0.1 * largest, 0.5}, Mixing{0.02 * largest, 1},
                Penalty{0, 3.5}};
    }
    void expect_the_same(Method method) const {
        const std::vector<Setting> all = settings();
        const auto solutions = solve_path(packed_problem(), all, with(method, 2));
        const auto expected = solve_path(data_.problem(), all, with(method, 1));
        for (std::size_t k = 0; k < all.size(); ++k) {
            SCOPED_TRACE(testing::Message() << "setting " << k);
            EXPECT_EQ(solutions[k].status, expected[k].status);
            EXPECT_EQ(solutions[k].left_out, expected[k].left_out);
            expect_same_coefficients(solutions[k], expected[k], 1e-12);
            EXPECT_NEAR(solutions[k].intercept, expected[k].intercept, 1e-11);
            certify(data_, all[k], solutions[k]);
        }
    }

    PackedGenotypes packed_;
    Data data_;
};

TEST_P(GenotypeSolutions, AreThoseOfDoubles) {
    for (const Method method : {Method::primal, Method::dual}) {
        SCOPED_TRACE(testing::Message() << "method " << name(method));
        expect_the_same(method);
    }
}

TEST_P(GenotypeSolutions, WithWeightsAndFreeCovariates) {
    add_weights(data_, 5);
    data_.factors.assign(static_cast<std::size_t>(data_.p), 1.0);
    for (Index k = 0; k < GetParam().covariates; ++k)
        data_.factors[static_cast<std::size_t>(data_.p - 1 - k)] = 0;
    expect_the_same(Method::primal);
}

TEST_P(GenotypeSolutions, HaveTheSameBitsWithAnyNumberOfThreads) {
    expect_same_bits(solve_path(packed_problem(), settings(), with(Method::primal, 1)),
                     solve_path(packed_problem(), settings(), with(Method::primal, 3)));
}

TEST_P(GenotypeSolutions, PredictTheSame) {
    const Solution solution = fit(packed_problem(), settings()[1]);
    const std::vector<double> predicted = predict(packed_.view(), solution);
    const std::vector<double> expected = predict(data_.problem().X, solution);
    for (std::size_t i = 0; i < predicted.size(); ++i)
        EXPECT_NEAR(predicted[i], expected[i], 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Cases, GenotypeSolutions,
                         testing::Values(GenotypeCase{203, 60, 0.03, Allele::a1, false, 0},
                                         GenotypeCase{101, 400, 0.02, Allele::a2, false, 2},
                                         GenotypeCase{250, 300, 0.1, Allele::a1, true, 3}),
                         [](const auto& tested) {
                             return std::to_string(tested.param.people) + "x" +
                                    std::to_string(tested.param.variants);
                         });

// A missing genotype takes the mean that is given.
TEST(GenotypeMeans, MayBeGiven) {
    const PackedGenotypes packed({50, 20, 0.2, Allele::a1, false, 0});
    GenotypeView X = packed.view();
    std::vector<double> means(20, nan);
    means[2] = 1.25;
    X.means = means.data();
    const std::vector<Coefficient> one{{2, 1.0, 0}};
    const std::vector<double> given = predict(X, 0, one);
    const std::vector<double> own = predict(packed.view(), 0, one);
    Index filled = 0;
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (given[i] == own[i]) continue;
        EXPECT_EQ(given[i], 1.25);
        ++filled;
    }
    EXPECT_GT(filled, 3);
}

TEST(GenotypeViews, AreRefusedWhereTheyContradictThemselves) {
    const PackedGenotypes packed({50, 20, 0.02, Allele::a1, true, 2});
    Data data;
    data.y = random_vector(packed.rows(), 2);
    const auto refusal = [&](const GenotypeView& X) -> std::string {
        Problem problem = data.problem();
        problem.X = X;
        problem.y = data.y;
        try {
            (void)fit(problem, Mixing{0.1, 1});
        } catch (const InvalidArgument& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(refusal(packed.view()), "");
    GenotypeView X = packed.view();
    X.stride = 12;
    EXPECT_EQ(refusal(X), "the stride of X is 12 bytes, less than 50 genotypes take");
    X = packed.view();
    const std::vector<Index> unsorted(static_cast<std::size_t>(packed.rows()), 3);
    X.selection = unsorted.data();
    EXPECT_EQ(refusal(X), "the people of X that are its rows are not in increasing order");
    X = packed.view();
    X.beside.rows -= 1;
    EXPECT_EQ(refusal(X),
              "the columns beside genotypes must be column-major doubles with as many rows");
    X = packed.view();
    X.data = nullptr;
    EXPECT_EQ(refusal(X), "X has no data");
}

}  // namespace
}  // namespace sven::test
