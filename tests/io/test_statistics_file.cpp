// Statistics there and back, and parts of tables and matrices.

#include <cmath>

#include "io/files.hpp"
#include "linalg/row_statistics.hpp"
#include "support/problems.hpp"
#include "sven/checkpoint.hpp"
#include "sven/statistics_file.hpp"

namespace sven::io::testing {
namespace {

Statistics some_statistics(bool has_folds) {
    test::Data data = test::random_regression(40, 5, 3);
    for (Index i = 0; i < data.n; ++i) data.at(i, 2) = 0.3;
    std::vector<Index> folds(40);
    for (Index i = 0; i < 40; ++i) folds[i] = i % 3 - 1;
    Statistics statistics(data.problem(), has_folds ? folds : std::vector<Index>());
    statistics.set_names({"a", "b c", "\"d\"", "", "e\n"}, "t");
    return statistics;
}

TEST(StatisticsFile, NothingIsLost) {
    const Folder folder;
    for (const bool has_folds : {false, true}) {
        const Statistics written = some_statistics(has_folds);
        const std::string path = folder.write("s.npz", encode(written));
        EXPECT_TRUE(holds_statistics(path));
        const Statistics read = read_statistics(path);
        EXPECT_EQ(read.folds(), written.folds());
        EXPECT_EQ(read.feature_names(), written.feature_names());
        EXPECT_EQ(read.target_name(), "t");
        EXPECT_EQ(read.rows(), 40);
        EXPECT_EQ(encode(read), encode(written));
        for (std::size_t g = 0; g < written.data().groups.size(); ++g) {
            const linalg::RowStatistics& a = written.data().groups[g];
            const linalg::RowStatistics& b = read.data().groups[g];
            EXPECT_EQ(a.rounding, b.rounding);
            EXPECT_EQ(a.y_centre, b.y_centre);
            EXPECT_EQ(a.sums.centre, b.sums.centre);
            EXPECT_EQ(b.constant[2], 0.3);
            EXPECT_TRUE(std::isnan(b.constant[1]));
            for (Index i = 0; i < 7; ++i)
                for (Index j = 0; j < 7; ++j) EXPECT_EQ(a.sums(i, j), b.sums(i, j));
        }
    }
}

// A path over statistics goes on over their file.
TEST(StatisticsFile, CheckpointsAreOfTheSumsAlone) {
    const Folder folder;
    const Statistics written = some_statistics(false);
    const Statistics read = read_statistics(folder.write("s.npz", encode(written)));
    std::vector<std::byte> saved;
    for (const Statistics* statistics : {&written, &read}) {
        const Checkpoint checkpoint(
            [&](std::span<const std::byte> bytes) { saved.assign(bytes.begin(), bytes.end()); },
            std::vector(saved));
        Problem problem;
        problem.statistics = statistics;
        Options options;
        options.checkpoint = &checkpoint;
        (void)solve_path(problem, lambda_grid(problem, {.count = 20}), options);
        EXPECT_EQ(checkpoint.restored() > 0, statistics == &read);
    }
}

// Every byte, changed, is noticed or changes nothing.
TEST(StatisticsFile, EveryByteCounts) {
    const std::string bytes = encode(some_statistics(false));
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ 0x41);
        try {
            const Statistics read = decode_statistics("s", {changed.begin(), changed.end()});
            EXPECT_EQ(encode(read), bytes) << "byte " << at;
        } catch (const ParseError&) {
        }
    }
    for (std::size_t size = 0; size < bytes.size(); size += 7)
        EXPECT_THROW((void)decode_statistics("s", {bytes.begin(), bytes.begin() + size}),
                     ParseError);
}

TEST(StatisticsFile, OtherFilesAreNone) {
    const Folder folder;
    EXPECT_FALSE(holds_statistics(folder.path("none.npz")));
    EXPECT_FALSE(holds_statistics(folder.write("e.npz", "")));
    EXPECT_FALSE(holds_statistics(folder.write("t.npz", "a,b\n1,2\n")));
    EXPECT_FALSE(holds_statistics(folder.write("s.csv", encode(some_statistics(false)))));
}

// The parts of a table, whatever their number, are its rows in their order.
TEST(Parts, OfATable) {
    const Folder folder;
    std::string text = "a,b,y\n";
    for (int i = 0; i < 23; ++i)
        text += std::to_string(i) + "," + std::string(1 + i % 4, '7') + "," + std::to_string(-i) +
                (i == 22      ? ""
                 : i % 5 == 0 ? "\r\n"
                              : "\n");
    const std::string path = folder.write("d.csv", text);
    for (const Index parts : {1, 2, 3, 7, 40}) {
        std::vector<double> a;
        std::vector<double> y;
        for (Index part = 0; part < parts; ++part) {
            ReadOptions options;
            options.part = part;
            options.parts = parts;
            const Dataset data = read(path, options);
            EXPECT_EQ(data.feature_names, (std::vector<std::string>{"a", "b"}));
            const auto& X = std::get<DenseView>(data.X);
            ASSERT_EQ(X.rows, static_cast<Index>(data.y.size()));
            const auto* const numbers = static_cast<const double*>(X.data);
            a.insert(a.end(), numbers, numbers + X.rows);
            y.insert(y.end(), data.y.begin(), data.y.end());
        }
        ASSERT_EQ(a.size(), 23U);
        for (std::size_t i = 0; i < a.size(); ++i) {
            EXPECT_EQ(a[i], static_cast<double>(i));
            EXPECT_EQ(y[i], -static_cast<double>(i));
        }
    }
}

}  // namespace
}  // namespace sven::io::testing
