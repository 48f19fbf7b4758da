// The first byte chooses the file, the rest is its content.
#include "fuzz/fuzz.hpp"
#include "io/plink.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 3) return 0;
    using namespace sven;
    const io::Source source("input", fuzz::bytes_of(data + 3, size - 3));
    try {
        switch (data[0] % 4) {
            case 0: {
                const GenotypeView X = io::view_of_bed(source, data[1], data[2]);
                if (X.stride * X.variants + 3 != static_cast<Index>(source.size()))
                    __builtin_trap();
                break;
            }
            case 1: {
                const io::People people = io::read_fam(source);
                if (people.ids.size() != people.phenotypes.size()) __builtin_trap();
                break;
            }
            case 2: {
                const io::Variants variants = io::read_bim(source);
                if (variants.names.size() != variants.alleles.size()) __builtin_trap();
                break;
            }
            default: {
                const io::PeopleTable table = io::read_people(source);
                for (const auto& column : table.values)
                    if (column.size() != table.ids.size()) __builtin_trap();
            }
        }
    } catch (const ParseError&) {
    }
    return 0;
}
