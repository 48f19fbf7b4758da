#pragma once
// Numbers as bytes and back, in the machine's own order: for files that never leave it.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace sven::path {

using Bytes = std::vector<std::byte>;

class ByteWriter {
  public:
    template <class T>
    void put(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        append(std::span<const T>(&value, 1));
    }
    template <class T>
    void put(const std::vector<T>& values) {
        put(values.size());
        append(std::span<const T>(values));
    }
    Bytes take() { return std::move(bytes_); }

  private:
    template <class T>
    void append(std::span<const T> values) {
        const std::span<const std::byte> raw = std::as_bytes(values);
        bytes_.insert(bytes_.end(), raw.begin(), raw.end());
    }

    Bytes bytes_;
};

// What it reads was written by the writer: a sum over the bytes has said so.
class ByteReader {
  public:
    explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    template <class T>
    void get(T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        copy(&value, sizeof(T));
    }
    template <class T>
    void get(std::vector<T>& values) {
        std::size_t count = 0;
        get(count);
        values.resize(count);
        copy(values.data(), count * sizeof(T));
    }
    std::span<const std::byte> take(std::size_t size) {
        const std::span<const std::byte> taken = bytes_.first(size);
        bytes_ = bytes_.subspan(size);
        return taken;
    }
    std::size_t left() const { return bytes_.size(); }

  private:
    void copy(void* to, std::size_t size) {
        if (size > 0) std::memcpy(to, take(size).data(), size);
    }

    std::span<const std::byte> bytes_;
};

// A sum over words that tells one text of numbers from another.
class Fingerprint {
  public:
    void add(std::uint64_t word) {
        value_ = (value_ ^ word) * 0x9e3779b97f4a7c15U;
        value_ ^= value_ >> 29U;
    }
    void add(std::span<const std::byte> bytes);
    void add(std::span<const double> values) {
        add(values.size());
        add(std::as_bytes(values));
    }
    std::uint64_t value() const { return value_; }

  private:
    std::uint64_t value_ = 0xcbf29ce484222325U;
};

}  // namespace sven::path
