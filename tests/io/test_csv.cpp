#include <limits>
#include <random>

#include "io/csv.hpp"
#include "io/files.hpp"

namespace sven::io::testing {
namespace {

TEST(Csv, TakesTheLastColumnAsTargetAndSaysSo) {
    const Folder folder;
    const Dataset data = read(folder.write("a.csv", "u,v,w\n1,2,3\n4,5,6\n"));
    EXPECT_EQ(rows(data.X), 2);
    EXPECT_EQ(cols(data.X), 2);
    EXPECT_EQ(data.feature_names, (std::vector<std::string>{"u", "v"}));
    EXPECT_EQ(data.target_name, "w");
    EXPECT_TRUE(data.target_was_guessed);
    EXPECT_EQ(data.y, (std::vector<double>{3, 6}));
    EXPECT_EQ(entry(data.X, 1, 0), 4);
    EXPECT_EQ(entry(data.X, 0, 1), 2);
}

TEST(Csv, FindsTheTargetByNameThenByNumber) {
    const Folder folder;
    const std::string path = folder.write("a.csv", "u,v,w\n1,2,3\n4,5,6\n");
    for (const char* target : {"v", "1"}) {
        const Dataset data = read(path, {.target = target});
        EXPECT_EQ(data.target_name, "v");
        EXPECT_FALSE(data.target_was_guessed);
        EXPECT_EQ(data.y, (std::vector<double>{2, 5}));
        EXPECT_EQ(data.feature_names, (std::vector<std::string>{"u", "w"}));
    }
    const std::string numbered = folder.write("b.csv", "2,1,0\n1,2,3\n4,5,6\n");
    EXPECT_EQ(read(numbered, {.target = "0"}).y, (std::vector<double>{3, 6}));
}

TEST(Csv, TakesWeightsFromAColumn) {
    const Folder folder;
    const std::string path = folder.write("a.csv", "u,v,w\n1,2,3\n4,5,6\n");
    const Dataset data = read(path, {.weights_column = "w"});
    EXPECT_EQ(data.weights, (std::vector<double>{3, 6}));
    EXPECT_EQ(data.target_name, "v");
    EXPECT_EQ(data.feature_names, (std::vector<std::string>{"u"}));
    EXPECT_EQ(read_error(folder.write("b.csv", "u,v,w\n1,2,3\n4,5,-6\n"), {.weights_column = "w"}),
              "b.csv:3:3: a weight is negative (column \"w\")");
    EXPECT_EQ(read_error(path, {.target = "w", .weights_column = "w"}),
              "a.csv: the column \"w\" cannot be the target and hold the weights");
}

TEST(Csv, TakesEveryColumnAsFeatureWhereTheResponseIsElsewhere) {
    const Folder folder;
    const Dataset data = read(folder.write("a.csv", "u,v\n1,2\n"), {.has_response = false});
    EXPECT_EQ(cols(data.X), 2);
    EXPECT_TRUE(data.y.empty());
}

TEST(Csv, AcceptsTheWaysOfWritingATable) {
    const Folder folder;
    const std::string expected = "1;2;3;-4.5;";
    for (const char* text : {
             "u,v,w\n1,2,3\n-4.5,5,6\n",
             "u,v,w\r\n1,2,3\r\n-4.5,5,6\r\n",
             "u,v,w\n1,2,3\n-4.5,5,6",
             "u,v,w\r\n1,2,3\r\n-4.5,5,6\r",
             "\xEF\xBB\xBFu,v,w\n1,2,3\n-4.5,5,6\n",
             "\"u\",\"v\",\"w\"\n\"1\",2,3\n\"-4.5\",\"5\",\"6\"\n",
             "u,v,w\n\n1,2,3\n  \n-4.5,5,6\n\n\n",
             " u , v , w \n 1 , 2 , 3 \n -4.5 , 5 , 6\n",
             "u\tv\tw\n1\t2\t3\n-4.5\t5\t6\n",
             "u;v;w\n1;2;3\n-4.5;5;6\n",
             "u,v,w\n+1,2.,3e0\n-45e-1,.5e1,6.0\n",
         }) {
        SCOPED_TRACE(text);
        const Dataset data = read(folder.write("a.csv", text));
        ASSERT_EQ(rows(data.X), 2);
        ASSERT_EQ(cols(data.X), 2);
        EXPECT_EQ(data.feature_names, (std::vector<std::string>{"u", "v"}));
        EXPECT_EQ(entry(data.X, 0, 0), 1);
        EXPECT_EQ(entry(data.X, 1, 0), -4.5);
        EXPECT_EQ(entry(data.X, 0, 1), 2);
        EXPECT_EQ(entry(data.X, 1, 1), 5);
        EXPECT_EQ(data.y, (std::vector<double>{3, 6}));
    }
}

TEST(Csv, ReadsTabsByTheEndingOfTheFile) {
    const Folder folder;
    const Dataset data = read(folder.write("a.tsv", "a,b\tc\n1\t2\n"));
    EXPECT_EQ(data.feature_names, (std::vector<std::string>{"a,b"}));
    EXPECT_EQ(read_error(folder.write("b.tsv", "a\tb\n1\t\n")),
              "b.tsv:2:2: the value is missing (column \"b\")");
}

TEST(Csv, ReadsQuotedNames) {
    const Folder folder;
    const Dataset data =
        read(folder.write("a.csv", "\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",y\n1,2,3,4\n"));
    EXPECT_EQ(data.feature_names, (std::vector<std::string>{"a,b", "say \"hi\"", "two\nlines"}));
    EXPECT_EQ(read_error(folder.write("b.csv", "\"two\nlines\",y\n1,2\n1,x\n")),
              "b.csv:4:2: \"x\" is not a number (column \"y\")");
}

TEST(Csv, PassesOverTheRowNamesOfR) {
    const Folder folder;
    for (const char* text : {"\"\",\"u\",\"y\"\n\"1\",1,2\n\"2\",3,4\n",
                             "u,y\n\"1\",1,2\n\"2\",3,4\n", "u,y\nanna,1,2\n\"b, c\",3,4\n"}) {
        SCOPED_TRACE(text);
        const Dataset data = read(folder.write("a.csv", text));
        EXPECT_TRUE(data.has_row_names);
        EXPECT_EQ(data.feature_names, (std::vector<std::string>{"u"}));
        EXPECT_EQ(entry(data.X, 1, 0), 3);
        EXPECT_EQ(data.y, (std::vector<double>{2, 4}));
    }
    EXPECT_FALSE(read(folder.write("b.csv", "u,y\n1,2\n")).has_row_names);
}

TEST(Csv, NamesThePlaceOfEveryFault) {
    const Folder folder;
    const auto error = [&](const std::string& text) {
        return read_error(folder.write("a.csv", text));
    };
    EXPECT_EQ(error(""), "a.csv: the file is empty");
    EXPECT_EQ(error("a,b\n"), "a.csv: there is a header, but no rows");
    EXPECT_EQ(error("a,b\n\n \n"), "a.csv: there is a header, but no rows");
    EXPECT_EQ(error("y\n1\n"), "a.csv: there is no column left for a feature");
    EXPECT_EQ(error("a,a,b\n1,2,3\n"), "a.csv:1:2: the name \"a\" is taken by column 1");
    EXPECT_EQ(error("a,,b\n1,2,3\n"), "a.csv:1:2: the column has no name");
    EXPECT_EQ(error("1.5,2,3\n1,2,3\n"),
              "a.csv:1: the first line holds numbers, but it must name the columns");
    EXPECT_EQ(error("a,\"b\n1,2\n"), "a.csv:1:2: the quote is not closed");
    EXPECT_EQ(error("a,b\r1,2\r"),
              "a.csv:1:2: lines end in a carriage return alone; convert them to newlines");
    EXPECT_EQ(error("a,b,c\n1,2,3\n1,2\n"), "a.csv:3: the row has 2 fields instead of 3");
    EXPECT_EQ(error("a,b,c\n1,2,3,4\n1,2,3\n"), "a.csv:2: the row has 4 fields instead of 3");
    EXPECT_EQ(error("a,b,c\n1,2,3\n\n1,2,3,4,5\n"), "a.csv:4: the row has 5 fields instead of 3");
    EXPECT_EQ(error("a,b\n1,2\n3,abc\n"), "a.csv:3:2: \"abc\" is not a number (column \"b\")");
    EXPECT_EQ(error("a,b\n1 2,3\n"), "a.csv:2:1: \"1 2\" is not a number (column \"a\")");
    EXPECT_EQ(error("a,b\n0x10,3\n"), "a.csv:2:1: \"0x10\" is not a number (column \"a\")");
    EXPECT_EQ(error("a,b\n1\r,3\n"), "a.csv:2:1: \"1?\" is not a number (column \"a\")");
}

TEST(Csv, RefusesMissingAndInfiniteValues) {
    const Folder folder;
    const auto error = [&](const std::string& field) {
        return read_error(folder.write("a.csv", "a,b\n1,2\n" + field + ",4\n"));
    };
    EXPECT_EQ(error(""), "a.csv:3:1: the value is missing (column \"a\")");
    EXPECT_EQ(error("\"\""), "a.csv:3:1: the value is missing (column \"a\")");
    EXPECT_EQ(error("NA"), "a.csv:3:1: \"NA\" stands for a missing value (column \"a\")");
    EXPECT_EQ(error("null"), "a.csv:3:1: \"null\" stands for a missing value (column \"a\")");
    EXPECT_EQ(error("NaN"), "a.csv:3:1: \"NaN\" is not finite (column \"a\")");
    EXPECT_EQ(error("-nan"), "a.csv:3:1: \"-nan\" is not finite (column \"a\")");
    EXPECT_EQ(error("inf"), "a.csv:3:1: \"inf\" is not finite (column \"a\")");
    EXPECT_EQ(error("-Infinity"), "a.csv:3:1: \"-Infinity\" is not finite (column \"a\")");
    EXPECT_EQ(error("1e999"), "a.csv:3:1: \"1e999\" is too large for a double (column \"a\")");
    EXPECT_EQ(error("\"1"), "a.csv:3:1: the quote is not closed (column \"a\")");
    EXPECT_EQ(error("\"1\"2"), "a.csv:3:1: \"\"1\"2\" is not a number (column \"a\")");
}

TEST(Csv, TellsABlankLineFromAMissingValueInASingleColumn) {
    const Folder folder;
    const std::string path = folder.write("a.csv", "u\n1\n\n3\n");
    EXPECT_EQ(read_error(path, {.has_response = false}),
              "a.csv:3:1: the value is missing (column \"u\")");
}

TEST(Csv, NamesTheColumnsThereAre) {
    const Folder folder;
    const std::string path = folder.write("a.csv", "u,v\n1,2\n");
    EXPECT_EQ(read_error(path, {.target = "w"}),
              "a.csv: there is no column \"w\"; the columns are u, v");
    EXPECT_EQ(read_error(path, {.target = "7"}),
              "a.csv: there is no column 7; the columns are 0 to 1");
    EXPECT_EQ(read_error(path, {.weights_column = "w"}),
              "a.csv: there is no column \"w\"; the columns are u, v");
}

TEST(Csv, KeepsMessagesShortAndOnOneLine) {
    const Folder folder;
    const std::string path = folder.write("a.csv", "\"two\nlines\",y\n1,2\n");
    EXPECT_EQ(read_error(path, {.target = "w"}),
              "a.csv: there is no column \"w\"; the columns are two?lines, y");
    EXPECT_EQ(read_error(folder.write("b.csv", "a,y\n" + std::string(1000, 'x') + ",2\n")),
              "b.csv:2:1: \"" + std::string(40, 'x') + "...\" is not a number (column \"a\")");
}

TEST(Csv, AsksForNoMoreMemoryThanTheFileHasFieldsFor) {
    const Folder folder;
    // A header of 20,000 names over 200,000 short lines: 32 GB, were it believed.
    std::string text = "c0";
    for (int j = 1; j < 20000; ++j) append(text, ",c", std::to_string(j));
    text += "\n";
    for (int i = 0; i < 200000; ++i) text += "1\n";
    EXPECT_EQ(read_error(folder.write("a.csv", text)),
              "a.csv:2: the row has 1 field instead of 20000");
}

TEST(Csv, KeepsEveryBitOfEveryNumber) {
    const Folder folder;
    std::mt19937_64 random(7);
    std::vector<double> values = {0.0,
                                  -0.0,
                                  0.1,
                                  1e22,
                                  1e23,
                                  123456789012345,
                                  1234567890123456,
                                  0.1234567890123451,
                                  std::numeric_limits<double>::max(),
                                  std::numeric_limits<double>::denorm_min()};
    while (values.size() < 5000) {
        double value = 0;
        const std::uint64_t bits = random();
        std::memcpy(&value, &bits, sizeof value);
        if (std::isfinite(value)) values.push_back(value);
    }
    std::string text = "u,y\n";
    char line[64];
    for (const double value : values) {
        std::snprintf(line, sizeof line, "%.17g,1\n", value);
        text += line;
    }
    // Short decimals go another way through the parser.
    for (int i = 0; i < 5000; ++i) {
        std::snprintf(line, sizeof line, "%.*f", static_cast<int>(random() % 9),
                      static_cast<double>(random() % 2000000) / 1e4 - 100);
        values.push_back(std::strtod(line, nullptr));
        text += std::string(line) + ",1\n";
    }
    const Dataset data = read(folder.write("a.csv", text));
    for (std::size_t i = 0; i < values.size(); ++i) {
        ASSERT_TRUE(same_bits(entry(data.X, static_cast<Index>(i), 0), values[i])) << values[i];
    }
    const Dataset tiny = read(folder.write("b.csv", "u,y\n1e-400,-1e-5000\n"));
    EXPECT_EQ(entry(tiny.X, 0, 0), 0);
    EXPECT_EQ(tiny.y.at(0), 0);
}

TEST(Csv, ReadsAHundredThousandColumns) {
    const Folder folder;
    const Index count = 100000;
    std::string text = "y";
    for (Index j = 1; j < count; ++j) append(text, ",gene_", std::to_string(j));
    for (Index i = 0; i < 20; ++i) {
        append(text, "\n", std::to_string(i));
        for (Index j = 1; j < count; ++j) append(text, ",", std::to_string((i * 7 + j) % 1000));
    }
    const Dataset data = read(folder.write("a.csv", text), {.target = "y"});
    ASSERT_EQ(rows(data.X), 20);
    ASSERT_EQ(cols(data.X), count - 1);
    for (Index i = 0; i < 20; ++i) {
        EXPECT_EQ(data.y[static_cast<std::size_t>(i)], i);
        for (Index j = 1; j < count; ++j) ASSERT_EQ(entry(data.X, i, j - 1), (i * 7 + j) % 1000);
    }
}

// Lines of many lengths, some blank, cut into chunks of every small size.
TEST(Csv, ReadsTheSameWhateverTheChunks) {
    const Folder folder;
    std::mt19937_64 random(3);
    std::string text = "a,b,c\n";
    for (int i = 0; i < 300; ++i) {
        if (random() % 7 == 0) text += random() % 2 == 0 ? "\n" : " \r\n";
        append(text, std::to_string(random() % 1000), ",\"", std::to_string(random() % 10), "\",",
               std::to_string(i), random() % 2 == 0 ? "\r\n" : "\n");
    }
    text.pop_back();
    const Source source(folder.write("a.csv", text));
    const Dataset whole = read_csv(source, {.threads = 1}, ',');
    ASSERT_EQ(rows(whole.X), 300);
    for (const std::size_t size : {1, 2, 3, 5, 8, 13, 64, 100, 1000}) {
        for (const int threads : {1, 4}) {
            const Dataset cut = read_csv(source, {.threads = threads}, ',', size);
            ASSERT_EQ(cut.y, whole.y) << size;
            for (Index i = 0; i < 300; ++i) {
                for (Index j = 0; j < 2; ++j) ASSERT_EQ(entry(cut.X, i, j), entry(whole.X, i, j));
            }
        }
    }
}

TEST(Csv, ReportsTheFirstFaultWhateverTheChunks) {
    const Folder folder;
    std::string text = "a,b\n";
    for (int i = 0; i < 200; ++i) text += i % 50 == 30 ? "1,oops\n\n" : "1,2\n";
    const Source source(folder.write("a.csv", text));
    for (const std::size_t size : {1, 7, 50, 0}) {
        for (const int threads : {1, 4}) {
            EXPECT_EQ(message_of([&] { (void)read_csv(source, {.threads = threads}, ',', size); }),
                      "a.csv:32:2: \"oops\" is not a number (column \"b\")");
        }
    }
}

}  // namespace
}  // namespace sven::io::testing
