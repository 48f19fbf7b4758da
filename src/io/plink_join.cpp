// Genotypes, the phenotypes and the covariates of the same people.

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "io/fault.hpp"
#include "io/plink.hpp"
#include "io/tuning.hpp"

namespace sven::io {

namespace {

// What the view of a joined file points into.
struct Storage {
    std::shared_ptr<const Source> bed;
    std::vector<Index> selection;
    std::vector<double> covariates;  // column-major, of the selected people
};

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t k = 0; k < std::min(names.size(), listed_names); ++k)
        text += (k > 0 ? ", " : "") + printable(names[k]);
    return text + (names.size() > listed_names ? ", ..." : "");
}

std::string counted(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " person" : " people");
}

// The line of each person in a table, -1: none. Remarks name the differences.
std::vector<Index> lines_of(const PeopleTable& table, const std::vector<std::string>& ids,
                            Dataset& data) {
    std::unordered_map<std::string_view, Index> places;
    for (std::size_t k = 0; k < table.ids.size(); ++k)
        places.emplace(table.ids[k], static_cast<Index>(k));
    std::vector<Index> lines;
    std::vector<std::string> absent;
    for (const std::string& id : ids) {
        const auto found = places.find(id);
        lines.push_back(found == places.end() ? -1 : found->second);
        if (found == places.end()) absent.push_back(id);
    }
    if (absent.size() == ids.size())
        raise(table.path,
              {0, 0,
               "none of its people is in the .fam file, which begins with " + in_quotes(ids[0])});
    const std::size_t others = table.ids.size() - (ids.size() - absent.size());
    if (!absent.empty())
        data.remarks.push_back(counted(absent.size()) + " of the .fam file not in " + table.path +
                               ", left out: " + listed(absent));
    if (others > 0) {
        const std::unordered_map<std::string_view, Index> known = [&] {
            std::unordered_map<std::string_view, Index> all;
            for (const std::string& id : ids) all.emplace(id, 0);
            return all;
        }();
        std::vector<std::string> unknown;
        for (const std::string& id : table.ids)
            if (!known.contains(id)) unknown.push_back(id);
        data.remarks.push_back(counted(unknown.size()) + " of " + table.path +
                               " not in the .fam file: " + listed(unknown));
    }
    return lines;
}

void refuse_repeated(const std::string& path, const std::vector<std::string>& ids) {
    std::unordered_map<std::string_view, Index> seen;
    for (const std::string& id : ids)
        if (!seen.emplace(id, 0).second)
            raise(
                path,
                {0, 0, in_quotes(id) + " is there twice, so that people of a table are not found"});
}

std::size_t phenotype_column(const PeopleTable& table, const ReadOptions& options) {
    const auto& names = table.columns;
    if (options.phenotype_name) {
        const auto found = std::find(names.begin(), names.end(), *options.phenotype_name);
        if (found == names.end())
            raise(table.path, {0, 0,
                               "there is no column " + in_quotes(*options.phenotype_name) +
                                   " among " + listed(names)});
        return static_cast<std::size_t>(found - names.begin());
    }
    if (names.size() != 1)
        raise(table.path, {0, 0,
                           "the phenotype may be any of " + std::to_string(names.size()) +
                               " columns; name it: " + listed(names)});
    return 0;
}

// The response of every person, NaN if missing; empty if none is wanted.
std::vector<double> responses(const People& people, const ReadOptions& options, Dataset& data) {
    if (!options.has_response) return {};
    if (!options.phenotypes) {
        data.target_name.assign("phenotype");
        return people.phenotypes;
    }
    const PeopleTable table = read_people(Source(*options.phenotypes));
    const std::size_t column = phenotype_column(table, options);
    data.target_name = table.columns[column];
    std::vector<double> y;
    for (const Index line : lines_of(table, people.ids, data)) {
        const double value = line < 0 ? std::nan("") : table.values[column][line];
        y.push_back(value == -9 ? std::nan("") : value);
    }
    return y;
}

