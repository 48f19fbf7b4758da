// Matrices of SciPy in .npz, and text that gzip packed: the files are those that the fuzzers start
// from, written by scipy.sparse.save_npz and gzip.

#include "io/files.hpp"

namespace sven::io::testing {
namespace {

// The entries row by row, whichever way they are compressed.
std::vector<double> entries(const SparseView& X) {
    std::vector<double> dense(static_cast<std::size_t>(X.rows * X.cols), 0.0);
    const bool by_columns = X.compression == Compression::columns;
    const auto* const offsets = static_cast<const Index*>(X.offsets);
    const auto* const indices = static_cast<const std::int32_t*>(X.indices);
    for (Index line = 0; line < (by_columns ? X.cols : X.rows); ++line)
        for (Index k = offsets[line]; k < offsets[line + 1]; ++k)
            dense[by_columns ? indices[k] * X.cols + line : line * X.cols + indices[k]] =
                static_cast<const double*>(X.values)[k];
    return dense;
}

const std::vector<double> expected{1, 0, 2, 0, 3, 0};

TEST(Npz, HoldsSparseColumnsOrRowsPackedOrNot) {
    const Folder folder;
    for (const std::string name : {"csc-False", "csc-True", "csr-False", "csr-True"}) {
        SCOPED_TRACE(name);
        const Dataset data = read(folder.write("a.npz", corpus("npz/" + name)));
        const auto& X = std::get<SparseView>(data.X);
        ASSERT_EQ(X.rows, 2);
        ASSERT_EQ(X.cols, 3);
        ASSERT_EQ(X.index_width, IndexWidth::int32);
        ASSERT_EQ(X.offset_width, IndexWidth::int64);
        EXPECT_EQ(entries(X), expected);
    }
}

// Cut off it is refused; with one byte changed it is refused, or the byte told nothing.
TEST(Npz, IsNeverReadWrongly) {
    const Folder folder;
    for (const char* name : {"npz/csc-False", "npz/csr-True"}) {
        const std::string whole = corpus(name);
        Index refused = 0;
        for (std::size_t at = 0; at < whole.size(); ++at) {
            SCOPED_TRACE(::testing::Message() << name << " byte " << at);
            EXPECT_NE(read_error(folder.write("a.npz", whole.substr(0, at))), "no error");
            std::string flipped = whole;
            flipped[at] = static_cast<char>(flipped[at] ^ 0x41);
            try {
                const Dataset data = read(folder.write("a.npz", flipped));
                EXPECT_EQ(entries(std::get<SparseView>(data.X)), expected);
            } catch (const Error&) {
                ++refused;
            }
            if (::testing::Test::HasFailure()) return;
        }
        EXPECT_GT(refused, static_cast<Index>(whole.size()) / 4);
    }
}

// Two members, as when packed files are put together.
TEST(Gzip, IsUnpackedWhateverTheEnding) {
    const Folder folder;
    for (const char* name : {"a.csv.gz", "a.csv"}) {
        SCOPED_TRACE(name);
        const Dataset data = read(folder.write(name, corpus("gzip/text")));
        EXPECT_EQ(data.feature_names, (std::vector<std::string>{"a"}));
        EXPECT_EQ(data.y, (std::vector<double>{2, 4}));
        EXPECT_EQ(entry(data.X, 1, 0), 3);
    }
}

TEST(Gzip, RefusesWhatIsDamaged) {
    const Folder folder;
    const std::string whole = corpus("gzip/text");
    std::string flipped = whole;
    flipped[20] = static_cast<char>(flipped[20] ^ 0x10);  // of the check sum
    EXPECT_NE(read_error(folder.write("a.csv.gz", flipped)), "no error");
    EXPECT_NE(read_error(folder.write("b.csv.gz", whole.substr(0, 25))), "no error");
}

}  // namespace
}  // namespace sven::io::testing
