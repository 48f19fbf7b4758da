// What tables of other programs bring along: names of rows, columns to leave out, features in rows,
// missing values, texts.

#include "io/files.hpp"

namespace sven::io::testing {
namespace {

using Names = std::vector<std::string>;

TEST(Table, TakesNamesOfRowsAsRWritesThem) {
    const Folder folder;
    for (const char* text : {"\"\",\"u\",\"y\"\n\"a\",1,2\n\"b\",3,4\n", "u,y\na,1,2\nb,3,4\n"}) {
        SCOPED_TRACE(text);
        const Dataset data = read(folder.write("a.csv", text));
        EXPECT_TRUE(data.has_row_names);
        EXPECT_EQ(data.row_names, (Names{"a", "b"}));
        EXPECT_EQ(data.feature_names, (Names{"u"}));
        EXPECT_EQ(data.y, (std::vector<double>{2, 4}));
    }
}

TEST(Table, SetsColumnsAside) {
    const Folder folder;
    const std::string path = folder.write("a.csv", "id,u,note,v,y\ns1,1,x,2,3\ns2,4,z,5,6\n");
    const Dataset data = read(path, {.id_column = "id", .drop = {"note"}});
    EXPECT_EQ(data.row_names, (Names{"s1", "s2"}));
    EXPECT_EQ(data.feature_names, (Names{"u", "v"}));
    EXPECT_NE(read_error(path, {.id_column = "id"}), "no error");  // texts in "note"
    EXPECT_NE(read_error(path, {.id_column = "id", .drop = {"nowhere"}}), "no error");
}

TEST(Table, FillsMissingValuesOnlyWhenAsked) {
    const Folder folder;
    const std::string path = folder.write("a.csv", "u,v,y\n1,NA,3\n2,5,4\n,7,5\n");
    EXPECT_NE(read_error(path).find("a.csv:2:2"), std::string::npos);
    const Dataset data = read(path, {.impute_mean = true});
    EXPECT_EQ(data.imputed, 2);
    EXPECT_EQ(entry(data.X, 0, 1), 6);
    EXPECT_EQ(entry(data.X, 2, 0), 1.5);
    EXPECT_EQ(data.encoding.means.size(), 2U);
    const std::string target = folder.write("b.csv", "u,y\n1,NA\n2,5\n");
    EXPECT_NE(read_error(target, {.impute_mean = true}), "no error");
}

TEST(Table, MakesFeaturesOfTextsOnlyWhenAsked) {
    const Folder folder;
    const std::string path =
        folder.write("a.csv", "u,c,y\n1,red,3\n2,blue,4\n3,red,5\n4,green,1\n");
    EXPECT_NE(read_error(path).find("a.csv:2:2"), std::string::npos);
    const Dataset data = read(path, {.one_hot = true});
    EXPECT_EQ(data.feature_names, (Names{"u", "c=blue", "c=green", "c=red"}));
    EXPECT_EQ(entry(data.X, 0, 3), 1);
    EXPECT_EQ(entry(data.X, 1, 1), 1);
    EXPECT_EQ(entry(data.X, 1, 2), 0);
    EXPECT_EQ(entry(data.X, 3, 2), 1);
    ASSERT_EQ(data.encoding.one_hot.size(), 1U);
    EXPECT_EQ(data.encoding.one_hot[0].levels, (Names{"blue", "green", "red"}));
    const Dataset old = read(path, {.one_hot = true, .one_hot_drop_first = true});
    EXPECT_EQ(old.feature_names, (Names{"u", "c=green", "c=red"}));
    EXPECT_TRUE(old.encoding.one_hot[0].has_reference);
}

TEST(Table, MakesFeaturesOfTheColumnsThatAreNamed) {
    const Folder folder;
    const std::string path = folder.write("a.csv", "zip,c,y\n10,red,3\n9,blue,4\n10,red,5\n");
    const Dataset data = read(path, {.drop = {"c"}, .one_hot = true, .one_hot_columns = {"zip"}});
    EXPECT_EQ(data.feature_names, (Names{"zip=10", "zip=9"}));
    EXPECT_EQ(entry(data.X, 1, 1), 1);
    EXPECT_NE(read_error(path, {.one_hot = true, .one_hot_columns = {"zip"}}), "no error");
    EXPECT_EQ(read_error(path, {.one_hot = true, .one_hot_columns = {"y"}}),
              "a.csv: the column \"y\" is not one of the features");
}

TEST(Table, HasALevelForMissingTexts) {
    const Folder folder;
    const std::string path = folder.write("a.csv", "c,y\nred,3\n,4\nNA,5\n\"NA\",6\n");
    const Dataset data = read(path, {.one_hot = true});
    EXPECT_EQ(data.feature_names, (Names{"c=(missing)", "c=NA", "c=red"}));
    EXPECT_EQ(entry(data.X, 1, 0), 1);
    EXPECT_EQ(entry(data.X, 2, 0), 1);
    EXPECT_EQ(entry(data.X, 3, 1), 1);
}

// As a model remembers it: levels that did not come again still have their feature.
TEST(Table, IsEncodedAsTheModelsWas) {
    const Folder folder;
    const Dataset first = read(folder.write("a.csv", "u,c,y\n1,red,3\nNA,blue,4\n3,green,5\n"),
                               {.impute_mean = true, .one_hot = true});
    const std::string path = folder.write("b.csv", "y,c,extra,u\n1,blue,9,NA\n2,red,8,4\n");
    const Dataset second =
        read(path, {.target = "y", .features = &first.feature_names, .encoding = &first.encoding});
    ASSERT_EQ(cols(second.X), 4);
    EXPECT_EQ(second.ignored, (Names{"extra"}));
    for (Index j = 0; j < 4; ++j) {
        const std::string& feature = second.feature_names[static_cast<std::size_t>(j)];
        SCOPED_TRACE(feature);
        EXPECT_EQ(entry(second.X, 0, j), feature == "u" ? 2 : feature == "c=blue" ? 1 : 0);
        EXPECT_EQ(entry(second.X, 1, j), feature == "u" ? 4 : feature == "c=red" ? 1 : 0);
    }
    EXPECT_NE(read_error(folder.write("c.csv", "u,c,y\n1,violet,3\n"),
                         {.features = &first.feature_names, .encoding = &first.encoding}),
              "no error");
}

TEST(Table, MayHaveItsFeaturesInRows) {
    const Folder folder;
    const std::string path = folder.write("a.csv", "gene,s1,s2,s3\ng1,1,2,3\ng2,4,5,6\ny,7,8,9\n");
    const Dataset data = read(path, {.target = "y", .transpose = true});
    EXPECT_EQ(data.feature_names, (Names{"g1", "g2"}));
    EXPECT_EQ(data.row_names, (Names{"s1", "s2", "s3"}));
    EXPECT_EQ(data.y, (std::vector<double>{7, 8, 9}));
    ASSERT_EQ(rows(data.X), 3);
    EXPECT_EQ(entry(data.X, 2, 0), 3);
    EXPECT_EQ(entry(data.X, 0, 1), 4);
}

TEST(Table, HasAHundredThousandColumns) {
    const Folder folder;
    std::string head;
    std::string line;
    for (int j = 0; j < 100000; ++j) {
        append(head, "x", std::to_string(j), ",");
        append(line, std::to_string(j), ",");
    }
    const Dataset data = read(folder.write("a.csv", head + "y\n" + line + "1\n" + line + "2\n"));
    ASSERT_EQ(cols(data.X), 100000);
    EXPECT_EQ(entry(data.X, 1, 99999), 99999);
    EXPECT_EQ(data.y, (std::vector<double>{1, 2}));
}

}  // namespace
}  // namespace sven::io::testing
