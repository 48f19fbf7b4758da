#include "io/csv_fields.hpp"

#include <algorithm>
#include <string_view>

#include "io/number.hpp"

namespace sven::io {

namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

// One past the quote that closes the one at `first`; the end of the text if there is none.
const char* after_quoted(const char* first, const char* last) {
    const char* at = first + 1;
    for (;;) {
        const void* const quote = std::memchr(at, '"', static_cast<std::size_t>(last - at));
        if (quote == nullptr) return last;
        at = static_cast<const char*>(quote) + 1;
        if (at == last || *at != '"') return at;
        ++at;  // a doubled quote stands for one
    }
}

// The line without what is in quotes.
std::string without_quoted(const char* at, const char* last) {
    std::string text;
    while (at != last) {
        if (*at == '"')
            at = after_quoted(at, last);
        else
            text += *at++;
    }
    return text;
}

// Fields that any number of blanks separate.
Index count_between_blanks(const char* at, const char* last) {
    Index fields = 0;
    while (at != last && *at != '\n' && *at != '\r') {
        if (is_blank(*at)) {
            ++at;
            continue;
        }
        ++fields;
        while (at != last && !is_blank(*at) && *at != '\n' && *at != '\r')
            at = *at == '"' ? after_quoted(at, last) : at + 1;
    }
    return fields;
}

// R's write.table leaves out the name of the row names, so that a row has one field more.
bool has_blanks_for_delimiters(const char* header, const char* last, char comment) {
    const Index names = count_between_blanks(header, last);
    const char* const row = skip_to_row(next_line(header, last), last, {.comment = comment});
    const Index fields = count_between_blanks(row, last);
    return names > 1 && (fields == names || fields == names + 1);
}

}  // namespace

bool ends_row(const char* at, const char* last) {
    return at == last || *at == '\n' || (*at == '\r' && (at + 1 == last || at[1] == '\n'));
}

const char* after_row(const char* at, const char* last) {
    if (at != last && *at == '\r') ++at;
    return at == last ? last : at + 1;
}

const char* skip_byte_order_mark(const Source& source) {
    return source.text().substr(0, 3) == "\xEF\xBB\xBF" ? source.begin() + 3 : source.begin();
}

CsvField read_csv_field(const char* first, const char* last, char delimiter, bool may_span_lines) {
    while (first != last && *first == ' ') ++first;
    CsvField field;
    if (first == last || *first != '"') {
        const char* end = first;
        while (end != last && *end != delimiter && *end != '\n') ++end;
        const bool before_line_end = end == last || *end == '\n';
        if (end != first && end[-1] == '\r' && before_line_end) --end;
        field.text = trimmed({first, static_cast<std::size_t>(end - first)});
        field.end = end;
        return field;
    }
    field.was_quoted = true;
    field.closed = false;
    const char* at = first + 1;
    for (; at != last && (may_span_lines || *at != '\n'); ++at) {
        if (*at != '"') {
            field.text += *at;
        } else if (at + 1 != last && at[1] == '"') {  // a doubled quote stands for one
            field.text += *at++;
        } else {
            field.closed = true;
            ++at;
            break;
        }
    }
    while (at != last && *at == ' ') ++at;
    if (field.closed && !ends_row(at, last) && *at != delimiter) {
        // Text after the closing quote is an error: show it in the message unchanged.
        while (!ends_row(at, last) && *at != delimiter) ++at;
        field.text.assign(first, at);
    }
    field.end = at;
    return field;
}

const char* skip_no_row(const char* at, const char* last, LineRules rules) {
    if (const char* const next = skip_comment(at, last, rules.comment)) return next;
    return rules.skips_blank ? skip_blank_line(at, last) : nullptr;
}

const char* skip_to_row(const char* at, const char* last, LineRules rules) {
    while (at != last) {
        const char* const next = skip_no_row(at, last, rules);
        if (next == nullptr) break;
        at = next;
    }
    return at;
}

const char* next_row(const char* at, const char* last, LineRules rules) {
    if (!rules.rows_span_lines) return next_line(at, last);
    bool begins_field = true;
    while (at != last && *at != '\n') {
        if (*at == '"' && begins_field) {  // elsewhere a quote is a character
            at = after_quoted(at, last);
            begins_field = false;
            continue;
        }
        begins_field = *at == rules.delimiter || (begins_field && *at == ' ');
        ++at;
    }
    return at == last ? last : at + 1;
}

bool has_spanning_quotes(const char* first, const char* last, char delimiter) {
    for (const char* at = first; at != last;) {
        const void* const found = std::memchr(at, '"', static_cast<std::size_t>(last - at));
        if (found == nullptr) return false;
        const auto* const quote = static_cast<const char*>(found);
        const char* before = quote;
        while (before != first && before[-1] == ' ') --before;
        if (before != first && before[-1] != '\n' && before[-1] != delimiter) {
            at = quote + 1;
            continue;
        }
        at = after_quoted(quote, last);
        if (std::memchr(quote, '\n', static_cast<std::size_t>(at - quote)) != nullptr) return true;
    }
    return false;
}

std::vector<Chunk> split_at_rows(const char* begin, const char* end, Parallelism parallelism,
                                 LineRules rules) {
    const auto step =
        static_cast<std::ptrdiff_t>(chunk_step(static_cast<std::size_t>(end - begin), parallelism));
    std::vector<Chunk> chunks;
    for (const char* first = begin; first != end;) {
        const char* last = first;
        while (last != end && last - first < step) {
            const char* const next = skip_no_row(last, end, rules);
            last = next != nullptr ? next : next_row(last, end, rules);
        }
        chunks.push_back({.begin = first, .end = last});
        first = last;
    }
    return chunks;
}

Index count_fields(const char* first, const char* last, char delimiter) {
    for (Index fields = 1;; ++fields) {
        const CsvField field = read_csv_field(first, last, delimiter, true);
        if (ends_row(field.end, last) || !field.closed) return fields;
        first = field.end + 1;
    }
}

char guess_delimiter(const Source& source, char comment, char decimal) {
    const char* const begin =
        skip_to_row(skip_byte_order_mark(source), source.end(), {.comment = comment});
    const std::string header = without_quoted(begin, next_line(begin, source.end()));
    for (const char delimiter : {',', '\t', ';', '|'}) {
        if (delimiter != decimal && header.find(delimiter) != std::string::npos) return delimiter;
    }
    return has_blanks_for_delimiters(begin, source.end(), comment) ? ' ' : ',';
}

std::vector<char> tabs_for_blanks(const Source& source) {
    std::vector<char> text;
    text.reserve(source.size());
    bool has_field = false;  // in this line, before the blanks
    for (const char* at = source.begin(); at != source.end();) {
        if (*at == '"') {
            const char* const end = after_quoted(at, source.end());
            text.insert(text.end(), at, end);
            at = end;
            has_field = true;
        } else if (is_blank(*at)) {
            while (at != source.end() && is_blank(*at)) ++at;
            const bool is_between = has_field && !ends_row(at, source.end());
            if (is_between) text.push_back('\t');
        } else {
            has_field = *at != '\n';
            text.push_back(*at++);
        }
    }
    return text;
}

}  // namespace sven::io
