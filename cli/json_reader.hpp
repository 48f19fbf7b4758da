#pragma once
// Reads a document with checks: errors give the path of the value.

#include <string>
#include <string_view>
#include <vector>

#include "cli/document.hpp"

namespace sven::cli {

// The whole of a file. Throws ParseError.
std::string read_text_file(const std::string& path);

// "-" is shown as "standard input".
std::string shown_path(const std::string& path);

// Throws ParseError if the text is not a JSON object with a "format" of one of these kinds, such as
// "sven-model", in version 1.
Json parse_document(const std::string& path, std::string_view text,
                    const std::vector<std::string>& kinds);

// A value within a document that knows its path. All throw ParseError.
class JsonReader {
  public:
    JsonReader(const std::string& path, const Json& value, std::string place = {})
        : path_(path), value_(value), place_(std::move(place)) {}

    JsonReader at(const std::string& key) const;
    std::vector<JsonReader> items() const;

    const Json& raw() const { return value_; }
    bool is_null() const { return value_.is_null(); }
    double number() const;
    Index count() const;  // a non-negative whole number
    bool flag() const;
    std::string text() const;
    std::vector<std::string> texts() const;
    std::vector<double> numbers() const;

    [[noreturn]] void refuse(const std::string& what) const;

  private:
    const std::string& path_;
    const Json& value_;
    std::string place_;
};

}  // namespace sven::cli
