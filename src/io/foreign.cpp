#include "io/foreign.hpp"

#include <string_view>

#include "io/fault.hpp"

namespace sven::io {

namespace {

struct Kind {
    std::string_view first_bytes;
    const char* name;
    const char* reader;  // of pandas, or nullptr
    const char* advice;  // where there is no such reader
    std::string_view last_bytes = {};
};

using namespace std::string_view_literals;

// Long enough that no header of a table begins this way.

constexpr Kind kinds[] = {
    {"PAR1"sv, "a Parquet file", "read_parquet", nullptr, "PAR1"sv},
    {"ARROW1\0\0"sv, "a Feather file", "read_feather", nullptr},
    {"FEA1"sv, "a Feather file", "read_feather", nullptr, "FEA1"sv},
    {"\xD0\xCF\x11\xE0", "an Excel file", "read_excel", nullptr},
    {"SQLite format 3", "an SQLite database", nullptr,
     "sqlite3 -header -csv FILE \"select * from TABLE\" > data.csv"},
    {"$FL2@(#)", "an SPSS file", "read_spss", nullptr},
    {"<stata_dta>", "a Stata file", "read_stata", nullptr},
    {"RDX3\nX\n"sv, "a file of R", nullptr,
     "in R: load(\"FILE\"), then write.csv(NAME, \"data.csv\", row.names = FALSE)"},
    {"X\n\0\0"sv, "a file of R", nullptr,
     "Rscript -e 'write.csv(readRDS(\"FILE\"), \"data.csv\", row.names = FALSE)'"},
    {"BZh91AY&SY", "packed by bzip2", nullptr, "bunzip2 -k FILE"},
    {"\xFD\x37zXZ", "packed by xz", nullptr, "unxz -k FILE"},
    {"\x28\xB5\x2F\xFD", "packed by zstd", nullptr, "unzstd FILE"},
    {"7z\xBC\xAF", "packed by 7-Zip", nullptr, "7z x FILE"},
};

std::string with_path(std::string text, const std::string& path) {
    if (const std::size_t at = text.find("FILE"); at != std::string::npos)
        text.replace(at, 4, path);
    return text;
}

[[noreturn]] void refuse(const Source& source, const std::string& name, const std::string& line) {
    raise(source.path(), {0, 0, "this is " + name + "; convert it first: " + line});
}

std::string pandas_line(const std::string& reader, const std::string& path) {
    return "python3 -c \"import pandas; pandas." + reader + "('" + path +
           "').to_csv('data.csv', index=False)\"";
}

// A workbook is a zip archive whose first member describes the content.
bool is_workbook(std::string_view text) {
    return text.size() > 64 && text.substr(0, 4) == "PK\x03\x04" &&
           (text.substr(30, 19) == "[Content_Types].xml" || text.substr(30, 6) == "_rels/" ||
            text.substr(30, 8) == "docProps" || text.substr(30, 3) == "xl/");
}

// With a byte order mark, or without one: every other byte of a Latin text is then zero.
bool is_utf16(std::string_view text) {
    if (text.substr(0, 2) == "\xFF\xFE" || text.substr(0, 2) == "\xFE\xFF") return true;
    if (text.size() < 4) return false;
    const auto is_pair = [&](std::size_t at, std::size_t zero) {
        return text[at + zero] == '\0' && text[at + 1 - zero] >= ' ' && text[at + 1 - zero] < 0x7f;
    };
    return (is_pair(0, 0) && is_pair(2, 0)) || (is_pair(0, 1) && is_pair(2, 1));
}

// The number of bytes that follow the first one of a character; -1 if none begins so.
int bytes_after(unsigned char first) {
    if (first < 0x80) return 0;
    if (first >= 0xC2 && first <= 0xDF) return 1;
    if (first >= 0xE0 && first <= 0xEF) return 2;
    return first >= 0xF0 && first <= 0xF4 ? 3 : -1;
}

// The shortest form of a character that there is: neither longer than needed, nor a surrogate, nor
// beyond the last one. The second byte tells.
bool may_follow(unsigned char first, unsigned char second) {
    if (first == 0xE0) return second >= 0xA0;
    if (first == 0xED) return second < 0xA0;
    if (first == 0xF0) return second >= 0x90;
    return first != 0xF4 || second < 0x90;
}

bool is_utf8(std::string_view text) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    for (std::size_t at = 0; at < text.size(); ++at) {
        const unsigned char first = byte(at);
        const int more = bytes_after(first);
        if (more < 0 || at + static_cast<std::size_t>(more) >= text.size()) return false;
        if (more > 0 && !may_follow(first, byte(at + 1))) return false;
        for (int k = 0; k < more; ++k)
            if ((byte(++at) & 0xC0) != 0x80) return false;
    }
    return true;
}

}  // namespace

void refuse_other_encoding(const Source& source, std::string_view text) {
    if (is_utf8(text)) return;
    refuse(source, "no text in UTF-8",
           with_path("iconv -f LATIN1 -t UTF-8 FILE > data.csv", source.path()));
}

void refuse_foreign(const Source& source) {
    const std::string_view text = source.text();
    const std::string& path = source.path();
    for (const Kind& kind : kinds) {
        if (!text.starts_with(kind.first_bytes) || !text.ends_with(kind.last_bytes)) continue;
        refuse(
            source, kind.name,
            kind.reader != nullptr ? pandas_line(kind.reader, path) : with_path(kind.advice, path));
    }
    if (is_workbook(text)) refuse(source, "an Excel file", pandas_line("read_excel", path));
    if (is_utf16(text))
        refuse(source, "text in UTF-16",
               with_path("iconv -f UTF-16 -t UTF-8 FILE > data.csv", path));
}

}  // namespace sven::io
