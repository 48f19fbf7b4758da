#pragma once
// Vectors for the bodies of the kernels (kernel_bodies.hpp).

#include "linalg/kernels.hpp"

namespace {

using sven::Index;

// Vectors of either precision. In registers and on the stack they are aligned by nature; memory is
// read and written at any address. A type that is less aligned must not be that of a variable: as a
// template argument it would lose the attribute, and faults come with GCC 13.
template <class T, int Lanes>
struct Lane {
    typedef T Vector __attribute__((vector_size(sizeof(T) * Lanes)));
    typedef T Anywhere __attribute__((vector_size(sizeof(T) * Lanes), aligned(sizeof(T))));

    static Vector load(const T* p) { return *reinterpret_cast<const Anywhere*>(p); }
    static void store(T* p, Vector v) { *reinterpret_cast<Anywhere*>(p) = v; }
    static T sum(Vector v) {
        T s = 0;
        for (int l = 0; l < Lanes; ++l) s += v[l];
        return s;
    }
};

// Vectors of doubles, from doubles, floats or bytes.
template <int Lanes>
struct Simd : Lane<double, Lanes> {
    using typename Lane<double, Lanes>::Vector;

    using Lane<double, Lanes>::load;
    static Vector load(const float* p) {
        Vector v;
        for (int l = 0; l < Lanes; ++l) v[l] = p[l];
        return v;
    }
    static Vector load(const std::int8_t* p) {
        return __builtin_convertvector(Lane<std::int8_t, Lanes>::load(p), Vector);
    }
};

// As many vectors as each has lanes, transposed in place: pairs, then fours, then halves.
template <int Lanes, class Vector>
[[gnu::always_inline]] inline void transpose(Vector (&r)[Lanes]) {
    Vector t[Lanes];
    for (int k = 0; k < Lanes; k += 2) {
        if constexpr (Lanes == 8) {
            t[k] = __builtin_shufflevector(r[k], r[k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
            t[k + 1] = __builtin_shufflevector(r[k], r[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
        } else if constexpr (Lanes == 4) {
            t[k] = __builtin_shufflevector(r[k], r[k + 1], 0, 4, 2, 6);
            t[k + 1] = __builtin_shufflevector(r[k], r[k + 1], 1, 5, 3, 7);
        } else {
            t[k] = __builtin_shufflevector(r[k], r[k + 1], 0, 2);
            t[k + 1] = __builtin_shufflevector(r[k], r[k + 1], 1, 3);
        }
    }
    for (int k = 0; k < Lanes; ++k) r[k] = t[k];
    if constexpr (Lanes >= 4) {
        for (int k = 0; k < Lanes; k += 4)
            for (int u = k; u < k + 2; ++u) {
                if constexpr (Lanes == 8) {
                    t[u] = __builtin_shufflevector(r[u], r[u + 2], 0, 1, 8, 9, 4, 5, 12, 13);
                    t[u + 2] = __builtin_shufflevector(r[u], r[u + 2], 2, 3, 10, 11, 6, 7, 14, 15);
                } else {
                    t[u] = __builtin_shufflevector(r[u], r[u + 2], 0, 1, 4, 5);
                    t[u + 2] = __builtin_shufflevector(r[u], r[u + 2], 2, 3, 6, 7);
                }
            }
        for (int k = 0; k < Lanes; ++k) r[k] = t[k];
    }
    if constexpr (Lanes == 8) {
        for (int u = 0; u < 4; ++u) {
            t[u] = __builtin_shufflevector(r[u], r[u + 4], 0, 1, 2, 3, 8, 9, 10, 11);
            t[u + 4] = __builtin_shufflevector(r[u], r[u + 4], 4, 5, 6, 7, 12, 13, 14, 15);
        }
        for (int k = 0; k < Lanes; ++k) r[k] = t[k];
    }
}

}  // namespace
