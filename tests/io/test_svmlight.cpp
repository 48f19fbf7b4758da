#include <random>

#include "io/files.hpp"
#include "io/svmlight.hpp"

namespace sven::io::testing {
namespace {

TEST(Svmlight, ReadsSamplesIntoColumns) {
    const Folder folder;
    const Dataset data = read(folder.write(
        "a.svm",
        "# written by hand\n1.5 1:2 3:-4e1 # first\n\n-1 qid:3 2:.5\r\n+2\n0 1:1 2:2 3:3"));
    ASSERT_EQ(rows(data.X), 4);
    ASSERT_EQ(cols(data.X), 3);
    EXPECT_EQ(data.y, (std::vector<double>{1.5, -1, 2, 0}));
    const double expected[4][3] = {{2, 0, -40}, {0, .5, 0}, {0, 0, 0}, {1, 2, 3}};
    for (Index i = 0; i < 4; ++i) {
        for (Index j = 0; j < 3; ++j) EXPECT_EQ(entry(data.X, i, j), expected[i][j]);
    }
    EXPECT_EQ(feature_name(data, 0), "x1");
    EXPECT_FALSE(data.target_was_guessed);
}

TEST(Svmlight, CountsFromZeroWhereTold) {
    const Folder folder;
    const Dataset data = read(folder.write("a.libsvm", "1 0:2 2:3\n"), {.zero_based = true});
    EXPECT_EQ(cols(data.X), 3);
    EXPECT_EQ(entry(data.X, 0, 0), 2);
    EXPECT_EQ(feature_name(data, 0), "x0");
}

TEST(Svmlight, IsRecognisedByItsFirstLine) {
    const Folder folder;
    EXPECT_EQ(cols(read(folder.write("heart_scale", "+1 1:0.7 2:1\n-1 1:0.2\n")).X), 2);
}

TEST(Svmlight, NamesThePlaceOfEveryFault) {
    const Folder folder;
    const auto error = [&](const std::string& text, const ReadOptions& options = {}) {
        return read_error(folder.write("a.svm", text), options);
    };
    EXPECT_EQ(error(""), "a.svm: the file is empty");
    EXPECT_EQ(error("# nothing\n\n"), "a.svm: there are no samples in the file");
    EXPECT_EQ(error("1\n2\n"), "a.svm: there are no features in the file");
    EXPECT_EQ(
        error("1 1:2\n1 0:2\n"),
        "a.svm:2:2: index 0 is out of range: indices begin at 1 unless the file is said to be "
        "zero-based");
    EXPECT_EQ(error("1 -3:2\n"), "a.svm:1:2: index -3 is out of range: indices begin at 1");
    EXPECT_EQ(error("1 -1:2\n", {.zero_based = true}),
              "a.svm:1:2: index -1 is out of range: indices begin at 0");
    EXPECT_EQ(error("1 1:2 2:1 2:4\n"), "a.svm:1:4: index 2 is repeated");
    EXPECT_EQ(error("1 1:2 5:1 3:4\n"), "a.svm:1:4: index 3 comes after 5: indices must rise");
    EXPECT_EQ(error("1 1:2\n1 x\n"), "a.svm:2:2: \"x\" is not index:value");
    EXPECT_EQ(error("1 1:2 3\n"), "a.svm:1:3: \"3\" is not index:value");
    EXPECT_EQ(error("1 1.5:2\n"), "a.svm:1:2: \"1.5:2\" is not index:value");
    EXPECT_EQ(error("1 1:\n"), "a.svm:1:2: the value is missing");
    EXPECT_EQ(error("1 1:two\n"), "a.svm:1:2: \"two\" is not a number");
    EXPECT_EQ(error("1 1:nan\n"), "a.svm:1:2: \"nan\" is not finite");
    EXPECT_EQ(error("1 1:1e999\n"), "a.svm:1:2: \"1e999\" is too large for a double");
    EXPECT_EQ(error("inf 1:1\n"), "a.svm:1:1: \"inf\" is not finite");
    EXPECT_EQ(error("yes 1:1\n"), "a.svm:1:1: \"yes\" is not a number");
    EXPECT_EQ(error("1 1:1\n", {.target = "x"}),
              "a.svm: the columns of an svmlight file have no names to choose a target by");
}

TEST(Svmlight, RefusesAnIndexFarBeyondTheSizeOfTheFile) {
    const Folder folder;
    for (const char* index : {"1000000000000", "16777217", "99999999999999999999999999"}) {
        EXPECT_EQ(
            read_error(folder.write("a.svm", "1 " + std::string(index) + ":1\n")),
            "a.svm:1:2: the index is out of range: a file of this size may have indices up to "
            "16777216");
    }
    EXPECT_EQ(cols(read(folder.write("a.svm", "1 16777216:1\n")).X), 16777216);
}

TEST(Svmlight, ReadsTheSameWhateverTheChunks) {
    const Folder folder;
    std::mt19937_64 random(5);
    std::string text;
    const Index samples = 200;
    for (Index i = 0; i < samples; ++i) {
        if (random() % 9 == 0) text += "# a comment: 1:2\n";
        text += std::to_string(i);
        for (int j = 1; j <= 30; ++j) {
            if (random() % 4 == 0)
                append(text, " ", std::to_string(j), ":", std::to_string(random() % 99));
        }
        text += "\n";
    }
    const Source source(folder.write("a.svm", text));
    const Dataset whole = read_svmlight(source, {.threads = 1});
    ASSERT_EQ(rows(whole.X), samples);
    for (const std::size_t size : {1, 3, 40, 500, 3000}) {
        for (const int threads : {1, 4}) {
            const Dataset cut = read_svmlight(source, {.threads = threads}, size);
            ASSERT_EQ(cut.y, whole.y);
            ASSERT_EQ(cols(cut.X), cols(whole.X));
            for (Index i = 0; i < samples; ++i) {
                for (Index j = 0; j < cols(whole.X); ++j) {
                    ASSERT_EQ(entry(cut.X, i, j), entry(whole.X, i, j));
                }
            }
        }
    }
}

TEST(Svmlight, CountsLinesAcrossChunks) {
    const Folder folder;
    std::string text;
    for (int i = 0; i < 100; ++i) text += i == 70 ? "1 2:1 1:1\n" : "# c\n1 1:1\n";
    const Source source(folder.write("a.svm", text));
    for (const std::size_t size : {1, 30, 0}) {
        EXPECT_EQ(message_of([&] { (void)read_svmlight(source, {.threads = 4}, size); }),
                  "a.svm:141:3: index 1 comes after 2: indices must rise");
    }
}

}  // namespace
}  // namespace sven::io::testing
