#include "io/hdf5_library.hpp"

#include <dlfcn.h>

#include "sven/error.hpp"

namespace sven::io {

Hdf5::Hdf5() : handle_(dlopen(SVEN_HDF5_FILE, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr)
        throw ParseError(std::string("the library for HDF5 files cannot be loaded: ") + dlerror());
    load(open, "H5open");
    load(e_set_auto, "H5Eset_auto2");
    load(e_walk, "H5Ewalk2");
    load(f_open, "H5Fopen");
    load(f_close, "H5Fclose");
    load(f_create_list, "H5Fget_create_plist");
    load(d_open, "H5Dopen2");
    load(d_close, "H5Dclose");
    load(d_space, "H5Dget_space");
    load(d_type, "H5Dget_type");
    load(d_create_list, "H5Dget_create_plist");
    load(d_offset, "H5Dget_offset");
    load(d_read, "H5Dread");
    load(p_create, "H5Pcreate");
    load(p_set_chunk_cache, "H5Pset_chunk_cache");
    load(p_layout, "H5Pget_layout");
    load(p_chunk, "H5Pget_chunk");
    load(p_userblock, "H5Pget_userblock");
    load(p_close, "H5Pclose");
    load(s_create, "H5Screate_simple");
    load(s_order, "H5Sget_simple_extent_ndims");
    load(s_sizes, "H5Sget_simple_extent_dims");
    load(s_select, "H5Sselect_hyperslab");
    load(s_close, "H5Sclose");
    load(t_class, "H5Tget_class");
    load(t_equal, "H5Tequal");
    load(t_close, "H5Tclose");
    load(l_visit, dlsym(handle_, "H5Lvisit") != nullptr ? "H5Lvisit" : "H5Lvisit1");
    open();
    e_set_auto(H5E_DEFAULT, nullptr, nullptr);  // it would print
    float64 = constant("H5T_NATIVE_DOUBLE_g");
    float32 = constant("H5T_NATIVE_FLOAT_g");
    dataset_access = constant("H5P_CLS_DATASET_ACCESS_ID_g");
}

template <class Function>
void Hdf5::load(Function& function, const char* symbol) const {
    function = reinterpret_cast<Function>(dlsym(handle_, symbol));
    if (function == nullptr)
        throw ParseError(std::string("the library for HDF5 files lacks ") + symbol);
}

hid_t Hdf5::constant(const char* symbol) const {
    const hid_t* found = nullptr;
    load(found, symbol);
    return *found;
}

const Hdf5& hdf5() {
    static const Hdf5 loaded;
    return loaded;
}

std::mutex& hdf5_mutex() {
    static std::mutex mutex;
    return mutex;
}

std::string hdf5_complaint() {
    std::string text;
    const auto keep_first = [](unsigned, const H5E_error2_t* error, void* known) -> herr_t {
        auto& kept = *static_cast<std::string*>(known);
        const std::string said = error->desc != nullptr ? error->desc : "";
        // of a filter that is not there, the first is where it was looked for
        if (kept.empty() || said.find("filter '") != std::string::npos) kept = said;
        return 0;
    };
    hdf5().e_walk(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &text);
    return text.empty() ? "the library does not say why" : text;
}

}  // namespace sven::io
