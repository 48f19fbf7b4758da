#include "io/npy.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include "io/fault.hpp"
#include "io/npy_columns.hpp"
#include "io/tuning.hpp"

namespace sven::io {

static_assert(std::endian::native == std::endian::little, "npy arrays are mapped as they are");

namespace {

struct NumberType {
    std::string_view code;  // without the byte order
    std::string_view name;
    std::size_t size;
};

constexpr std::array<NumberType, 11> number_types = {{{"f8", "float64", 8},
                                                      {"f4", "float32", 4},
                                                      {"i8", "int64", 8},
                                                      {"i4", "int32", 4},
                                                      {"i2", "int16", 2},
                                                      {"i1", "int8", 1},
                                                      {"u8", "uint64", 8},
                                                      {"u4", "uint32", 4},
                                                      {"u2", "uint16", 2},
                                                      {"u1", "uint8", 1},
                                                      {"b1", "bool", 1}}};

NumberType number_type(const Source& source, const NpyHeader& header) {
    const std::string_view type = header.type;
    if (!type.empty() && type.front() == '>') {
        raise(source.path(), {0, 0,
                              "the numbers are big-endian (" + in_quotes(type) +
                                  "); save them in the machine's own order"});
    }
    const std::string_view code = type.substr(std::min<std::size_t>(1, type.size()));
    const auto found = std::find_if(number_types.begin(), number_types.end(),
                                    [&](const NumberType& known) { return known.code == code; });
    if (found == number_types.end()) {
        raise(source.path(),
              {0, 0, "the array is of type " + in_quotes(type) + ", which is not read"});
    }
    return *found;
}

std::string describe_shape(const NpyHeader& header) {
    std::string text;
    for (const Index size : header.shape)
        text += (text.empty() ? "" : " x ") + std::to_string(size);
    if (header.shape.empty()) return "single number";
    return text + (header.shape.size() == 1 ? "-element array" : " array");
}

// The product of the sizes, or -1 if it exceeds any file.
Index entry_count(const NpyHeader& header) {
    Index count = 1;
    for (const Index size : header.shape) {
        if (size != 0 && count > (Index{1} << 56) / size) return -1;
        count *= size;
    }
    return count;
}

void check_size(const Source& source, const NpyHeader& header, const NumberType& type) {
    const Index count = entry_count(header);
    const std::size_t held = source.size() - header.data_offset;
    const bool fits = count >= 0 && static_cast<std::size_t>(count) <= held / type.size;
    if (fits && static_cast<std::size_t>(count) * type.size == held) return;
    raise(source.path(),
          {0, 0,
           "the header claims a " + describe_shape(header) + " of " + std::string(type.name) +
               ", but the file " + (fits ? "goes on after it" : "ends before that")});
}

template <class Number>
void convert(const char* bytes, std::vector<double>& out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        Number number;
        std::memcpy(&number, bytes + i * sizeof(Number), sizeof(Number));
        out[i] = static_cast<double>(number);
    }
}

void convert(std::string_view code, const char* bytes, std::vector<double>& out) {
    if (code == "f8") convert<double>(bytes, out);
    if (code == "f4") convert<float>(bytes, out);
    if (code == "i8") convert<std::int64_t>(bytes, out);
    if (code == "i4") convert<std::int32_t>(bytes, out);
    if (code == "i2") convert<std::int16_t>(bytes, out);
    if (code == "i1") convert<std::int8_t>(bytes, out);
    if (code == "u8") convert<std::uint64_t>(bytes, out);
    if (code == "u4") convert<std::uint32_t>(bytes, out);
    if (code == "u2") convert<std::uint16_t>(bytes, out);
    if (code == "u1" || code == "b1") convert<std::uint8_t>(bytes, out);
}

Scalar scalar_of(const NumberType& type) {
    if (type.size == 1) return Scalar::int8;
    return type.size == 8 ? Scalar::float64 : Scalar::float32;
}

// Whether the pages of a mapping would be gone before they are read again.
bool is_read_by_blocks(const Source& source, const DenseView& view, Index load_limit) {
    const auto machine =
        static_cast<Index>(::sysconf(_SC_PHYS_PAGES)) * static_cast<Index>(::sysconf(_SC_PAGESIZE));
    const Index most = load_limit > 0 ? load_limit : machine / load_limits_of_a_run;
    if (view.layout == Layout::row_major ||
        static_cast<Index>(source.size()) / load_limits_of_a_run <= most)
        return false;
    std::error_code unknown;  // what came through a pipe, or was packed, is no such file
    return std::filesystem::file_size(source.path(), unknown) == source.size() && !unknown;
}

}  // namespace

Dataset read_npy(const std::shared_ptr<const Source>& source, Index load_limit) {
    const NpyHeader header = read_npy_header(*source);
    const NumberType type = number_type(*source, header);
    if (type.code != "f8" && type.code != "f4" && type.code != "i1") {
        raise(source->path(), {0, 0,
                               "the matrix is of " + std::string(type.name) +
                                   "; save it as float64, float32 or int8"});
    }
    if (header.shape.size() != 2) {
        raise(source->path(), {0, 0, "expected a matrix, found a " + describe_shape(header)});
    }
    check_size(*source, header, type);
    Dataset data;
    DenseView view;
    view.rows = header.shape[0];
    view.cols = header.shape[1];
    if (view.rows == 0 || view.cols == 0) {
        raise(source->path(), {0, 0, "the matrix is empty (" + describe_shape(header) + ")"});
    }
    view.scalar = scalar_of(type);
    view.layout = header.column_major ? Layout::column_major : Layout::row_major;
    view.stride = header.column_major ? view.rows : view.cols;
    view.data = source->begin() + header.data_offset;
    data.storage = source;
    if (header.data_offset % type.size !=
        0) {  // no current NumPy writes this: copy to aligned memory
        const std::size_t bytes = source->size() - header.data_offset;
        auto copy = std::make_shared<std::vector<double>>((bytes + 7) / 8);
        std::memcpy(copy->data(), view.data, bytes);
        view.data = copy->data();
        data.storage = copy;
    }
    data.X = view;
    if (is_read_by_blocks(*source, view, load_limit)) {
        const Index limit = load_limit > 0 ? load_limit : default_load_limit;
        data.X =
            std::make_shared<const NpyColumns>(source->path(), header.data_offset, view, limit);
        data.storage.reset();
    }
    return data;
}

std::string read_npy_text(const Source& source) {
    const NpyHeader header = read_npy_header(source);
    const bool is_wide = header.type.find('U') != std::string::npos;
    if (!is_wide && header.type.find('S') == std::string::npos)
        raise(source.path(), {0, 0, "expected a text"});
    std::string text;
    const std::size_t step = is_wide ? 4 : 1;  // NumPy stores four bytes per Unicode character
    for (std::size_t at = header.data_offset; at < source.size(); at += step)
        if (source.begin()[at] != '\0') text += source.begin()[at];
    return text;
}

std::vector<double> read_npy_vector(const Source& source) {
    const NpyHeader header = read_npy_header(source);
    const NumberType type = number_type(source, header);
    const bool is_vector =
        header.shape.size() == 1 ||
        (header.shape.size() == 2 && (header.shape[0] == 1 || header.shape[1] == 1));
    if (!is_vector)
        raise(source.path(), {0, 0, "expected a vector, found a " + describe_shape(header)});
    check_size(source, header, type);
    std::vector<double> values(static_cast<std::size_t>(entry_count(header)));
    convert(type.code, source.begin() + header.data_offset, values);
    return values;
}

}  // namespace sven::io
