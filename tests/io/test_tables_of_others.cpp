// Tables as other programs and other countries write them.

#include <cmath>

#include "io/csv.hpp"
#include "io/files.hpp"

namespace sven::io::testing {
namespace {

using Names = std::vector<std::string>;

TEST(TablesOfOthers, SpanLinesWithinQuotes) {
    const Folder folder;
    const std::string text =
        "name,u,y\n\"one\nline, or \"\"two\"\"\",1,2\nplain 5\" pipe,3,4\n\"\n\",5,6\n";
    const Dataset data = read(folder.write("a.csv", text), {.id_column = "name"});
    EXPECT_EQ(data.row_names, (Names{"one\nline, or \"two\"", "plain 5\" pipe", "\n"}));
    EXPECT_EQ(data.y, (std::vector<double>{2, 4, 6}));
    EXPECT_EQ(read_error(folder.write("b.csv", text + "z,x,8\n"), {.id_column = "name"}),
              "b.csv:7:2: \"x\" is not a number (column \"u\")");
}

// Chunks of every size: none may begin within a quoted field.
TEST(TablesOfOthers, SpanLinesInEveryChunk) {
    std::string text = "name,u,y\n";
    for (int i = 0; i < 40; ++i)
        append(text, i % 3 == 0 ? "\"a\n\n,b\"" : "c", ",", std::to_string(i), ",",
               std::to_string(2 * i), "\n");
    const Source source("a.csv", std::vector<char>(text.begin(), text.end()));
    for (std::size_t size = 1; size < text.size() + 2; size += 7) {
        const Dataset data = read_csv(source, {.id_column = "name", .threads = 2}, ',', size);
        ASSERT_EQ(data.y.size(), 40U) << size;
        ASSERT_EQ(data.row_names[39], "a\n\n,b") << size;
        for (int i = 0; i < 40; ++i) ASSERT_EQ(data.y[static_cast<std::size_t>(i)], 2 * i) << size;
    }
}

TEST(TablesOfOthers, AreSeparatedByBarsOrBlanks) {
    const Folder folder;
    for (const char* text :
         {"u|v|y\n1|2|3\n4|5|6\n", "u v y\n1 2 3\n4 5 6\n", " u   v  y \n 1  2   3\n\n4 5\t6 \n",
          "\"u\" \"v\" \"y\"\r\n\"a b\" 1 2 3\r\n\"c\" 4 5 6\r\n"}) {
        SCOPED_TRACE(text);
        const Dataset data = read(folder.write("a.txt", text));
        EXPECT_EQ(data.feature_names, (Names{"u", "v"}));
        EXPECT_EQ(data.y, (std::vector<double>{3, 6}));
        EXPECT_EQ(entry(data.X, 1, 1), 5);
    }
    // A name with a blank in it is one name.
    EXPECT_EQ(read(folder.write("b.csv", "my y\n1\n2\n"), {.has_response = false}).feature_names,
              (Names{"my y"}));
}

TEST(TablesOfOthers, HaveDecimalCommasAndThousands) {
    const Folder folder;
    const std::string path = folder.write("a.csv", "u;v;y\n1,5;1.234,25;-0,5\n-2;12;1e3\n");
    EXPECT_THROW((void)read(path), LocalNumber);
    const Dataset data = read(path, {.decimal = ',', .thousands = '.'});
    EXPECT_EQ(entry(data.X, 0, 0), 1.5);
    EXPECT_EQ(entry(data.X, 0, 1), 1234.25);
    EXPECT_EQ(data.y, (std::vector<double>{-0.5, 1000}));
    // A dot that separates nothing is a mistake: "1.5" is not 15.
    EXPECT_NE(read_error(folder.write("b.csv", "u;y\n1.5;2\n"), {.decimal = ','}), "no error");
    EXPECT_NE(read_error(folder.write("c.csv", "u;y\n1.5;2\n"), {.decimal = ',', .thousands = '.'}),
              "no error");
    const Dataset english =
        read(folder.write("d.csv", "u,y\n\"1,234,567.5\",2\n\"12\",3\n"), {.thousands = ','});
    EXPECT_EQ(entry(english.X, 0, 0), 1234567.5);
    const Dataset blanks = read(folder.write("e.csv",
                                             "u;y\n1\xC2\xA0"
                                             "234,5;2\n1 000;3\n"),
                                {.decimal = ',', .thousands = ' '});
    EXPECT_EQ(entry(blanks.X, 0, 0), 1234.5);
    EXPECT_EQ(entry(blanks.X, 1, 0), 1000);
}

TEST(TablesOfOthers, HoldDates) {
    const Folder folder;
    const std::string path = folder.write(
        "a.csv",
        "d,y\n1970-01-02,1\n2000/3/1,2\n20000301,3\n01.03.2000,4\n2000-03-01T12:00:00Z,5\n"
        "2000-03-01 06:00,6\n");
    EXPECT_NE(read_error(path), "no error");
    const Dataset data = read(path, {.dates = {"d"}});
    const double days[] = {1, 11017, 11017, 11017, 11017.5, 11017.25};
    for (Index i = 0; i < 6; ++i) EXPECT_EQ(entry(data.X, i, 0), days[i]) << i;
    EXPECT_EQ(data.encoding.dates, (Names{"d"}));
    const Dataset again =
        read(path, {.target = "y", .features = &data.feature_names, .encoding = &data.encoding});
    EXPECT_EQ(entry(again.X, 1, 0), 11017);
    for (const char* wrong :
         {"2000-02-30", "13.13.2000", "1/2/2000", "soon", "2000-01-01 25:00", "2000-01-01x"}) {
        std::string text = "d,y\n";
        append(text, wrong, ",1\n");
        EXPECT_NE(read_error(folder.write("b.csv", text), {.dates = {"d"}}).find("is not a date"),
                  std::string::npos)
            << wrong;
    }
}

TEST(TablesOfOthers, LackValues) {
    const Folder folder;
    const std::string path =
        folder.write("a.csv", "id,u,w,y\na,1,1,NA\nb,NA,2,5\nc,3,,6\nd,4,4,7\n");
    EXPECT_THROW((void)read(path, {.id_column = "id", .impute_mean = true}), MissingTarget);
    const ReadOptions options{.weights_column = "w", .id_column = "id", .drop_missing = true};
    const Dataset data = read(path, options);
    EXPECT_EQ(data.row_names, (Names{"d"}));
    EXPECT_EQ(data.dropped_rows, 3);
    EXPECT_EQ(entry(data.X, 0, 0), 4);
    EXPECT_EQ(data.weights, (std::vector<double>{4}));
    ReadOptions filled = options;
    filled.impute_mean = true;
    const Dataset rest = read(path, filled);
    EXPECT_EQ(rest.row_names, (Names{"b", "d"}));
    EXPECT_EQ(entry(rest.X, 0, 0), 4);  // the mean of the rows that are left
}

TEST(TablesOfOthers, MayLackTheTargetOfNewRows) {
    const Folder folder;
    const Dataset data = read(folder.write("a.csv", "u,y\n1,\n2,5\n"),
                              {.target = "y", .target_may_be_missing = true});
    EXPECT_TRUE(std::isnan(data.y[0]));
    EXPECT_EQ(data.y[1], 5);
    EXPECT_EQ(read_error(folder.write("b.csv", "u,y\nNA,1\n2,\n"), {.drop_missing = true}),
              "b.csv: every row lacks a value; most are missing in the column \"y\", 1 of 2");
}

TEST(TablesOfOthers, RepeatNamesThatNobodyWants) {
    const Folder folder;
    const std::string path = folder.write("a.csv", "a,u,a,,y\n1,2,3,4,5\n");
    EXPECT_EQ(read_error(path, {.drop = {"3"}}), "a.csv:1:3: the name \"a\" is taken by column 1");
    EXPECT_EQ(read_error(path, {.drop = {"a"}}), "a.csv:1:4: the column has no name");
    EXPECT_EQ(read(path, {.drop = {"a", "3"}}).feature_names, (Names{"u"}));
}

TEST(TablesOfOthers, HaveFoldsByAnyText) {
    const Folder folder;
    const Dataset data = read(folder.write("a.csv", "f,u,y\nnorth,1,2\nsouth,2,3\nnorth,3,4\n"),
                              {.fold_column = "f"});
    EXPECT_EQ(data.folds, (std::vector<double>{0, 1, 0}));
    EXPECT_EQ(data.feature_names, (Names{"u"}));
    EXPECT_EQ(read(folder.write("b.csv", "f,u,y\n10,1,2\n9,2,3\n"), {.fold_column = "f"}).folds,
              (std::vector<double>{10, 9}));
    EXPECT_EQ(read_error(folder.write("c.csv", "f,u,y\n,1,2\n9,2,3\n"), {.fold_column = "f"}),
              "c.csv: row 1 has no fold in the column \"f\"");
}

TEST(TablesOfOthers, HaveTargetsOfClassesAndCounts) {
    const Folder folder;
    ReadOptions options{.target_may_be_text = true};
    const Dataset texts = read(folder.write("a.csv", "u,y\n1,yes\n2,no\n3,yes\n"), options);
    EXPECT_EQ(texts.y, (std::vector<double>{1, 0, 1}));
    EXPECT_EQ(texts.target_levels, (Names{"no", "yes"}));
    const Dataset numbers = read(folder.write("b.csv", "u,y\n1,0.25\n2,-3\n"), options);
    EXPECT_EQ(numbers.y, (std::vector<double>{0.25, -3}));
    EXPECT_TRUE(numbers.target_levels.empty());
    const std::string holes = folder.write("c.csv", "u,y\n1,b\n2,\n3,a\n");
    EXPECT_EQ(read_error(holes, options), "c.csv: row 2 has no class in the column \"y\"");
    options.drop_missing = true;
    EXPECT_EQ(read(holes, options).y, (std::vector<double>{1, 0}));
    EXPECT_EQ(read(holes, options).target_levels, (Names{"a", "b"}));
    const Dataset counts = read(folder.write("d.csv", "f,u,s\n1,2,3\n4,5,6\n"),
                                {.target = "s", .failures_column = "f"});
    EXPECT_EQ(counts.y, (std::vector<double>{3, 6}));
    EXPECT_EQ(counts.failures, (std::vector<double>{1, 4}));
    EXPECT_EQ(counts.feature_names, (Names{"u"}));
}

TEST(TablesOfOthers, OfOtherKindsAreNamed) {
    const Folder folder;
    const auto error = [&](const std::string& name, const std::string& bytes) {
        return read_error(folder.write(name, bytes));
    };
    using namespace std::string_literals;
    EXPECT_NE(error("a.parquet", "PAR1 data PAR1").find("a Parquet file"), std::string::npos);
    EXPECT_NE(error("a.feather", "ARROW1\0\0 data"s).find("a Feather file"), std::string::npos);
    EXPECT_NE(error("a.xls", "\xD0\xCF\x11\xE0 data").find("an Excel file"), std::string::npos);
    EXPECT_NE(error("a.csv", "\xFF\xFEu\0,\0y\0\n\0"s).find("iconv -f UTF-16"), std::string::npos);
    EXPECT_NE(error("b.csv", "u\0,\0y\0\n\0"s).find("text in UTF-16"), std::string::npos);
    std::string workbook = "PK\x03\x04" + std::string(26, 'x') + "[Content_Types].xml";
    workbook.resize(200, 'x');
    EXPECT_NE(error("a.xlsx", workbook).find("an Excel file"), std::string::npos);
    // Genes may be called so.
    EXPECT_EQ(read(folder.write("c.csv", "PAR1,FEA1,y\n1,2,3\n")).feature_names,
              (Names{"PAR1", "FEA1"}));
}

}  // namespace
}  // namespace sven::io::testing
