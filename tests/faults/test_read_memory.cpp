// Memory that runs out while a file is read.

#include "faults/sweep.hpp"
#include "io/files.hpp"
#include "support/problems.hpp"
#include "sven/statistics_file.hpp"

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

TEST_F(ReadMemory, OfGenotypes) {
    folder_.write("d.bim", "1 rs1 0 100 A G\n1 rs2 0 200 C T\n2\t.\t0\t300\tG\tA\n");
    folder_.write("d.fam",
                  "F1 a 0 0 1 1.5\nF1 b 0 0 2 -9\nF2 c 0 0 1 2.5\nF2 d 0 0 0 NA\n"
                  "F3 e 0 0 1 4\n");
    const std::string bed{"\x6c\x1b\x01\x78\x00\x55\x02\xff\x02", 9};
    sweep("d.bed", bed);
    const std::string y = folder_.write("y.txt", "#FID IID t u\nx e 1 5\nx a 2 NA\nx b 3 6\n");
    const std::string c = folder_.write("c.csv", "IID,age,sex\ne,40,1\na,50,2\nb,,1\nd,60,2\n");
    sweep("d.bed", bed, {.phenotypes = y, .phenotype_name = "t", .covariates = c});
}

// Arrays that are used where they lie, and such as are unpacked.
TEST_F(ReadMemory, OfHdf5) {
    if (!io::has_hdf5()) GTEST_SKIP() << "built without libhdf5";
    const std::string path = folder_.write("a.h5", corpus("hdf5/arrays"));
    for (const char* name : {"lying", "packed"})
        expect_clean_failures(std::string("read HDF5, ") + name, [&] {
            return content(io::read(path + ":/" + name, {.target = "y"}));
        });
}

TEST_F(ReadMemory, OfStatistics) {
    const Data data = random_regression(20, 4, 3);
    std::vector<Index> folds(20);
    for (Index i = 0; i < 20; ++i) folds[i] = i % 2;
    Statistics statistics(data.problem(), folds);
    statistics.set_names({"a", "b", "a rather long name of a column", "d"}, "t");
    const std::string path = folder_.write("s.npz", io::encode(statistics));
    expect_clean_failures("read statistics", [&] { return io::encode(io::read_statistics(path)); });
    expect_clean_failures("sum statistics", [&] {
        Statistics sum(data.problem(), folds);
        sum.set_names({"a", "b", "c", "d"}, "t");
        return io::encode(sum);
    });
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
