#include "io/files.hpp"
#include "io/matrix_market.hpp"

namespace sven::io::testing {
namespace {

std::vector<std::vector<double>> entries(const Dataset& data) {
    std::vector<std::vector<double>> all;
    for (Index i = 0; i < rows(data.X); ++i) {
        all.emplace_back();
        for (Index j = 0; j < cols(data.X); ++j) all.back().push_back(entry(data.X, i, j));
    }
    return all;
}

using Rows = std::vector<std::vector<double>>;

TEST(MatrixMarket, ReadsArraysByColumns) {
    const Folder folder;
    const std::string path = folder.write(
        "a.mtx", "%%MatrixMarket matrix array real general\n% note\n2 3\n1\n2\n\n3.5 4\n5e0\n-6\n");
    const Dataset data = read(path);
    EXPECT_TRUE(std::holds_alternative<DenseView>(data.X));
    EXPECT_EQ(entries(data), (Rows{{1, 3.5, 5}, {2, 4, -6}}));
    EXPECT_TRUE(data.y.empty());
}

TEST(MatrixMarket, ReadsCoordinatesInAnyOrder) {
    const Folder folder;
    const std::string path = folder.write(
        "a.mtx",
        "%%MatrixMarket matrix coordinate real general\n2 3 3\n2 2 3\n1 3 2\n%\n1 1 1.25\n");
    const Dataset data = read(path);
    EXPECT_TRUE(std::holds_alternative<SparseView>(data.X));
    EXPECT_EQ(entries(data), (Rows{{1.25, 0, 2}, {0, 3, 0}}));
}

TEST(MatrixMarket, FillsInWhatSymmetryImplies) {
    const Folder folder;
    const auto read_text = [&](const std::string& text) {
        return entries(read(folder.write("a.mtx", "%%MatrixMarket matrix " + text)));
    };
    EXPECT_EQ(read_text("coordinate integer symmetric\n2 2 2\n1 1 4\n2 1 7\n"),
              (Rows{{4, 7}, {7, 0}}));
    EXPECT_EQ(read_text("coordinate real skew-symmetric\n2 2 1\n2 1 7\n"), (Rows{{0, -7}, {7, 0}}));
    EXPECT_EQ(read_text("array real symmetric\n2 2\n1\n2\n3\n"), (Rows{{1, 2}, {2, 3}}));
    EXPECT_EQ(read_text("array real skew-symmetric\n2 2\n2\n"), (Rows{{0, -2}, {2, 0}}));
    EXPECT_EQ(read_text("coordinate pattern general\n2 2 2\n1 2\n2 1\n"), (Rows{{0, 1}, {1, 0}}));
}

TEST(MatrixMarket, NamesTheLineOfAMistake) {
    const Folder folder;
    const auto message = [&](const std::string& text) {
        return read_error(folder.write("a.mtx", "%%MatrixMarket matrix " + text));
    };
    const std::string list = "coordinate real general\n";
    EXPECT_EQ(message("coordinate complex general\n1 1 1\n1 1 1 0\n"),
              "a.mtx:1: the numbers are \"complex\"; real, integer and pattern are read");
    EXPECT_EQ(message(list + "2 2 1\n3 1 1\n"), "a.mtx:3: a row number is 3, but the matrix has 2");
    EXPECT_EQ(message(list + "2 2 2\n1 1 1\n"),
              "a.mtx:4: the file ends where a row number should be");
    EXPECT_EQ(message(list + "2 2 1\n1 1 1\n2 2 2\n"),
              "a.mtx:4: the file goes on after the last number");
    EXPECT_EQ(message(list + "1000000000000 2 1\n1 1 1\n"),
              "a.mtx:2: the number of rows is 1000000000000, more than a file of this size may "
              "claim");
    EXPECT_EQ(message("array real general\n20000 20000\n1\n"),
              "a.mtx:2: the header claims more numbers than the file can hold");
    EXPECT_NE(message(list + "2 2 2\n1 1 1\n1 1 2\n"), "no error");
    EXPECT_NE(message(list + "2 2 1\n1 1 nan\n"), "no error");
}

}  // namespace
}  // namespace sven::io::testing
