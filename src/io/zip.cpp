#include "io/zip.hpp"

#include <zlib.h>

#include <string_view>
#include <vector>

#include "io/fault.hpp"
#include "io/inflate.hpp"

namespace sven::io {

namespace {

constexpr std::string_view local_magic = "PK\x03\x04";
constexpr std::string_view entry_magic = "PK\x01\x02";
constexpr std::string_view end_magic = "PK\x05\x06";
constexpr std::string_view large_end_magic = "PK\x06\x06";
constexpr std::string_view large_locator_magic = "PK\x06\x07";
constexpr std::size_t end_size = 22;
constexpr std::size_t locator_size = 20;
constexpr std::size_t entry_size = 46;
constexpr std::size_t local_size = 30;
constexpr std::size_t large = 0xffffffff;  // the number is stored elsewhere

}  // namespace

bool has_zip_magic(const Source& source) {
    return source.text().substr(0, local_magic.size()) == local_magic;
}

ZipArchive::ZipArchive(const Source& source) : source_(source) {
    for (std::size_t at = find_directory(); source_.text().substr(at, 4) == entry_magic;)
        at = read_entry(at);
}

void ZipArchive::damaged() const {
    raise(source_.path(), {0, 0, "the zip archive is damaged"});
}

std::size_t ZipArchive::number(std::size_t at, std::size_t width) const {
    const std::string_view text = source_.text();
    if (at > text.size() || width > text.size() - at) damaged();
    std::size_t value = 0;
    for (std::size_t k = width; k-- > 0;)
        value = value << 8U | static_cast<unsigned char>(text[at + k]);
    return value;
}

std::size_t ZipArchive::find_directory() const {
    const std::string_view text = source_.text();
    const std::size_t end = text.rfind(end_magic);
    if (end == std::string_view::npos || text.size() - end < end_size) damaged();
    std::size_t directory = number(end + 16, 4);
    if (directory == large && end >= locator_size &&
        text.substr(end - locator_size, 4) == large_locator_magic) {
        const std::size_t large_end = number(end - locator_size + 8, 8);
        if (large_end > text.size() || text.substr(large_end, 4) != large_end_magic) damaged();
        directory = number(large_end + 48, 8);
    }
    if (directory > text.size()) damaged();
    return directory;
}

std::size_t ZipArchive::read_entry(std::size_t at) {
    Member member;
    member.method = static_cast<unsigned>(number(at + 10, 2));
    member.checksum = number(at + 16, 4);
    member.packed = number(at + 20, 4);
    member.size = number(at + 24, 4);
    member.offset = number(at + 42, 4);
    const std::size_t name_size = number(at + 28, 2);
    const std::size_t extra_size = number(at + 30, 2);
    const std::size_t comment_size = number(at + 32, 2);
    const std::size_t name_at = at + entry_size;
    const std::size_t end = name_at + name_size + extra_size + comment_size;
    if (end > source_.size()) damaged();
    const std::string name(source_.text().substr(name_at, name_size));
    read_large_sizes(name_at + name_size, name_at + name_size + extra_size, member);
    members_[name] = member;
    return end;
}

void ZipArchive::read_large_sizes(std::size_t at, std::size_t end, Member& member) const {
    while (at + 4 <= end) {
        const std::size_t kind = number(at, 2);
        const std::size_t length = number(at + 2, 2);
        at += 4;
        if (kind == 1) {
            std::size_t field = at;
            for (std::size_t* const value : {&member.size, &member.packed, &member.offset}) {
                if (*value != large || field + 8 > end) continue;
                *value = number(field, 8);
                field += 8;
            }
        }
        at += length;
    }
}

std::unique_ptr<Source> ZipArchive::open(const std::string& name) const {
    const auto found = members_.find(name);
    if (found == members_.end())
        raise(source_.path(), {0, 0, "the archive has no member " + in_quotes(name)});
    const Member& member = found->second;
    const std::string_view text = source_.text();
    if (member.offset > text.size() || text.substr(member.offset, 4) != local_magic) damaged();
    const std::size_t begin =
        member.offset + local_size + number(member.offset + 26, 2) + number(member.offset + 28, 2);
    if (begin > text.size() || member.packed > text.size() - begin) damaged();
    const std::string_view packed = text.substr(begin, member.packed);
    constexpr unsigned stored = 0;
    constexpr unsigned deflated = 8;
    if (member.method != stored && member.method != deflated)
        raise(source_.path(), {0, 0, "the archive is packed in a way that is not read"});
    std::vector<char> bytes = member.method == stored
                                  ? std::vector<char>(packed.begin(), packed.end())
                                  : inflate_raw(source_.path(), packed, member.size);
    const auto checksum = ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    if (checksum != member.checksum) damaged();
    return std::make_unique<Source>(source_.path() + " (" + name + ")", std::move(bytes));
}

}  // namespace sven::io
