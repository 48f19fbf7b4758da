#include "io/hdf5.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "io/fault.hpp"
#include "io/hdf5_matrix.hpp"
#include "io/tuning.hpp"

namespace sven::io {

bool has_hdf5() {
    return true;
}

namespace {

Hdf5Place place_of(const std::string& path) {
    return hdf5_place(path).value_or(Hdf5Place{path, {}});
}

std::vector<double> numbers_of(const Hdf5Array& array) {
    const std::vector<Index>& sizes = array.sizes();
    const auto is_more = [](Index size) { return size > 1; };
    if (sizes.empty() || std::count_if(sizes.begin(), sizes.end(), is_more) > 1)
        array.fail("is a " + array.shape() + " array, where a vector is needed");
    Index count = 1;
    for (const Index size : sizes) count *= size;
    std::vector<double> values(static_cast<std::size_t>(count));
    array.read(std::vector<Index>(sizes.size()), sizes, values.data());
    return values;
}

// The numbers beside the rows that an option names; empty where none does.
std::vector<double> beside_rows(const std::string& path, const std::optional<std::string>& name,
                                Index rows) {
    if (!name) return {};
    const Hdf5Array array(path, *name);
    std::vector<double> values = numbers_of(array);
    if (static_cast<Index>(values.size()) != rows)
        array.fail("has " + std::to_string(values.size()) +
                   (values.size() == 1 ? " number" : " numbers") + ", but the matrix has " +
                   std::to_string(rows) + (rows == 1 ? " row" : " rows"));
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!std::isfinite(values[i]))
            array.fail("has a value in row " + std::to_string(i) + " that is not finite");
    return values;
}

void refuse_what_needs_a_table(const std::string& path, const ReadOptions& options) {
    const char* what = nullptr;
    if (options.one_hot || !options.dates.empty()) what = "texts and dates are";
    if (options.drop_missing || options.impute_mean) what = "missing values are";
    if (!options.drop.empty()) what = "columns to drop are";
    if (options.id_column) what = "row names are";
    if (options.failures_column) what = "two columns of counts are";
    if (options.parts > 1) what = "parts of the rows are";
    if (what != nullptr) raise(path, {0, 0, std::string(what) + " not read from an HDF5 file"});
}

// The matrix where it lies in the mapped file.
bool map_matrix(const Hdf5Array& array, DenseView view, Dataset& data) {
    const std::size_t size = array.is_float32() ? sizeof(float) : sizeof(double);
    const auto source = std::make_shared<const Source>(array.path());
    if (!array.place() || *array.place() % size != 0) return false;
    const auto count = static_cast<std::size_t>(view.rows) * static_cast<std::size_t>(view.cols);
    if (*array.place() > source->size() || count > (source->size() - *array.place()) / size)
        array.fail("goes beyond the end of the file");
    view.data = source->begin() + *array.place();
    data.X = view;
    data.storage = source;
    return true;
}

template <class Number>
void load_matrix(const Hdf5Array& array, DenseView view, Dataset& data) {
    const auto numbers =
        std::make_shared<std::vector<Number>>(static_cast<std::size_t>(view.rows * view.cols));
    if constexpr (std::is_same_v<Number, float>)
        array.read(numbers->data());
    else
        array.read({0, 0}, array.sizes(), numbers->data());
    view.data = numbers->data();
    data.X = view;
    data.storage = numbers;
}

void take_response(const std::string& path, const ReadOptions& options, Index rows, Dataset& data) {
    try {
        data.y = beside_rows(path, options.target, rows);
        data.target_name = options.target.value_or("");
    } catch (const ParseError&) {
        if (options.needs_target) throw;
    }
}

// Features lie in the rows of the array where it is transposed.
DenseView shape_of(const Hdf5Array& array, bool is_transposed) {
    DenseView view;
    view.scalar = array.is_float32() ? Scalar::float32 : Scalar::float64;
    view.rows = array.sizes()[is_transposed ? 1 : 0];
    view.cols = array.sizes()[is_transposed ? 0 : 1];
    view.layout = is_transposed ? Layout::column_major : Layout::row_major;
    view.stride = array.sizes()[1];
    return view;
}

}  // namespace

Dataset read_hdf5(const std::string& path, const ReadOptions& options) {
    const Hdf5Place place = place_of(path);
    (void)Source(place.file);  // where there is none, that is said
    refuse_what_needs_a_table(place.file, options);
    const auto array = std::make_shared<const Hdf5Array>(place.file, place.array);
    if (array->sizes().size() != 2)
        array->fail("is a " + array->shape() + " array, where a matrix is needed");
    const DenseView view = shape_of(*array, options.transpose);
    if (view.rows == 0 || view.cols == 0) array->fail("is empty (" + array->shape() + ")");
    Dataset data;
    const Index limit = options.load_limit > 0 ? options.load_limit : default_load_limit;
    const Index entry = array->is_float32() ? sizeof(float) : sizeof(double);
    if (map_matrix(*array, view, data)) {
        // where it lies
    } else if (view.rows > limit / entry / view.cols) {
        data.X =
            std::make_shared<const Hdf5Matrix>(array, options.transpose, limit / fewest_blocks);
    } else if (array->is_float32()) {
        load_matrix<float>(*array, view, data);
    } else {
        load_matrix<double>(*array, view, data);
    }
    if (options.has_response) take_response(place.file, options, view.rows, data);
    data.weights = beside_rows(place.file, options.weights_column, view.rows);
    data.folds = beside_rows(place.file, options.fold_column, view.rows);
    data.offset = beside_rows(place.file, options.offset_column, view.rows);
    return data;
}

std::vector<double> read_hdf5_vector(const std::string& path) {
    const Hdf5Place place = place_of(path);
    (void)Source(place.file);
    if (place.array.empty())
        raise(place.file,
              {0, 0, "name the array that holds the numbers, as " + place.file + ":/NAME"});
    return numbers_of(Hdf5Array(place.file, place.array));
}

}  // namespace sven::io
