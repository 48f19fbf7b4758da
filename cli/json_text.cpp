#include "cli/json_text.hpp"

#include <algorithm>

namespace sven::cli {

namespace {

std::string on_one_line(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Lists of numbers, and flat objects within a list, take one line each, so that a path is readable
// and `diff` can compare it.
void write(const Json& value, std::size_t depth, std::string& text) {
    const bool is_flat = std::none_of(value.begin(), value.end(),
                                      [](const Json& item) { return item.is_structured(); });
    if (!value.is_structured() || value.empty() || (value.is_array() && is_flat)) {
        text += on_one_line(value);
        return;
    }
    const std::string indent(2 * depth + 2, ' ');
    text += value.is_object() ? "{\n" : "[\n";
    bool is_first = true;
    for (const auto& item : value.items()) {
        if (!is_first) text += ",\n";
        is_first = false;
        text += indent;
        if (value.is_object()) text += on_one_line(Json(item.key())) + ": ";
        const bool is_row = value.is_array() && item.value().is_object() &&
                            std::none_of(item.value().begin(), item.value().end(),
                                         [](const Json& inner) { return inner.is_structured(); });
        if (is_row)
            text += on_one_line(item.value());
        else
            write(item.value(), depth + 1, text);
    }
    text += '\n';
    text.append(2 * depth, ' ');
    text += value.is_object() ? '}' : ']';
}

}  // namespace

std::string text_of(const Json& document) {
    std::string text;
    write(document, 0, text);
    return text + "\n";
}

}  // namespace sven::cli
