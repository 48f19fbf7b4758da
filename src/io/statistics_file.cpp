#include "sven/statistics_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "io/fault.hpp"
#include "io/npy.hpp"
#include "io/zip.hpp"
#include "linalg/row_statistics.hpp"
#include "sven/error.hpp"
#include "sven/io.hpp"
#include "sven/numpy_file.hpp"

namespace sven::io {
namespace {

using linalg::RowStatistics;

constexpr std::string_view format_name = "sven-statistics-1";
constexpr std::string_view format_family = "sven-statistics-";
// An entry of the sums may exceed the bound of Cauchy and Schwarz by rounding, relative; their
// bounds on rounding may be at most that.
constexpr double largest_rounding = 1e-3;
// More than any file: thousands of such statistics may be added up.
constexpr Index most_rows = Index{1} << 50;

template <class Number>
std::string_view bytes_of(const std::vector<Number>& numbers) {
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
}

class Checksum {
  public:
    void add(std::string_view bytes) {
        for (const char byte : bytes)
            value_ = (value_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
    }
    std::uint64_t value() const { return value_; }

  private:
    std::uint64_t value_ = 0xcbf29ce484222325U;
};

// The arrays of a file, in the order of its format.
struct Arrays {
    std::vector<Index> rows, folds;
    std::vector<double> centre, y_centre, constant, rounding, sums;
    std::string names, target;

    std::uint64_t checksum() const {
        Checksum sum;
        for (const auto* const numbers : {&rows, &folds}) sum.add(bytes_of(*numbers));
        for (const auto* const numbers : {&centre, &y_centre, &constant, &rounding, &sums})
            sum.add(bytes_of(*numbers));
        sum.add(names);
        sum.add(target);
        return sum.value();
    }
};

Arrays arrays_of(const Statistics::Data& data) {
    Arrays arrays;
    arrays.folds = data.folds;
    for (const RowStatistics& group : data.groups) {
        arrays.rows.push_back(group.rows);
        arrays.centre.insert(arrays.centre.end(), group.sums.centre.begin(),
                             group.sums.centre.end());
        arrays.y_centre.push_back(group.y_centre);
        arrays.constant.insert(arrays.constant.end(), group.constant.begin(), group.constant.end());
        arrays.rounding.push_back(group.rounding);
        for (Index i = 0; i < group.cols() + 2; ++i)
            for (Index j = 0; j < group.cols() + 2; ++j) arrays.sums.push_back(group.sums(i, j));
    }
    for (const std::string& name : data.feature_names) (arrays.names += name) += '\0';
    arrays.target = data.target_name;
    return arrays;
}

class Reader {
  public:
    explicit Reader(const Source& source) : source_(source), archive_(source) {}

    bool is_of_this_kind() const {
        return archive_.has("format.npy") &&
               read_npy_text(*archive_.open("format.npy")).starts_with(format_family);
    }

    std::shared_ptr<Statistics::Data> read() const {
        if (!is_of_this_kind()) fail("this is no file of statistics (sven gram writes one)");
        const std::string format = read_npy_text(*archive_.open("format.npy"));
        if (format != format_name)
            fail("the statistics are of the format " + in_quotes(format) + ", which is not read");
        Arrays arrays;
        arrays.rows = array<Index>("rows", "<i8");
        arrays.folds = array<Index>("folds", "<i8");
        arrays.centre = array<double>("centre", "<f8");
        arrays.y_centre = array<double>("y_centre", "<f8");
        arrays.constant = array<double>("constant", "<f8");
        arrays.rounding = array<double>("rounding", "<f8");
        arrays.sums = array<double>("sums", "<f8");
        arrays.names = text("names");
        arrays.target = text("target");
        const std::vector<std::uint64_t> checksum = array<std::uint64_t>("checksum", "<u8");
        if (checksum.size() != 1 || checksum.front() != arrays.checksum())
            fail("the checksum of the statistics is wrong: the file was changed");
        return data_of(arrays);
    }

  private:
    [[noreturn]] void fail(const std::string& what) const { raise(source_.path(), {0, 0, what}); }

    template <class Number>
    std::vector<Number> array(const std::string& name, const std::string& type) const {
        const std::unique_ptr<Source> member = archive_.open(name + ".npy");
        const NpyHeader header = read_npy_header(*member);
        const std::size_t bytes = member->size() - header.data_offset;
        std::size_t count = 1;
        for (const Index size : header.shape) {
            const auto length = static_cast<std::size_t>(size);
            constexpr std::size_t most = std::size_t{1} << 56;  // more than any file has
            count = length != 0 && count > most / length ? most : count * length;
        }
        if (header.type != type || header.column_major || count * sizeof(Number) != bytes)
            fail("the array " + name + " has not the type or the size of statistics");
        std::vector<Number> numbers(count);
        if (count > 0) std::memcpy(numbers.data(), member->begin() + header.data_offset, bytes);
        return numbers;
    }

    std::string text(const std::string& name) const {
        const std::vector<unsigned char> bytes = array<unsigned char>(name, "|u1");
        return {bytes.begin(), bytes.end()};
    }

    void check(bool holds) const {
        if (!holds) fail("the arrays of the statistics do not fit together");
    }

