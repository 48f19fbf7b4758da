#include "cli/json_reader.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "sven/error.hpp"

namespace sven::cli {

namespace {

constexpr int known_version = 1;

bool is_utf8_start(std::string_view text) {
    return text.substr(0, 3) == "\xEF\xBB\xBF";
}

}  // namespace

std::string read_text_file(const std::string& path) {
    const bool is_standard_input = path == "-";
    const int file = is_standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0 && errno == ENOENT) throw ParseError(path + ": no such file");
    if (file < 0)
        throw ParseError(fmt::format("{}: cannot be opened ({})", path, std::strerror(errno)));
    std::string text;
    char piece[1 << 16];
    ssize_t got = 0;
    do {
        got = ::read(file, piece, sizeof piece);
        if (got > 0) text.append(piece, static_cast<std::size_t>(got));
    } while (got > 0 || (got < 0 && errno == EINTR));
    const int error = got < 0 ? errno : 0;
    if (!is_standard_input) ::close(file);
    if (error == EISDIR) throw ParseError(shown_path(path) + ": is a folder, not a file");
    if (error != 0)
        throw ParseError(
            fmt::format("{}: cannot be read ({})", shown_path(path), std::strerror(error)));
    return text;
}

std::string shown_path(const std::string& path) {
    return path == "-" ? "standard input" : path;
}

Json parse_document(const std::string& path, std::string_view text,
                    const std::vector<std::string>& kinds) {
    if (is_utf8_start(text)) text.remove_prefix(3);
    if (text.empty()) throw ParseError(path + ": the file is empty");
    Json document;
    try {
        document = Json::parse(text.begin(), text.end());
    } catch (const Json::parse_error& error) {
        const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(
                                            text.size(), static_cast<std::size_t>(error.byte)));
        throw ParseError(fmt::format("{}:{}: the file is damaged: this is no JSON", path,
                                     1 + std::count(text.begin(), end, '\n')));
    } catch (const Json::exception&) {
        throw ParseError(path + ": the file is damaged: a number in it has no double");
    }
    const auto format = document.is_object() ? document.find("format") : document.end();
    const bool has_format = document.is_object() && format != document.end() && format->is_string();
    const std::string name = has_format ? format->get<std::string>() : std::string();
    const std::size_t slash = name.find('/');
    const std::string kind = name.substr(0, slash);
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
        throw ParseError(
            fmt::format("{}: this is not a {} file{}", path, fmt::join(kinds, " or "),
                        kind.rfind("sven-", 0) == 0 ? fmt::format(", but a {} file", kind) : ""));
    }
    if (name != fmt::format("{}/{}", kind, known_version)) {
        throw ParseError(fmt::format("{}: the format is \"{}\", but this sven reads {}/{} only",
                                     path, name, kind, known_version));
    }
    return document;
}

JsonReader JsonReader::at(const std::string& key) const {
    if (!value_.is_object()) refuse("is not an object");
    const auto found = value_.find(key);
    if (found == value_.end()) refuse(fmt::format("has no \"{}\"", key));
    return {path_, *found, place_.empty() ? key : place_ + "." + key};
}

std::vector<JsonReader> JsonReader::items() const {
    if (!value_.is_array()) refuse("is not a list");
    std::vector<JsonReader> list;
    for (std::size_t k = 0; k < value_.size(); ++k)
        list.emplace_back(path_, value_[k], fmt::format("{}[{}]", place_, k));
    return list;
}

double JsonReader::number() const {
    if (!value_.is_number()) refuse("is not a number");
    return value_.get<double>();
}

Index JsonReader::count() const {
    const bool is_count = value_.is_number_integer() && value_ >= 0;
    if (!is_count || value_.get<double>() > 9e15) refuse("is not a whole number from 0 up");
    return value_.get<Index>();
}

bool JsonReader::flag() const {
    if (!value_.is_boolean()) refuse("is neither true nor false");
    return value_.get<bool>();
}

std::string JsonReader::text() const {
    if (!value_.is_string()) refuse("is not a text");
    return value_.get<std::string>();
}

std::vector<std::string> JsonReader::texts() const {
    std::vector<std::string> list;
    for (const JsonReader& item : items()) list.push_back(item.text());
    return list;
}

std::vector<double> JsonReader::numbers() const {
    std::vector<double> list;
    for (const JsonReader& item : items()) list.push_back(item.number());
    return list;
}

void JsonReader::refuse(const std::string& what) const {
    throw ParseError(fmt::format("{}: the file is damaged: {} {}", path_,
                                 place_.empty() ? "it" : "\"" + place_ + "\"", what));
}

}  // namespace sven::cli