// Removes who lacks a value, and says who that is.
void keep_known(const std::vector<char>& is_known, const char* what,
                const std::vector<std::string>& ids, std::vector<char>& is_kept, Dataset& data) {
    std::vector<std::string> lost;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (is_kept[i] == 0 || is_known[i] != 0) continue;
        is_kept[i] = 0;
        lost.push_back(ids[i]);
    }
    if (!lost.empty())
        data.remarks.push_back(counted(lost.size()) + " without " + what +
                               ", left out: " + listed(lost));
}

struct Covariates {
    PeopleTable table;
    std::vector<Index> lines;  // of every person
};

// Takes part of the covariates of the people that are kept.
void join_covariates(const Covariates& covariates, Storage& storage, Dataset& data) {
    for (std::size_t k = 0; k < covariates.table.columns.size(); ++k) {
        data.feature_names.push_back(covariates.table.columns[k]);
        for (const Index person : storage.selection)
            storage.covariates.push_back(covariates.table.values[k][covariates.lines[person]]);
    }
    data.covariates = static_cast<Index>(covariates.table.columns.size());
}

void select(const std::vector<char>& is_kept, Storage& storage, GenotypeView& X) {
    for (std::size_t i = 0; i < is_kept.size(); ++i)
        if (is_kept[i] != 0) storage.selection.push_back(static_cast<Index>(i));
    X.selected = static_cast<Index>(storage.selection.size());
    if (X.selected < X.people) X.selection = storage.selection.data();
}

std::string beside(const std::string& bed, const char* ending) {
    return bed.substr(0, bed.size() - (bed.ends_with(".bed") ? 4 : 0)) + ending;
}

}  // namespace

Dataset read_plink(const std::shared_ptr<const Source>& bed, const ReadOptions& options) {
    Dataset data;
    const Source fam(beside(bed->path(), ".fam"));
    People people = read_fam(fam);
    Variants variants = read_bim(Source(beside(bed->path(), ".bim")));
    GenotypeView X = view_of_bed(*bed, static_cast<Index>(people.ids.size()),
                                 static_cast<Index>(variants.names.size()));
    X.counted = options.counted_allele;
    if (options.phenotypes || options.covariates) refuse_repeated(fam.path(), people.ids);
    data.feature_names = std::move(variants.names);
    data.alleles = std::move(variants.alleles);
    if (options.counted_allele == Allele::a2)
        for (Alleles& pair : data.alleles) std::swap(pair.counted, pair.other);

    std::vector<char> is_kept(people.ids.size(), 1);
    const std::vector<double> y = responses(people, options, data);
    if (!y.empty() && !options.target_may_be_missing) {
        std::vector<char> is_known;
        is_known.reserve(y.size());
        for (const double value : y) is_known.push_back(std::isnan(value) ? 0 : 1);
        keep_known(is_known, "a phenotype", people.ids, is_kept, data);
    }
    Covariates covariates;
    if (options.covariates) {
        covariates.table = read_people(Source(*options.covariates));
        covariates.lines = lines_of(covariates.table, people.ids, data);
        std::vector<char> is_known;
        for (const Index line : covariates.lines)
            is_known.push_back(line >= 0 && std::none_of(covariates.table.values.begin(),
                                                         covariates.table.values.end(),
                                                         [&](const std::vector<double>& column) {
                                                             return std::isnan(column[line]);
                                                         })
                                   ? 1
                                   : 0);
        keep_known(is_known, "all covariates", people.ids, is_kept, data);
    }
    auto storage = std::make_shared<Storage>();
    storage->bed = bed;
    select(is_kept, *storage, X);
    if (X.selected == 0) raise(bed->path(), {0, 0, "no people are left"});
    if (options.covariates) join_covariates(covariates, *storage, data);
    X.beside = column_major(storage->covariates.data(), X.selected, data.covariates);
    for (const Index person : storage->selection) {
        data.row_names.push_back(std::move(people.ids[person]));
        if (!y.empty()) data.y.push_back(y[person]);
    }
    data.X = X;
    data.storage = std::move(storage);
    return data;
}

}  // namespace sven::io
