#include <cmath>

#include "io/files.hpp"
#include "io/npy.hpp"

namespace sven::io::testing {
namespace {

std::string header(const std::string& dictionary, int version = 1, std::size_t align = 64) {
    const std::size_t start = version == 1 ? 10 : 12;
    std::string padded = dictionary;
    while ((start + padded.size() + 1) % align != 0) padded += ' ';
    padded += '\n';
    std::string text = "\x93NUMPY";
    text += static_cast<char>(version);
    text += '\0';
    for (std::size_t k = 0; k < start - 8; ++k) {
        text += static_cast<char>(padded.size() >> (8 * k) & 0xff);
    }
    return text + padded;
}

std::string dictionary(const std::string& type, bool fortran, const std::string& shape) {
    return "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
           ", 'shape': (" + shape + "), }";
}

template <class Number>
std::string bytes(const std::vector<Number>& numbers) {
    std::string text(numbers.size() * sizeof(Number), '\0');
    std::memcpy(text.data(), numbers.data(), text.size());
    return text;
}

template <class Number>
void expect_matrix(const std::string& type, int version) {
    const Folder folder;
    for (const bool fortran : {false, true}) {
        const std::vector<Number> numbers = {1, 2, 3, 4, 5, static_cast<Number>(0.1)};
        const std::string path = folder.write(
            "a.npy", header(dictionary(type, fortran, "2, 3"), version) + bytes(numbers));
        const Dataset data = read(path);
        const auto& view = std::get<DenseView>(data.X);
        EXPECT_EQ(view.layout, fortran ? Layout::column_major : Layout::row_major);
        ASSERT_EQ(view.rows, 2);
        ASSERT_EQ(view.cols, 3);
        for (Index i = 0; i < 2; ++i) {
            for (Index j = 0; j < 3; ++j) {
                const Index at = fortran ? i + 2 * j : 3 * i + j;
                EXPECT_EQ(entry(view, i, j), numbers[static_cast<std::size_t>(at)]);
            }
        }
        EXPECT_EQ(feature_name(data, 2), "x2");
    }
}

TEST(Npy, ReadsAllPrecisionsBothOrdersAllVersions) {
    for (const int version : {1, 2, 3}) {
        expect_matrix<double>("<f8", version);
        expect_matrix<float>("<f4", version);
        expect_matrix<std::int8_t>("|i1", version);
    }
}

TEST(Npy, UsesTheMatrixWhereItLies) {
    const Folder folder;
    const std::string path = folder.write(
        "a.npy", header(dictionary("<f8", true, "1, 2")) + bytes(std::vector<double>{1, 2}));
    const Dataset data = read(path);
    const auto& source = *static_cast<const Source*>(data.storage.get());
    const auto* const first = static_cast<const char*>(std::get<DenseView>(data.X).data);
    EXPECT_TRUE(first >= source.begin() && first < source.end());
}

TEST(Npy, CopiesWhatIsNotAligned) {
    const Folder folder;
    std::string head = header(dictionary("<f8", false, "1, 2"), 1, 1);
    while (head.size() % 8 == 0) head = header(dictionary("<f8", false, " 1, 2"), 1, 1);
    const Dataset data = read(folder.write("a.npy", head + bytes(std::vector<double>{1.5, 2})));
    const auto& view = std::get<DenseView>(data.X);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(view.data) % 8, 0U);
    EXPECT_EQ(entry(view, 0, 0), 1.5);
    EXPECT_EQ(entry(view, 0, 1), 2);
}

TEST(Npy, ChecksTheClaimsOfTheHeader) {
    const Folder folder;
    const std::string two = bytes(std::vector<double>{1, 2});
    const auto error = [&](const std::string& content) {
        return read_error(folder.write("a.npy", content));
    };
    const auto claim = [&](const std::string& type, const std::string& shape) {
        return error(header(dictionary(type, true, shape)) + two);
    };
    EXPECT_EQ(claim("<f8", "3, 1"),
              "a.npy: the header claims a 3 x 1 array of float64, but the file ends before that");
    EXPECT_EQ(claim("<f8", "1, 1"),
              "a.npy: the header claims a 1 x 1 array of float64, but the file goes on after it");
    EXPECT_EQ(claim("<f8", "1000000000000, 1000000"),
              "a.npy: the header claims a 1000000000000 x 1000000 array of float64, but the file "
              "ends before that");
    EXPECT_EQ(claim("<f8", "4611686018427387904, 4"),
              "a.npy: the header claims a 4611686018427387904 x 4 array of float64, but the file "
              "ends before that");
    EXPECT_EQ(claim("<f8", "2,"), "a.npy: expected a matrix, found a 2-element array");
    EXPECT_EQ(claim("<f8", "1, 1, 2"), "a.npy: expected a matrix, found a 1 x 1 x 2 array");
    EXPECT_EQ(claim("<f8", ""), "a.npy: expected a matrix, found a single number");
    EXPECT_EQ(error(header(dictionary("<f8", true, "0, 4"))),
              "a.npy: the matrix is empty (0 x 4 array)");
    EXPECT_EQ(claim("<i8", "2, 1"),
              "a.npy: the matrix is of int64; save it as float64, float32 or int8");
    EXPECT_EQ(claim(">f8", "2, 1"),
              "a.npy: the numbers are big-endian (\">f8\"); save them in the machine's own order");
    EXPECT_EQ(claim("<c16", "1, 1"), "a.npy: the array is of type \"<c16\", which is not read");
    EXPECT_EQ(
        error(header("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2,)}") + two),
        "a.npy: the array holds records, not numbers");
}

TEST(Npy, RefusesADamagedHeader) {
    const Folder folder;
    const auto error = [&](const std::string& content) {
        return read_error(folder.write("a.npy", content));
    };
    EXPECT_EQ(error(""), "a.npy: the file is empty");
    EXPECT_EQ(error("a,b\n1,2\n"), "a.npy: this is not a NumPy .npy file");
    EXPECT_EQ(error("\x93NUMPY"),
              "a.npy: version 0 of the .npy format is unknown (1 to 3 are read)");
    EXPECT_EQ(error("\x93NUMPY\x07"),
              "a.npy: version 7 of the .npy format is unknown (1 to 3 are read)");
    EXPECT_EQ(error(std::string("\x93NUMPY\x01\x00", 8)),
              "a.npy: the file ends within its .npy header");
    EXPECT_EQ(error(header(dictionary("<f8", true, "2, 1")).substr(0, 50)),
              "a.npy: the file ends within its .npy header");
    for (const char* text :
         {"", "{", "{}", "{'descr': '<f8'}", "{'descr': '<f8, 'fortran_order'",
          "{'descr': '<f8', 'fortran_order': Maybe, 'shape': (2, 1)}",
          "{'descr': '<f8', 'fortran_order': True, 'shape': (-2, 1)}",
          "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 99999999999999999999)}",
          "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 1}"}) {
        EXPECT_EQ(error(header(text)), "a.npy: the .npy header is damaged") << text;
    }
}

TEST(Vector, ReadsOneNumberALine) {
    const Folder folder;
    EXPECT_EQ(read_vector(folder.write("y.txt", "1\n-2.5\r\n\"3e2\"\n 4 ")),
              (std::vector<double>{1, -2.5, 300, 4}));
    const auto error = [&](const std::string& text, const VectorOptions& options = {}) {
        const std::string path = folder.write("y.txt", text);
        return message_of([&] { (void)read_vector(path, options); });
    };
    EXPECT_EQ(error(""), "y.txt: the file is empty");
    EXPECT_EQ(error("\n\n"), "y.txt: the file is empty");
    EXPECT_EQ(error("1\n\n2\n"), "y.txt:2:1: the value is missing");
    EXPECT_EQ(error("1\ny\n"), "y.txt:2:1: \"y\" is not a number");
    EXPECT_EQ(error("y\n1\n"), "no error");
    EXPECT_EQ(error("y\n1\nz\n"), "y.txt:3:1: \"z\" is not a number (column \"y\")");
    EXPECT_EQ(error("a,b\n1,2\n"), "y.txt: expected one column of numbers, found 2");
    EXPECT_EQ(error("1,2\n"), "y.txt:1:1: \"1,2\" is not a number");
    EXPECT_EQ(error("nan\n"), "y.txt:1:1: \"nan\" is not finite");
    EXPECT_EQ(error("inf\n"), "y.txt:1:1: \"inf\" is not finite");
    EXPECT_EQ(error("1\n-2\n", {.nonnegative = true}), "y.txt:2:1: \"-2\" is negative");
    EXPECT_EQ(error("-inf\n", {.nonnegative = true, .allow_infinity = true}),
              "y.txt:1:1: \"-inf\" is not finite");
    const auto factors = read_vector(folder.write("f.txt", "0\nInf\n"),
                                     {.nonnegative = true, .allow_infinity = true});
    EXPECT_TRUE(std::isinf(factors.at(1)));
    EXPECT_EQ(message_of([&] { (void)read_vector(folder.path("none.txt")); }),
              "none.txt: no such file");
}

TEST(Vector, ReadsNpyOfManyTypes) {
    const Folder folder;
    const auto vector = [&](const std::string& type, const std::string& shape,
                            const std::string& data) {
        return read_vector(folder.write("y.npy", header(dictionary(type, false, shape)) + data));
    };
    const std::vector<double> expected = {1, 0, 2};
    EXPECT_EQ(vector("<f8", "3,", bytes(std::vector<double>{1, 0, 2})), expected);
    EXPECT_EQ(vector("<f4", "3, 1", bytes(std::vector<float>{1, 0, 2})), expected);
    EXPECT_EQ(vector("<i8", "1, 3", bytes(std::vector<std::int64_t>{1, 0, 2})), expected);
    EXPECT_EQ(vector("<u2", "3,", bytes(std::vector<std::uint16_t>{1, 0, 2})), expected);
    EXPECT_EQ(vector("|i1", "3,", bytes(std::vector<std::int8_t>{1, 0, 2})), expected);
    const auto error = [&](const std::string& shape, const std::vector<double>& values) {
        return message_of([&] { (void)vector("<f8", shape, bytes(values)); });
    };
    EXPECT_EQ(error("2,", {1, std::nan("")}), "y.npy: entry 1 is not a number");
    EXPECT_EQ(error("2, 2", {1, 2, 3, 4}), "y.npy: expected a vector, found a 2 x 2 array");
    EXPECT_EQ(error("0,", {}), "y.npy: the array is empty");
    EXPECT_EQ(
        error("9,", {1}),
        "y.npy: the header claims a 9-element array of float64, but the file ends before that");
}

TEST(Source, NamesWhatCannotBeRead) {
    const Folder folder;
    EXPECT_EQ(read_error(folder.path("none.csv")), "none.csv: no such file");
    std::filesystem::create_directory(folder.path("folder.csv"));
    EXPECT_EQ(read_error(folder.path("folder.csv")), "folder.csv: is a folder, not a file");
}

}  // namespace
}  // namespace sven::io::testing
