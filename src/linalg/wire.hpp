#pragma once
// Numbers in a message between ranks, as they lie in memory: ranks are of one kind of machine.

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "sven/error.hpp"
#include "sven/index.hpp"

namespace sven::linalg {

class Writer {
  public:
    template <class T>
    Writer& put(const T& value) {
        return put(&value, 1);
    }
    template <class T>
    Writer& put(const T* values, Index count) {
        static_assert(std::is_trivially_copyable_v<T>);
        if (count > 0)
            bytes_.append(reinterpret_cast<const char*>(values),
                          static_cast<std::size_t>(count) * sizeof(T));
        return *this;
    }
    // With its length.
    template <class T>
    Writer& put_list(std::span<const T> values) {
        const auto count = static_cast<Index>(values.size());
        return put(count).put(values.data(), count);
    }
    void reserve(Index bytes) { bytes_.reserve(static_cast<std::size_t>(bytes)); }
    std::string take() { return std::move(bytes_); }

  private:
    std::string bytes_;
};

class Reader {
  public:
    explicit Reader(const std::string& bytes) : at_(bytes.data()), left_(bytes.size()) {}

    template <class T>
    T get() {
        T value{};
        get(&value, 1);
        return value;
    }
    template <class T>
    void get(T* out, Index count) {
        static_assert(std::is_trivially_copyable_v<T>);
        const std::size_t size = static_cast<std::size_t>(count) * sizeof(T);
        if (count < 0 || size > left_) throw Error("a message of another rank is damaged");
        if (size > 0) std::memcpy(out, at_, size);
        at_ += size;
        left_ -= size;
    }
    template <class T>
    std::vector<T> get_list() {
        const auto count = get<Index>();
        if (count < 0 || static_cast<std::size_t>(count) > left_ / sizeof(T))
            throw Error("a message of another rank is damaged");
        std::vector<T> values(static_cast<std::size_t>(count));
        get(values.data(), count);
        return values;
    }

  private:
    const char* at_;
    std::size_t left_;
};

}  // namespace sven::linalg
