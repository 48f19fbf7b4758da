#pragma once
// Structs that may be shorter or longer than ours: those of programs that were compiled with the
// header of another version (sven.h, "Versions").

#include <cstddef>

#include "capi/errors.hpp"

namespace sven::capi {

SvenMatrix default_matrix();
SvenProblem default_problem();
SvenOptions default_options();
SvenCvPlan default_cv_plan();

struct Bytes {
    void* data;
    std::size_t size;
};

// The caller's struct over the defaults of ours. Throws InvalidArgument where it has no size, or
// fields that are not zero beyond ours.
void take(const char* name, std::size_t given_size, const void* given, Bytes ours);
// Ours over the caller's struct, zeros beyond.
void give(const void* ours, std::size_t our_size, Bytes given);

template <class Struct>
Struct read(const char* name, const Struct* given, Struct defaults) {
    require(given, name);
    take(name, given->size, given, {&defaults, sizeof(Struct)});
    return defaults;
}

template <class Struct>
void write(const char* name, const Struct& ours, Struct* given, std::size_t size) {
    require(given, name);
    if (size == 0) throw InvalidArgument("the size of the " + std::string(name) + " is 0");
    give(&ours, sizeof(Struct), {given, size});
}

// Defaults, with the size that the caller's struct has.
template <class Struct>
void initialize(const char* name, Struct defaults, Struct* given, std::size_t size) {
    if (size < sizeof(std::size_t))
        throw InvalidArgument("the size of the " + std::string(name) + " is " +
                              std::to_string(size) + "; pass sizeof");
    defaults.size = size;
    write(name, defaults, given, size);
}

}  // namespace sven::capi
