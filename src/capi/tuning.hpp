#pragma once
// The limits of this module: what each is, in which unit, and why it has its value.

#include <cstddef>

namespace sven::capi::tuning {

// Bytes of a struct, as its caller states them. No struct of the interface comes near it: a size
// above was never written.
inline constexpr std::size_t largest_struct = 4096;
// Characters of the last error that are kept, for each thread: the messages of the library have
// some hundred.
inline constexpr std::size_t longest_message = 1000;

}  // namespace sven::capi::tuning
