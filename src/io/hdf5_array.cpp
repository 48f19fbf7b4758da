#include "io/hdf5_array.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "io/fault.hpp"
#include "io/source.hpp"
#include "io/tuning.hpp"

namespace sven::io {

namespace {

constexpr unsigned read_only = 0;  // H5F_ACC_RDONLY, as which the header calls the library

std::vector<Index> sizes_of(hid_t space) {
    const int order = std::max(0, hdf5().s_order(space));
    std::vector<hsize_t> sizes(static_cast<std::size_t>(order) + 1);
    hdf5().s_sizes(space, sizes.data(), nullptr);
    return {sizes.begin(), sizes.end() - 1};
}

std::vector<hsize_t> unsigned_of(const std::vector<Index>& numbers) {
    return {numbers.begin(), numbers.end()};
}

Hdf5Handle open_array(hid_t file, const std::string& name, hid_t access = H5P_DEFAULT) {
    return {hdf5().d_open(file, name.c_str(), access), hdf5().d_close};
}

bool is_number(hid_t array) {
    const Hdf5Handle type(hdf5().d_type(array), hdf5().t_close);
    const H5T_class_t kind = hdf5().t_class(type.id());
    return kind == H5T_FLOAT || kind == H5T_INTEGER || kind == H5T_ENUM;  // h5py's truth values
}

// The arrays of a file by their names.
std::vector<std::string> names_in(hid_t file) {
    std::vector<std::string> links;
    const auto keep = [](hid_t, const char* name, const H5L_info_t*, void* known) -> herr_t {
        static_cast<std::vector<std::string>*>(known)->emplace_back(name);
        return 0;
    };
    hdf5().l_visit(file, H5_INDEX_NAME, H5_ITER_INC, keep, &links);
    std::erase_if(links,
                  [&](const std::string& name) { return !open_array(file, name).is_valid(); });
    return links;
}

std::string listed(const std::vector<std::string>& names) {
    if (names.empty()) return "it has no arrays";
    std::string text = "it has ";
    for (std::size_t k = 0; k < std::min(names.size(), listed_names); ++k)
        text += (k > 0 ? ", " : "") + printable(names[k]);
    return text + (names.size() > listed_names ? ", ..." : "");
}

// The only matrix of numbers, or what to say.
std::string only_matrix(const std::string& path, hid_t file) {
    const std::vector<std::string> names = names_in(file);
    std::vector<std::string> matrices;
    for (const std::string& name : names) {
        const Hdf5Handle array = open_array(file, name);
        const Hdf5Handle space(hdf5().d_space(array.id()), hdf5().s_close);
        if (is_number(array.id()) && sizes_of(space.id()).size() == 2) matrices.push_back(name);
    }
    if (matrices.size() == 1) return matrices.front();
    const std::string example = path + ":/" + (matrices.empty() ? "NAME" : matrices.front());
    raise(path,
          {0, 0, "name the array that holds the matrix, as " + example + ": " + listed(names)});
}

}  // namespace

Hdf5Array::Hdf5Array(const std::string& path, const std::string& name) : path_(path) {
    const std::lock_guard lock(hdf5_mutex());
    file_ = Hdf5Handle(hdf5().f_open(path.c_str(), read_only, H5P_DEFAULT), hdf5().f_close);
    if (!file_.is_valid())
        raise(path, {0, 0, "this is not an HDF5 file that can be read: " + hdf5_complaint()});
    open(name.empty() ? only_matrix(path, file_.id()) : name);
    look_at_storage();
    keep_chunks();
}

Hdf5Array::~Hdf5Array() {
    const std::lock_guard lock(hdf5_mutex());
    array_ = {};
    file_ = {};
}

void Hdf5Array::open(const std::string& name) {
    name_ = name;
    array_ = open_array(file_.id(), name);
    if (!array_.is_valid())
        raise(path_,
              {0, 0, "there is no array " + in_quotes(name) + "; " + listed(names_in(file_.id()))});
    if (!is_number(array_.id())) fail("is not of numbers");
    const Hdf5Handle space(hdf5().d_space(array_.id()), hdf5().s_close);
    sizes_ = sizes_of(space.id());
    const Hdf5Handle type(hdf5().d_type(array_.id()), hdf5().t_close);
    is_float32_ = hdf5().t_equal(type.id(), hdf5().float32) > 0;
    is_native_ = is_float32_ || hdf5().t_equal(type.id(), hdf5().float64) > 0;
}

void Hdf5Array::look_at_storage() {
    const Hdf5Handle list(hdf5().d_create_list(array_.id()), hdf5().p_close);
    const H5D_layout_t layout = hdf5().p_layout(list.id());
    if (layout == H5D_CHUNKED) {
        std::vector<hsize_t> sizes(sizes_.size());
        hdf5().p_chunk(list.id(), static_cast<int>(sizes.size()), sizes.data());
        chunk_.assign(sizes.begin(), sizes.end());
    }
    // A block before the file's own (MATLAB's) moves all places.
    const Hdf5Handle of_file(hdf5().f_create_list(file_.id()), hdf5().p_close);
    hsize_t before = 0;
    hdf5().p_userblock(of_file.id(), &before);
    const haddr_t offset = hdf5().d_offset(array_.id());
    if (layout == H5D_CONTIGUOUS && is_native_ && before == 0 && offset != HADDR_UNDEF)
        place_ = static_cast<std::size_t>(offset);
}

// A column crosses a band of chunks: they are kept unpacked, where they are not too many.
void Hdf5Array::keep_chunks() {
    if (chunk_.size() != 2) return;
    const Index band = std::max(sizes_[0] * chunk_[1], sizes_[1] * chunk_[0]) * Index{8};
    const Hdf5Handle access(hdf5().p_create(hdf5().dataset_access), hdf5().p_close);
    hdf5().p_set_chunk_cache(
        access.id(), hdf5_chunk_slots,
        std::clamp(static_cast<std::size_t>(band), least_hdf5_cache, most_hdf5_cache),
        H5D_CHUNK_CACHE_W0_DEFAULT);
    Hdf5Handle again = open_array(file_.id(), name_, access.id());
    if (again.is_valid()) array_ = std::move(again);
}

std::string Hdf5Array::shape() const {
    if (sizes_.empty()) return "single number";
    std::string text;
    for (const Index size : sizes_) text += (text.empty() ? "" : " x ") + std::to_string(size);
    return text;
}

void Hdf5Array::fail(const std::string& what) const {
    raise(path_, {0, 0, "the array " + in_quotes(name_) + " " + what});
}

void Hdf5Array::transfer(hid_t type, hid_t memory, hid_t space, void* out) const {
    if (hdf5().d_read(array_.id(), type, memory, space, H5P_DEFAULT, out) < 0)
        fail("cannot be read: " + hdf5_complaint());
}

void Hdf5Array::read(const std::vector<Index>& start, const std::vector<Index>& count,
                     double* out) const {
    const std::lock_guard lock(hdf5_mutex());
    const auto begin = unsigned_of(start), size = unsigned_of(count);
    const Hdf5Handle space(hdf5().d_space(array_.id()), hdf5().s_close);
    hdf5().s_select(space.id(), H5S_SELECT_SET, begin.data(), nullptr, size.data(), nullptr);
    const Hdf5Handle memory(hdf5().s_create(static_cast<int>(size.size()), size.data(), nullptr),
                            hdf5().s_close);
    transfer(hdf5().float64, memory.id(), space.id(), out);
}

void Hdf5Array::read(float* out) const {
    const std::lock_guard lock(hdf5_mutex());
    transfer(hdf5().float32, H5S_ALL, H5S_ALL, out);
}

}  // namespace sven::io
