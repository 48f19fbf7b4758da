// Lines that begin with "#" are data, unless the reader is told that they are comments.

#include "io/files.hpp"

namespace sven::io::testing {
namespace {

using Names = std::vector<std::string>;

const ReadOptions skipping{.comment = '#'};

TEST(Comments, AreRowsUnlessAskedFor) {
    const Folder folder;
    const std::string path = folder.write("a.csv", "id,u,y\n#1,1,2\nb,3,4\n#3,5,6\n");
    const Dataset all = read(path, {.id_column = "id"});
    EXPECT_EQ(all.row_names, (Names{"#1", "b", "#3"}));
    EXPECT_EQ(all.y, (std::vector<double>{2, 4, 6}));
    const Dataset some = read(path, {.id_column = "id", .comment = '#'});
    EXPECT_EQ(some.row_names, (Names{"b"}));
    EXPECT_EQ(some.y, (std::vector<double>{4}));
}

TEST(Comments, MayStandAnywhereWhereAskedFor) {
    const Folder folder;
    const std::string text = "#a,b\n#\nu;y\n#x\n1;2\n# 7;8\n\n\"3\";4\n#";
    for (const std::string& mark : {std::string(), std::string("\xEF\xBB\xBF")}) {
        const Dataset data = read(folder.write("a.csv", mark + text), skipping);
        EXPECT_EQ(data.feature_names, (Names{"u"}));
        EXPECT_EQ(data.y, (std::vector<double>{2, 4}));
    }
    const std::string percent = folder.write("b.tsv", "% note\nu\ty\n%\n1\t2\n");
    EXPECT_EQ(read(percent, {.comment = '%'}).y, (std::vector<double>{2}));
    const std::string turned = folder.write("c.csv", "g,s1\n#\nu,1\n#\ny,2\n");
    EXPECT_EQ(read(turned, {.target = "y", .transpose = true, .comment = '#'}).y,
              (std::vector<double>{2}));
}

TEST(Comments, AreCountedAsLines) {
    const Folder folder;
    const std::string path = folder.write("a.csv", "# note\nu,y\n# note\n1,2\n# note\nx,2\n");
    EXPECT_EQ(read_error(path, skipping), "a.csv:6:1: \"x\" is not a number (column \"u\")");
    EXPECT_EQ(read_error(folder.write("b.csv", "# nothing\n"), skipping),
              "b.csv:2:1: the column has no name");
}

template <class Wanted>
bool throws(const std::string& path, const ReadOptions& options = {}) {
    try {
        (void)read(path, options);
    } catch (const Wanted&) {
        return true;
    } catch (const ParseError&) {
    }
    return false;
}

TEST(Comments, AreNamedWhereTheyMayHaveBeenMeant) {
    const Folder folder;
    const std::string row = folder.write("a.csv", "u,v,y\n1,2,3\n# half\n4,5,6\n");
    EXPECT_EQ(read_error(row), "a.csv:3:1: \"# half\" is not a number (column \"u\")");
    EXPECT_TRUE(throws<CommentLine>(row));
    const std::string title = folder.write("b.csv", "# title\nu,v,y\n1,2,3\n");
    EXPECT_EQ(read_error(title), "b.csv: there is no column left for a feature");
    EXPECT_EQ(read_error(title, {.target = "y"}),
              "b.csv: there is no column \"y\"; the columns are # title");
    EXPECT_EQ(read_error(title, {.has_response = false}),
              "b.csv:2:1: \"u\" is not a number (column \"# title\")");
    for (const char* text :
         {"# title\nu,v,y\n1,2,3\n", "# title\nu,y\n1,2\n", "# of us, by me\nu,v,y\n1,2,3\n"}) {
        SCOPED_TRACE(text);
        EXPECT_TRUE(throws<CommentLine>(folder.write("c.csv", text)));
        EXPECT_TRUE(throws<CommentLine>(folder.write("c.csv", text), {.has_response = false}));
    }
    // A header that names several columns, the first of them with a #, is a header.
    EXPECT_TRUE(throws<TextValue>(folder.write("d.csv", "#chrom,u,y\n1,2,3\n1,x,3\n")));
}

TEST(Comments, InVectors) {
    const Folder folder;
    const auto all = [&](const std::string& text) {
        return read_vector(folder.write("y.txt", text), {.comment = '#'});
    };
    const std::vector<double> expected{1, 2};
    EXPECT_EQ(all("# y\n1\n# half\n2\n# end\n"), expected);
    EXPECT_EQ(all("# y, 2024\ny\n1\n# half\n2\n"), expected);
    EXPECT_EQ(all("# y\n\"\",\"x\"\n# a\n\"1\",1\n\"2\",2\n"), expected);
    const std::string path = folder.write("y.txt", "1\n# half\n2\n");
    EXPECT_EQ(message_of([&] { (void)read_vector(path); }),
              "y.txt:2:1: \"# half\" is not a number");
    EXPECT_THROW((void)read_vector(path), CommentLine);
    EXPECT_EQ(read_vector(folder.write("z.txt", "# y\n1\n2\n")), expected);  // a name
    EXPECT_EQ(message_of([&] { (void)all("# nothing\n"); }), "y.txt: the file is empty");
}

// Their formats say what a comment is.
TEST(Comments, OfOtherFormatsStay) {
    const Folder folder;
    const std::string svm = folder.write("a.svm", "# note\n1 1:2 # note\n");
    const std::string mtx =
        folder.write("a.mtx", "%%MatrixMarket matrix array real general\n% note\n1 1\n4\n");
    for (const char mark : {'\0', '#', '%'}) {
        EXPECT_EQ(read(svm, {.comment = mark}).y, (std::vector<double>{1}));
        EXPECT_EQ(entry(read(mtx, {.comment = mark}).X, 0, 0), 4);
    }
}

}  // namespace
}  // namespace sven::io::testing
