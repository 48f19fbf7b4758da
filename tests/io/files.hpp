#pragma once
// Small files for the tests of the readers, and naive access to what was read.

#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "sven/error.hpp"
#include "sven/io.hpp"

namespace sven::io::testing {

// A folder that goes away with the test.
class Folder {
  public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "sven-io-XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string path(const std::string& name) const { return path_ + "/" + name; }

    std::string write(const std::string& name, const std::string& content) const {
        std::ofstream(path(name), std::ios::binary) << content;
        return path(name);
    }

  private:
    std::string path_;
};

// A file that the fuzzers start from.
inline std::string corpus(const std::string& name) {
    std::ifstream file(std::string(SVEN_SOURCE_DIR) + "/tests/fuzz/corpus/" + name,
                       std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// text += a + b would do, but GCC 12 takes it for an overlapping copy (its bug 105651).
template <class... Parts>
void append(std::string& text, const Parts&... parts) {
    ((text += parts), ...);
}

inline double entry(const DenseView& X, Index i, Index j) {
    const Index at = X.layout == Layout::column_major ? i + j * X.stride : i * X.stride + j;
    if (X.scalar == Scalar::int8) return static_cast<const std::int8_t*>(X.data)[at];
    return X.scalar == Scalar::float64 ? static_cast<const double*>(X.data)[at]
                                       : static_cast<const float*>(X.data)[at];
}

inline double entry(const SparseView& X, Index i, Index j) {
    const auto* const offsets = static_cast<const Index*>(X.offsets);
    const auto* const rows = static_cast<const std::int32_t*>(X.indices);
    for (Index k = offsets[j]; k < offsets[j + 1]; ++k) {
        if (rows[k] == i) return static_cast<const double*>(X.values)[k];
    }
    return 0;
}

inline double entry(const SharedMatrix& X, Index i, Index j) {
    double value = 0;
    X->read({i, i + 1}, {&j, 1}, &value, 1);
    return value;
}

inline double entry(const GenotypeView& X, Index i, Index j) {
    const auto* const codes = static_cast<const unsigned char*>(X.data) + j * X.stride;
    const Index person = X.selection != nullptr ? X.selection[i] : i;
    const unsigned code = (codes[person / 4] >> (2 * (person % 4))) & 3U;
    if (code == 1) return std::nan("");
    const unsigned of_a2 = code == 3 ? 2 : code / 2;
    return X.counted == Allele::a2 ? of_a2 : 2 - of_a2;
}

inline double entry(const MatrixView& X, Index i, Index j) {
    return std::visit([&](const auto& view) { return entry(view, i, j); }, X);
}

// The message of the ParseError that `action` throws, without the folder of the file.
template <class Action>
std::string message_of(const Action& action) {
    try {
        action();
    } catch (const ParseError& error) {
        const std::string text = error.what();
        const std::size_t place = text.find(": ");
        return text.substr(text.rfind('/', place) + 1);
    }
    return "no error";
}

inline std::string read_error(const std::string& path, const ReadOptions& options = {}) {
    return message_of([&] { (void)read(path, options); });
}

inline bool same_bits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace sven::io::testing
