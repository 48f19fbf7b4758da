#include "io/matrix_market.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

#include "io/chunks.hpp"
#include "io/number.hpp"
#include "io/sparse_columns.hpp"

namespace sven::io {

namespace {

constexpr std::string_view banner = "%%MatrixMarket";
constexpr std::string_view blanks = " \t\r\n\v\f";

struct Kind {
    bool is_dense = false;
    bool has_values = true;     // "pattern" has none: they are all 1
    bool is_symmetric = false;  // entries below the diagonal also represent those above
    double mirror_sign = 1;     // -1: skew-symmetric
};

class MatrixMarketReader {
  public:
    explicit MatrixMarketReader(const Source& source)
        : source_(source), at_(source.begin()), last_(source.end()) {}

    Dataset read() {
        read_banner();
        skip_to_text('%');
        rows_ = read_size("the number of rows");
        cols_ = read_size("the number of columns");
        if (kind_.is_symmetric && rows_ != cols_) fail("a symmetric matrix must be square");
        return kind_.is_dense ? read_array() : read_coordinates();
    }

  private:
    [[noreturn]] void fail(std::string what) const {
        const Index line = 1 + std::count(source_.begin(), at_, '\n');
        raise(source_.path(), {line, 0, std::move(what)});
    }

    void read_banner() {
        const char* const end = next_line(at_, last_);
        std::string line(at_, end);
        std::transform(line.begin(), line.end(), line.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        std::array<std::string, 5> words;
        std::size_t at = 0;
        for (std::string& word : words) {
            const std::size_t begin = std::min(line.find_first_not_of(blanks, at), line.size());
            at = std::min(line.find_first_of(blanks, begin), line.size());
            word = line.substr(begin, at - begin);
        }
        const auto& [head, object, layout, field, symmetry] = words;
        if (object != "matrix") fail("only matrices are read, not " + in_quotes(object));
        if (layout != "array" && layout != "coordinate")
            fail("the layout is " + in_quotes(layout) + ", but it must be array or coordinate");
        if (field != "real" && field != "double" && field != "integer" && field != "pattern")
            fail("the numbers are " + in_quotes(field) + "; real, integer and pattern are read");
        kind_.is_dense = layout == "array";
        kind_.has_values = field != "pattern";
        if (kind_.is_dense && !kind_.has_values) fail("an array cannot be a pattern");
        kind_.is_symmetric = symmetry == "symmetric" || symmetry == "skew-symmetric";
        kind_.mirror_sign = symmetry == "skew-symmetric" ? -1 : 1;
        if (!kind_.is_symmetric && symmetry != "general")
            fail("the symmetry " + in_quotes(symmetry) + " is not read");
        at_ = end;
    }

    // Skips blanks, line ends and comments.
    void skip_to_text(char comment) {
        for (;;) {
            while (at_ != last_ && (std::isspace(static_cast<unsigned char>(*at_)) != 0)) ++at_;
            if (at_ == last_ || *at_ != comment) return;
            at_ = next_line(at_, last_);
        }
    }

    std::string_view word() const {
        const char* end = at_;
        while (end != last_ && std::isspace(static_cast<unsigned char>(*end)) == 0) ++end;
        return {at_, static_cast<std::size_t>(end - at_)};
    }

    Index read_integer(const char* what) {
        skip_to_text('%');
        if (at_ == last_) fail(std::string("the file ends where ") + what + " should be");
        Index value = 0;
        const auto [end, error] = std::from_chars(at_, last_, value);
        if (error != std::errc() || end != at_ + word().size())
            fail(in_quotes(word()) + " is not " + what);
        at_ = end;
        return value;
    }

    Index read_size(const char* what) {
        const Index size = read_integer(what);
        if (size < 1) fail("the matrix is empty");
        if (size > std::max(always_allowed_lines, static_cast<Index>(source_.size())) ||
            size > std::numeric_limits<std::int32_t>::max())
            fail(std::string(what) + " is " + std::to_string(size) +
                 ", more than a file of this size may claim");
        return size;
    }

    double read_value() {
        skip_to_text('%');
        if (at_ == last_) fail("the file ends before all numbers have come");
        double value = 0;
        const char* const end = scan_number(at_, last_, value);
        const std::string_view text = word();
        if (end == at_ + text.size() && std::isfinite(value)) {
            at_ = end;
            return value;
        }
        if (!parse_number(text, value) || !std::isfinite(value)) fail(describe_bad_number(text));
        at_ += text.size();
        return value;
    }

    void expect_end() {
        skip_to_text('%');
        if (at_ != last_) fail("the file goes on after the last number");
    }

    Dataset read_array() {
        const auto bytes = static_cast<Index>(source_.size());
        const Index claimed = kind_.is_symmetric ? rows_ * (rows_ - 1) / 2 : rows_ * cols_;
        if (rows_ > bytes || cols_ > bytes || claimed > bytes)
            fail("the header claims more numbers than the file can hold");
        const std::shared_ptr<double[]> block(
            new double[static_cast<std::size_t>(rows_ * cols_)]());
        for (Index j = 0; j < cols_; ++j) {
            const Index first = !kind_.is_symmetric ? 0 : kind_.mirror_sign < 0 ? j + 1 : j;
            for (Index i = first; i < rows_; ++i) {
                const double value = read_value();
                block[i + j * rows_] = value;
                if (kind_.is_symmetric && i != j) block[j + i * rows_] = kind_.mirror_sign * value;
            }
        }
        expect_end();
        Dataset data;
        data.X = column_major(block.get(), rows_, cols_);
        data.storage = block;
        return data;
    }

    std::int32_t read_place(const char* what, Index largest) {
        const Index place = read_integer(what);
        if (place < 1 || place > largest)
            fail(std::string(what) + " is " + std::to_string(place) + ", but the matrix has " +
                 std::to_string(largest));
        return static_cast<std::int32_t>(place - 1);
    }

    Dataset read_coordinates() {
        const Index count = read_integer("the number of entries");
        if (count < 0 || count > static_cast<Index>(source_.size()) / 4 + 1)
            fail("the header claims more entries than the file can hold");
        std::vector<Triplet> entries;
        entries.reserve(static_cast<std::size_t>(kind_.is_symmetric ? 2 * count : count));
        for (Index k = 0; k < count; ++k) {
            Triplet entry;
            entry.row = read_place("a row number", rows_);
            entry.column = read_place("a column number", cols_);
            entry.value = kind_.has_values ? read_value() : 1;
            entries.push_back(entry);
            if (kind_.is_symmetric && entry.row != entry.column)
                entries.push_back({entry.column, entry.row, kind_.mirror_sign * entry.value});
        }
        expect_end();
        const Triplet* repeated = nullptr;
        const auto columns = compress(entries, cols_, repeated);
        if (repeated != nullptr)
            raise(source_.path(),
                  {0, 0,
                   "the entry at row " + std::to_string(repeated->row + 1) + ", column " +
                       std::to_string(repeated->column + 1) + " is repeated"});
        Dataset data;
        data.X = columns->view(rows_, cols_);
        data.storage = columns;
        return data;
    }

    const Source& source_;
    const char* at_;
    const char* last_;
    Kind kind_;
    Index rows_ = 0;
    Index cols_ = 0;
};

}  // namespace

bool has_matrix_market_banner(const Source& source) {
    return source.text().substr(0, banner.size()) == banner;
}

Dataset read_matrix_market(const Source& source) {
    if (source.size() == 0) raise(source.path(), {0, 0, "the file is empty"});
    if (!has_matrix_market_banner(source))
        raise(source.path(), {0, 0, "this is not a Matrix Market file"});
    source.expect_one_sequential_pass();
    Dataset data = MatrixMarketReader(source).read();
    data.first_feature_number = 1;
    return data;
}

}  // namespace sven::io