    std::shared_ptr<Statistics::Data> data_of(const Arrays& arrays) const {
        const std::size_t groups = arrays.rows.size();
        check(groups > 0 && (groups == 1 || arrays.folds.size() == groups));
        check(arrays.folds.empty() || arrays.folds.size() == groups);
        check(std::adjacent_find(arrays.folds.begin(), arrays.folds.end(),
                                 std::greater_equal<>()) == arrays.folds.end());
        const std::size_t p = arrays.centre.size() / groups;
        check(arrays.centre.size() == groups * p && arrays.constant.size() == groups * p);
        check(arrays.y_centre.size() == groups && arrays.rounding.size() == groups);
        check(arrays.sums.size() == groups * (p + 2) * (p + 2));
        auto data = std::make_shared<Statistics::Data>();
        data->folds = arrays.folds;
        for (std::size_t g = 0; g < groups; ++g)
            data->groups.push_back(group_of(arrays, g, static_cast<Index>(p)));
        for (std::size_t at = 0; at < arrays.names.size();) {
            const std::size_t end = arrays.names.find('\0', at);
            check(end != std::string::npos);
            data->feature_names.push_back(arrays.names.substr(at, end - at));
            at = end + 1;
        }
        check(data->feature_names.empty() || data->feature_names.size() == p);
        data->target_name = arrays.target;
        return data;
    }

    RowStatistics group_of(const Arrays& arrays, std::size_t g, Index p) const {
        RowStatistics group = linalg::no_rows(p);
        const auto part = [&](const std::vector<double>& all, Index size) {
            const auto begin = all.begin() + static_cast<Index>(g) * size;
            return std::vector<double>(begin, begin + size);
        };
        const auto is_finite = [](double value) { return std::isfinite(value); };
        group.rows = arrays.rows[g];
        group.sums.centre = part(arrays.centre, p);
        group.y_centre = arrays.y_centre[g];
        group.constant = part(arrays.constant, p);
        group.rounding = arrays.rounding[g];
        check(group.rows >= 0 && group.rows <= most_rows && std::isfinite(group.y_centre));
        check(group.rounding >= 0 && group.rounding <= largest_rounding);
        check(std::all_of(group.sums.centre.begin(), group.sums.centre.end(), is_finite));
        const Index size = p + 2;
        const double* const sums = arrays.sums.data() + static_cast<Index>(g) * size * size;
        for (Index j = 0; j < size; ++j) {
            check(sums[j * size + j] >= 0 && std::isfinite(sums[j * size + j]));
            for (Index i = j; i < size; ++i) {
                const double bound = std::sqrt(sums[i * size + i]) * std::sqrt(sums[j * size + j]);
                check(sums[i * size + j] == sums[j * size + i] &&
                      std::abs(sums[i * size + j]) <= bound * (1 + largest_rounding));
                group.sums.values[j * group.sums.stride + i] = sums[i * size + j];
            }
        }
        return group;
    }

    const Source& source_;
    ZipArchive archive_;
};

Statistics read(const Source& source) {
    if (source.size() == 0) raise(source.path(), {0, 0, "the file is empty"});
    if (!has_zip_magic(source)) raise(source.path(), {0, 0, "this is not a NumPy .npz file"});
    return Statistics(Reader(source).read());
}

}  // namespace

std::string encode(const Statistics& statistics) {
    const Arrays arrays = arrays_of(statistics.data());
    const auto groups = static_cast<Index>(arrays.rows.size());
    const Index p = statistics.cols();
    const std::vector<std::uint64_t> checksum = {arrays.checksum()};
    std::string file;
    NpzWriter archive([&](std::string_view bytes) { file += bytes; });
    archive.add("format", "|S" + std::to_string(format_name.size()), {}, format_name);
    archive.add("rows", "<i8", {groups}, bytes_of(arrays.rows));
    archive.add("folds", "<i8", {static_cast<Index>(arrays.folds.size())}, bytes_of(arrays.folds));
    archive.add("centre", "<f8", {groups, p}, bytes_of(arrays.centre));
    archive.add("y_centre", "<f8", {groups}, bytes_of(arrays.y_centre));
    archive.add("constant", "<f8", {groups, p}, bytes_of(arrays.constant));
    archive.add("rounding", "<f8", {groups}, bytes_of(arrays.rounding));
    archive.add("sums", "<f8", {groups, p + 2, p + 2}, bytes_of(arrays.sums));
    archive.add("names", "|u1", {static_cast<Index>(arrays.names.size())}, arrays.names);
    archive.add("target", "|u1", {static_cast<Index>(arrays.target.size())}, arrays.target);
    archive.add("checksum", "<u8", {1}, bytes_of(checksum));
    archive.finish();
    return file;
}

Statistics read_statistics(const std::string& path) {
    return read(Source(path));
}

Statistics decode_statistics(const std::string& name, std::vector<char> bytes) {
    return read(Source(name, std::move(bytes)));
}

bool holds_statistics(const std::string& path) {
    if (path == "-" || format_of(path) != Format::npz) return false;
    try {
        const Source source(path);
        return has_zip_magic(source) && Reader(source).is_of_this_kind();
    } catch (const ParseError&) {  // its reader says why
        return false;
    }
}

}  // namespace sven::io
