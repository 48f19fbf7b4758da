// The header of a .npy file: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
#include <charconv>
#include <cstdint>

#include "io/fault.hpp"
#include "io/npy.hpp"

namespace sven::io {

namespace {

constexpr std::string_view magic = "\x93NUMPY";

// A parser for the subset of Python's syntax that such headers use.
class HeaderReader {
  public:
    HeaderReader(const Source& source, std::string_view text) : source_(source), text_(text) {}

    void read(NpyHeader& header) {
        expect('{');
        bool has_type = false, has_order = false, has_shape = false;
        while (!accept('}')) {
            const std::string_view key = string();
            expect(':');
            if (key == "descr") {
                header.type = type();
                has_type = true;
            } else if (key == "fortran_order") {
                header.column_major = boolean();
                has_order = true;
            } else if (key == "shape") {
                header.shape = shape();
                has_shape = true;
            } else {
                damaged();
            }
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        if (!has_type || !has_order || !has_shape) damaged();
    }

  private:
    [[noreturn]] void damaged() const {
        raise(source_.path(), {0, 0, "the .npy header is damaged"});
    }

    void skip_space() {
        const std::size_t at = text_.find_first_not_of(" \t\n\r");
        text_.remove_prefix(at == std::string_view::npos ? text_.size() : at);
    }

    bool accept(char c) {
        skip_space();
        if (text_.empty() || text_.front() != c) return false;
        text_.remove_prefix(1);
        return true;
    }

    void expect(char c) {
        if (!accept(c)) damaged();
    }

    bool accept_word(std::string_view word) {
        skip_space();
        if (text_.substr(0, word.size()) != word) return false;
        text_.remove_prefix(word.size());
        return true;
    }

    std::string_view string() {
        skip_space();
        if (text_.empty() || (text_.front() != '\'' && text_.front() != '"')) damaged();
        const std::size_t end = text_.find(text_.front(), 1);
        if (end == std::string_view::npos) damaged();
        const std::string_view content = text_.substr(1, end - 1);
        text_.remove_prefix(end + 1);
        return content;
    }

    std::string type() {
        skip_space();
        if (!text_.empty() && text_.front() == '[') {
            raise(source_.path(), {0, 0, "the array holds records, not numbers"});
        }
        return std::string(string());
    }

    bool boolean() {
        if (accept_word("True")) return true;
        if (!accept_word("False")) damaged();
        return false;
    }

    std::vector<Index> shape() {
        std::vector<Index> sizes;
        expect('(');
        while (!accept(')')) {
            skip_space();
            Index size = 0;
            const char* const last = text_.data() + text_.size();
            const auto [end, error] = std::from_chars(text_.data(), last, size);
            if (error != std::errc() || size < 0) damaged();
            text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
            sizes.push_back(size);
            if (!accept(',')) {
                expect(')');
                break;
            }
        }
        return sizes;
    }

    const Source& source_;
    std::string_view text_;
};

std::size_t little_endian(std::string_view bytes) {
    std::size_t value = 0;
    for (std::size_t k = bytes.size(); k-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[k]);
    return value;
}

}  // namespace

bool has_npy_magic(const Source& source) {
    return source.text().substr(0, magic.size()) == magic;
}

NpyHeader read_npy_header(const Source& source) {
    const std::string_view text = source.text();
    if (text.empty()) raise(source.path(), {0, 0, "the file is empty"});
    if (!has_npy_magic(source)) raise(source.path(), {0, 0, "this is not a NumPy .npy file"});
    const std::size_t version = text.size() > 6 ? static_cast<unsigned char>(text[6]) : 0;
    if (version < 1 || version > 3) {
        raise(source.path(), {0, 0,
                              "version " + std::to_string(version) +
                                  " of the .npy format is unknown (1 to 3 are read)"});
    }
    const std::size_t width = version == 1 ? 2 : 4;  // of the length field that follows
    const std::size_t start = 8 + width;
    const std::size_t length = text.size() < start ? 0 : little_endian(text.substr(8, width));
    if (text.size() < start || length > text.size() - start) {
        raise(source.path(), {0, 0, "the file ends within its .npy header"});
    }
    NpyHeader header;
    header.data_offset = start + length;
    HeaderReader(source, text.substr(start, length)).read(header);
    return header;
}

}  // namespace sven::io
