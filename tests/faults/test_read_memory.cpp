// Memory that runs out while a file is read.

#include "faults/sweep.hpp"
#include "io/files.hpp"

namespace sven::test {
namespace {

using io::Dataset;
using io::ReadOptions;
using io::testing::corpus;

// All that a caller may look at, as text: bytes that were not written would show.
std::string content(const Dataset& data) {
    std::string text;
    for (Index i = 0; i < rows(data.X); ++i)
        for (Index j = 0; j < cols(data.X); ++j)
            text += std::to_string(io::testing::entry(data.X, i, j)) + " ";
    for (const double value : data.y) text += std::to_string(value) + " ";
    for (const std::string& name : data.feature_names) text += name + " ";
    for (const std::string& name : data.row_names) text += name + " ";
    return text;
}

class ReadMemory : public testing::Test {
  protected:
    void sweep(const std::string& name, const std::string& bytes, const ReadOptions& options = {}) {
        const std::string path = folder_.write(name, bytes);
        expect_clean_failures("read " + name, [&] { return content(io::read(path, options)); });
    }

    io::testing::Folder folder_;
    const std::string table_ =
        "id,color,a rather long name of a column,y\nr1,red,1,2\nr2,blue,NA,3\n\"r3\",red,7,4\n";
};

TEST_F(ReadMemory, OfTables) {
    sweep("plain.csv", "u,v,y\n1,2,3\n4,5,6\n");
    sweep("texts.csv", table_, {.id_column = "id", .impute_mean = true, .one_hot = true});
    sweep("dropped.tsv", "u\tv\ty\tw\n1\t2\t3\t1\n4\t5\t6\t2\n",
          {.weights_column = "w", .drop = {"v"}});
    sweep("turned.csv", "g,s1,s2\nu,1,2\nv,3,4\ny,5,6\n", {.target = "y", .transpose = true});
}

// As long as several pieces for several threads.
TEST_F(ReadMemory, OfLongTables) {
    std::string text = "a,b,c,y\n";
    for (int i = 0; i < 60000; ++i) text += "1.25,red,3,4.5\n";
    const std::string path = folder_.write("long.csv", text);
    for (const int threads : {1, 3}) {
        const auto read = [&] {
            const Dataset data = io::read(path, {.one_hot = true, .threads = threads});
            return std::pair(data.y, io::testing::entry(data.X, 59999, 0));
        };
        expect_clean_failures("read long.csv", read, Pace::slow);
    }
}

TEST_F(ReadMemory, OfOtherFormats) {
    sweep("a.svm", corpus("svmlight/plain"));
    for (const char* name : {"array", "coordinate", "symmetric"})
        sweep("a.mtx", corpus(std::string("matrix_market/") + name));
    for (const char* name : {"c", "fortran", "float32"})
        sweep("a.npy", corpus(std::string("npy/") + name));
    for (const char* name : {"csc-True", "csc-False"})
        sweep("a.npz", corpus(std::string("npz/") + name));
    sweep("a.csv.gz", corpus("gzip/text"));
}

TEST_F(ReadMemory, OfVectors) {
    for (const char* name : {"plain", "table", "npy"}) {
        const std::string path = folder_.write("y", corpus(std::string("vector/") + name));
        expect_clean_failures("read vector", [&] { return io::read_vector(path); });
    }
}

// A sentence about a file is made of strings: without memory for them it is no sentence.
TEST_F(ReadMemory, OfErrors) {
    const std::string path =
        folder_.write("bad.csv", "a,b,y\n1,2,a text that is no number at all\n");
    expect_clean_failures("error", [&] {
        try {
            (void)io::read(path);
        } catch (const ParseError& error) {
            return std::string(error.what());
        }
        return std::string();
    });
}

}  // namespace
}  // namespace sven::test
