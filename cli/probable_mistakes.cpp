#include "cli/probable_mistakes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <span>
#include <unordered_set>

#include "cli/csv_text.hpp"

namespace sven::cli {

namespace {

// Fewer rows than this may be constant or consecutive numbers by chance, as in small examples.
constexpr Index fewest_rows = 20;

bool is_constant(std::span<const double> column) {
    return std::all_of(column.begin(), column.end(),
                       [&](double value) { return value == column.front(); });
}

// The number of rows that differ from the value of all others, if they are fewer than three or
// below one in a hundred; 0 if there is no such value. More than twice as many rows show which it
// can be, and most columns are looked at no further.
Index rows_off_constant(std::span<const double> column) {
    const std::size_t most = std::max<std::size_t>(2, (column.size() - 1) / 100);
    double common = 0;
    Index votes = 0;
    for (const double value : column.first(2 * most + 1)) {
        if (votes == 0) common = value;
        votes += value == common ? 1 : -1;
    }
    std::size_t others = 0;
    for (std::size_t i = 0; i < column.size() && others <= most; ++i)
        others += column[i] != common ? 1 : 0;
    return others <= most ? static_cast<Index>(others) : 0;
}

// 1, 2, 3, ...: the number of the row, or of the column.
bool counts_rows(std::span<const double> column) {
    for (std::size_t i = 1; i < column.size(); ++i)
        if (column[i] != column[i - 1] + 1) return false;
    return true;
}

// 20240131: as a number it has gaps at the end of each month. One value that is no date decides.
bool holds_dates(std::span<const double> column) {
    return std::all_of(column.begin(), column.end(), [](double value) {
        if (!(value >= 19000101 && value <= 21001231) || value != std::floor(value)) return false;
        const auto date = static_cast<long>(value);
        const long month = date / 100 % 100;
        const long day = date % 100;
        return month >= 1 && month <= 12 && day >= 1 && day <= 31;
    });
}

bool has_two_values(std::span<const double> values) {
    const auto ends = std::minmax_element(values.begin(), values.end());
    const double least = *ends.first;
    const double largest = *ends.second;
    return least < largest && std::all_of(values.begin(), values.end(), [&](double value) {
               return value == least || value == largest;
           });
}

// "id", "patient_id", "CustomerID", "row.id": by its name alone, so that counts and codes are left
// in peace.
bool is_called_identifier(const std::string& name) {
    if (name.size() < 2) return false;
    const std::string end = name.substr(name.size() - 2);
    if (end != "id" && end != "ID" && end != "Id") return false;
    if (name.size() == 2) return true;
    const char before = name[name.size() - 3];
    const bool is_word = std::isalpha(static_cast<unsigned char>(before)) == 0;
    return is_word || (end != "id" && std::islower(static_cast<unsigned char>(before)) != 0);
}

// Whole numbers of which none repeats.
bool numbers_each_row(std::span<const double> column) {
    std::vector<double> sorted(column.begin(), column.end());
    std::sort(sorted.begin(), sorted.end());
    return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end() &&
           std::all_of(sorted.begin(), sorted.end(),
                       [](double value) { return value == std::floor(value); });
}

bool is_identifier(const std::string& name, std::span<const double> column) {
    return counts_rows(column) || (is_called_identifier(name) && numbers_each_row(column));
}

// A sentence about one column, or the same about several.
std::string sentence(const std::vector<std::string>& names, const std::string& of_one,
                     const std::string& of_several) {
    const bool is_one = names.size() == 1;
    return fmt::format("the {} {} {}", is_one ? "column" : "columns", first_few(names),
                       is_one ? of_one : of_several);
}

struct Suspects {
    std::vector<std::string> constant;
    std::vector<std::string> nearly_constant;
    Index rows_off = 0;  // of the last one of these
    std::vector<std::string> identifiers;
    std::vector<std::string> dates;
};

// 0/1 features of texts: of rare ones most rows are 0, and that is no mistake.
std::unordered_set<std::string> derived_features(const io::Dataset& table) {
    std::unordered_set<std::string> names;
    for (const io::Encoding::Levels& text : table.encoding.one_hot)
        for (const std::string& level : text.levels) names.insert(text.column + "=" + level);
    return names;
}

Suspects look_at(const LoadedData& data) {
    Suspects found;
    const bool is_named = !data.table.feature_names.empty();
    const std::unordered_set<std::string> derived = derived_features(data.table);
    const auto* const X = std::get_if<DenseView>(&data.table.X);
    if (X == nullptr || X->layout != Layout::column_major || X->scalar != Scalar::float64 ||
        X->rows < fewest_rows)
        return found;
    for (Index j = 0; j < X->cols; ++j) {
        const std::span<const double> column(static_cast<const double*>(X->data) + j * X->stride,
                                             static_cast<std::size_t>(X->rows));
        const std::string name = io::feature_name(data.table, j);
        if (is_constant(column)) {
            found.constant.push_back(name);
        } else if (is_identifier(name, column)) {
            found.identifiers.push_back(name);
        } else if (holds_dates(column)) {
            found.dates.push_back(name);
        } else if (const Index off = is_named ? rows_off_constant(column) : 0;
                   off > 0 && !derived.contains(name)) {
            found.nearly_constant.push_back(name);
            found.rows_off = off;
        }
    }
    return found;
}

// Columns of which most rows have a text of their own.
std::vector<std::string> columns_of_distinct_texts(const LoadedData& data) {
    std::vector<std::string> names;
    for (const io::Encoding::Levels& text : data.table.encoding.one_hot)
        if (data.rows() >= fewest_rows && 2 * static_cast<Index>(text.levels.size()) > data.rows())
            names.push_back(text.column);
    return names;
}

const char* best_error(Measure measure) {
    return measure == Measure::auc ? "largest area" : "least error";
}

}  // namespace

std::vector<std::string> probable_mistakes(const LoadedData& data, Family family) {
    std::vector<std::string> sentences;
    const Suspects found = look_at(data);
    if (!found.constant.empty())
        sentences.push_back(sentence(found.constant, "is constant and cannot be selected",
                                     "are constant and cannot be selected"));
    if (!found.nearly_constant.empty())
        sentences.push_back(sentence(found.nearly_constant,
                                     fmt::format("is constant but for {} {}", found.rows_off,
                                                 found.rows_off == 1 ? "row" : "rows"),
                                     "are constant but for a few rows"));
    if (!found.identifiers.empty())
        sentences.push_back(
            sentence(found.identifiers,
                     "is a feature but numbers the rows; --id or --drop would set it aside",
                     "are features but number the rows; --id or --drop would set them aside"));
    if (!found.dates.empty())
        sentences.push_back(sentence(
            found.dates, "is taken as plain numbers but looks like dates; --date would read them",
            "are taken as plain numbers but look like dates; --date would read them"));
    const std::vector<std::string> distinct = columns_of_distinct_texts(data);
    if (!distinct.empty())
        sentences.push_back(sentence(distinct,
                                     "is text that hardly repeats, an identifier or dates; --id, "
                                     "--drop or --date would set it aside",
                                     "are texts that hardly repeat, identifiers or dates; --id, "
                                     "--drop or --date would set them aside"));
    if (family == Family::gaussian && data.rows() >= fewest_rows && has_two_values(data.y))
        sentences.emplace_back(
            "the target has two values only: least squares fits it as any number, --family "
            "binomial "
            "as a class");
    return sentences;
}

std::string numbers_as_names(const io::Dataset& table) {
    std::vector<std::string> names = table.feature_names;
    if (!table.target_name.empty()) names.push_back(table.target_name);
    names.insert(names.end(), table.ignored.begin(), table.ignored.end());
    std::vector<double> numbers;
    for (const std::string& name : names) {
        if (name.find_first_not_of("0123456789 ") != std::string::npos) return {};
        numbers.push_back(std::strtod(name.c_str(), nullptr));
    }
    std::sort(numbers.begin(), numbers.end());
    if (numbers.empty() || counts_rows(numbers)) return {};
    return "the first row was taken for the names of the columns, which are numbers: " +
           first_few(names);
}

std::string end_of_grid(const CvCurve& curve, Measure measure) {
    const auto last = static_cast<Index>(curve.lambda.size()) - 1;
    if (last < 1 || curve.best != last || !(curve.lambda[last] > 0)) return {};
    return fmt::format(
        "the {} is at the smallest lambda of the grid; a smaller --lambda-min-ratio looks further",
        best_error(measure));
}

std::string nothing_predicts(const CvCurve& curve, Measure measure, bool is_mean) {
    if (curve.lambda.size() < 2 || curve.best != 0 || !curve.path[0].coefficients.empty())
        return {};
    return fmt::format(
        "no feature {}: the {} is at the largest lambda of the grid, where none is selected",
        is_mean ? "predicts better than the mean" : "improves the prediction", best_error(measure));
}

}  // namespace sven::cli
