#include "io/plink.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "io/chunks.hpp"
#include "io/fault.hpp"
#include "io/number.hpp"

namespace sven::io {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view magic = "\x6c\x1b";
constexpr std::size_t header_bytes = 3;

// Calls body(number of the line, its fields) for every line that is not blank. Fields are
// separated by blanks.
template <std::size_t Count, class Body>
void for_each_line(const Source& source, const Body& body) {
    Index number = 0;
    for (const char* at = source.begin(); at != source.end();) {
        const char* const next = next_line(at, source.end());
        ++number;
        std::string_view line(at, static_cast<std::size_t>(next - at));
        at = next;
        std::array<std::string_view, Count> fields;
        std::size_t count = 0;
        for (std::size_t begin = line.find_first_not_of(blanks); begin != std::string_view::npos;
             begin = line.find_first_not_of(blanks)) {
            line.remove_prefix(begin);
            const std::string_view field = line.substr(0, line.find_first_of(blanks));
            if (count < Count) fields[count] = field;
            ++count;
            line.remove_prefix(field.size());
        }
        if (count == 0) continue;
        if (count != Count)
            raise(source.path(), {number, 0,
                                  "the line has " + std::to_string(count) + " fields, not " +
                                      std::to_string(Count)});
        body(number, fields);
    }
}

double phenotype_of(const Source& source, Index line, std::string_view field) {
    double value = 0;
    if (is_missing_word(field)) return missing;
    if (!parse_number(field, value)) raise(source.path(), {line, 6, describe_bad_number(field)});
    return value == -9 ? missing : value;
}

}  // namespace

// Where all phenotypes are 0, 1 and 2, they are controls, cases and unknown ones.
People read_fam(const Source& source) {
    People people;
    for_each_line<6>(source, [&](Index line, const std::array<std::string_view, 6>& fields) {
        people.ids.emplace_back(fields[1]);
        people.phenotypes.push_back(phenotype_of(source, line, fields[5]));
    });
    if (people.ids.empty()) raise(source.path(), {0, 0, "the file names no people"});
    const auto is_one_of = [](double value) {
        return std::isnan(value) || value == 0 || value == 1 || value == 2;
    };
    const auto& known = people.phenotypes;
    const bool are_classes = std::all_of(known.begin(), known.end(), is_one_of) &&
                             std::find(known.begin(), known.end(), 2.0) != known.end();
    for (double& value : people.phenotypes)
        if (are_classes && value == 0) value = missing;
    return people;
}

Variants read_bim(const Source& source) {
    Variants variants;
    for_each_line<6>(source, [&](Index, const std::array<std::string_view, 6>& fields) {
        variants.names.emplace_back(fields[1]);
        // PLINK's word for a variant without a name: its place
        if (fields[1] == ".")
            variants.names.back() = std::string(fields[0]) + ":" + std::string(fields[3]);
        variants.alleles.push_back({std::string(fields[4]), std::string(fields[5])});
    });
    if (variants.names.empty()) raise(source.path(), {0, 0, "the file names no variants"});
    return variants;
}

bool has_bed_magic(const Source& source) {
    return source.text().starts_with(magic);
}

GenotypeView view_of_bed(const Source& bed, Index people, Index variants) {
    if (!has_bed_magic(bed) || bed.size() < header_bytes)
        raise(bed.path(), {0, 0, "this is not a PLINK 1 .bed file: its first bytes are others"});
    if (bed.begin()[2] == 0)
        raise(bed.path(), {0, 0,
                           "the genotypes lie person by person; plink --make-bed writes them "
                           "variant by variant"});
    GenotypeView X;
    X.data = bed.begin() + header_bytes;
    X.people = people;
    X.variants = variants;
    X.stride = (people + 3) / 4;
    const std::size_t wanted =
        header_bytes + static_cast<std::size_t>(X.stride) * static_cast<std::size_t>(variants);
    if (bed.begin()[2] != 1 || bed.size() != wanted)
        raise(bed.path(), {0, 0,
                           "the file has " + std::to_string(bed.size()) + " bytes, but " +
                               std::to_string(people) + " people and " + std::to_string(variants) +
                               " variants take " + std::to_string(wanted)});
    return X;
}

}  // namespace sven::io
