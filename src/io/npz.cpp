#include "io/npz.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "io/fault.hpp"
#include "io/npy.hpp"
#include "io/sparse_columns.hpp"
#include "io/zip.hpp"

namespace sven::io {

namespace {

// Compressed lines, rows or columns.
struct Lines {
    std::vector<Index> offsets;
    std::vector<std::int32_t> indices;
    std::vector<double> values;
};

class NpzReader {
  public:
    explicit NpzReader(const Source& source) : source_(source), archive_(source) {}

    Dataset read() {
        if (!archive_.has("format.npy") || !archive_.has("shape.npy"))
            fail("this is no matrix of scipy.sparse (save_npz writes one)");
        const std::string format = read_npy_text(*archive_.open("format.npy"));
        if (format != "csr" && format != "csc")
            fail("the matrix is in the format " + in_quotes(format) + "; csr and csc are read");
        const std::vector<Index> shape = integers("shape.npy");
        if (shape.size() != 2) fail("the shape has not two numbers");
        for (const Index size : shape) check_size(size);
        const bool is_csc = format == "csc";
        auto lines = std::make_shared<Lines>();
        read_lines(shape[is_csc ? 1 : 0], shape[is_csc ? 0 : 1], *lines);

        Dataset data;
        data.X = SparseView{.values = lines->values.data(),
                            .indices = lines->indices.data(),
                            .offsets = lines->offsets.data(),
                            .scalar = Scalar::float64,
                            .index_width = IndexWidth::int32,
                            .offset_width = IndexWidth::int64,
                            .compression = is_csc ? Compression::columns : Compression::rows,
                            .rows = shape[0],
                            .cols = shape[1]};
        data.storage = lines;
        return data;
    }

  private:
    [[noreturn]] void fail(const std::string& what) const { raise(source_.path(), {0, 0, what}); }

    void check_size(Index size) const {
        if (size < 1) fail("the matrix is empty");
        if (size > std::max(always_allowed_lines, static_cast<Index>(source_.size())) ||
            size > std::numeric_limits<std::int32_t>::max())
            fail("the shape is more than a file of this size may claim");
    }

    std::vector<Index> integers(const std::string& name) const {
        std::vector<Index> result;
        for (const double value : read_npy_vector(*archive_.open(name))) {
            if (value != std::floor(value) || std::abs(value) > 9e15)
                fail(name + " holds numbers that are not whole");
            result.push_back(static_cast<Index>(value));
        }
        return result;
    }

    void read_lines(Index count, Index length, Lines& lines) const {
        lines.values = read_npy_vector(*archive_.open("data.npy"));
        lines.offsets = integers("indptr.npy");
        const std::vector<Index> indices = integers("indices.npy");
        const auto entries = static_cast<Index>(lines.values.size());
        const bool is_whole = static_cast<Index>(lines.offsets.size()) == count + 1 &&
                              lines.offsets.front() == 0 && lines.offsets.back() == entries &&
                              static_cast<Index>(indices.size()) == entries &&
                              std::is_sorted(lines.offsets.begin(), lines.offsets.end());
        if (!is_whole) fail("data, indices and indptr do not fit together");
        for (const Index index : indices) {
            if (index < 0 || index >= length)
                fail("index " + std::to_string(index) + " is out of range");
            lines.indices.push_back(static_cast<std::int32_t>(index));
        }
        for (Index line = 0; line < count; ++line)
            sort_line(lines, lines.offsets[line], lines.offsets[line + 1]);
    }

    // SciPy does not guarantee sorted indices within a line; the solver needs them.
    void sort_line(Lines& lines, Index first, Index last) const {
        const auto begin = lines.indices.begin() + first;
        const auto end = lines.indices.begin() + last;
        if (!std::is_sorted(begin, end)) {
            std::vector<Index> order(static_cast<std::size_t>(last - first));
            std::iota(order.begin(), order.end(), first);
            std::sort(order.begin(), order.end(),
                      [&](Index a, Index b) { return lines.indices[a] < lines.indices[b]; });
            std::vector<std::int32_t> indices;
            std::vector<double> values;
            for (const Index k : order) {
                indices.push_back(lines.indices[k]);
                values.push_back(lines.values[k]);
            }
            std::copy(indices.begin(), indices.end(), begin);
            std::copy(values.begin(), values.end(), lines.values.begin() + first);
        }
        if (std::adjacent_find(begin, end) != end)
            fail("an entry is repeated; sum_duplicates() joins them");
    }

    const Source& source_;
    ZipArchive archive_;
};

}  // namespace

Dataset read_npz(const Source& source) {
    if (source.size() == 0) raise(source.path(), {0, 0, "the file is empty"});
    if (!has_zip_magic(source)) raise(source.path(), {0, 0, "this is not a NumPy .npz file"});
    return NpzReader(source).read();
}

}  // namespace sven::io
