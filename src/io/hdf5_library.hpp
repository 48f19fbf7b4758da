#pragma once
// libhdf5, loaded when it is first needed: programs that read no such file do without it. Included
// by the files that are built where it is installed.

#include <hdf5.h>

#include <mutex>
#include <string>
#include <utility>

namespace sven::io {

// What is called of it, under its own names without the first letters.
struct Hdf5 {
    Hdf5();

    decltype(&::H5open) open = nullptr;
    decltype(&::H5Eset_auto2) e_set_auto = nullptr;
    decltype(&::H5Ewalk2) e_walk = nullptr;
    decltype(&::H5Fopen) f_open = nullptr;
    decltype(&::H5Fclose) f_close = nullptr;
    decltype(&::H5Fget_create_plist) f_create_list = nullptr;
    decltype(&::H5Dopen2) d_open = nullptr;
    decltype(&::H5Dclose) d_close = nullptr;
    decltype(&::H5Dget_space) d_space = nullptr;
    decltype(&::H5Dget_type) d_type = nullptr;
    decltype(&::H5Dget_create_plist) d_create_list = nullptr;
    decltype(&::H5Dget_offset) d_offset = nullptr;
    decltype(&::H5Dread) d_read = nullptr;
    decltype(&::H5Pcreate) p_create = nullptr;
    decltype(&::H5Pset_chunk_cache) p_set_chunk_cache = nullptr;
    decltype(&::H5Pget_layout) p_layout = nullptr;
    decltype(&::H5Pget_chunk) p_chunk = nullptr;
    decltype(&::H5Pget_userblock) p_userblock = nullptr;
    decltype(&::H5Pclose) p_close = nullptr;
    decltype(&::H5Screate_simple) s_create = nullptr;
    decltype(&::H5Sget_simple_extent_ndims) s_order = nullptr;
    decltype(&::H5Sget_simple_extent_dims) s_sizes = nullptr;
    decltype(&::H5Sselect_hyperslab) s_select = nullptr;
    decltype(&::H5Sclose) s_close = nullptr;
    decltype(&::H5Tget_class) t_class = nullptr;
    decltype(&::H5Tequal) t_equal = nullptr;
    decltype(&::H5Tclose) t_close = nullptr;
    // Its name has a number in later versions.
    using Visitor = herr_t (*)(hid_t, const char*, const H5L_info_t*, void*);
    herr_t (*l_visit)(hid_t, H5_index_t, H5_iter_order_t, Visitor, void*) = nullptr;

    hid_t float64 = 0;  // the machine's own kinds of numbers
    hid_t float32 = 0;
    hid_t dataset_access = 0;

  private:
    template <class Function>
    void load(Function& function, const char* symbol) const;
    hid_t constant(const char* symbol) const;

    void* handle_;
};

// Throws ParseError where it cannot be loaded.
const Hdf5& hdf5();
// The library is not made for threads everywhere: every call is made under this lock.
std::mutex& hdf5_mutex();

// What the library says was the cause, for the end of a sentence.
std::string hdf5_complaint();

// An object of the library, closed at the end.
class Hdf5Handle {
  public:
    using Close = herr_t (*)(hid_t);
    Hdf5Handle() = default;
    Hdf5Handle(hid_t id, Close close) : id_(id), close_(close) {}
    Hdf5Handle(Hdf5Handle&& other) noexcept
        : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }
    ~Hdf5Handle() {
        if (id_ >= 0) close_(id_);
    }

    hid_t id() const { return id_; }
    bool is_valid() const { return id_ >= 0; }

  private:
    hid_t id_ = -1;
    Close close_ = nullptr;
};

}  // namespace sven::io
