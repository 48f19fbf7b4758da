#pragma once
// Statistics as files: NumPy's .npz, whose arrays numpy.load shows too.
//
//     format     "sven-statistics-1"
//     rows       of each fold, or of all rows where there are no folds: G numbers
//     folds      the numbers of the folds, none without
//     centre     what was taken from the columns before summing, G x p
//     y_centre   the same of the response
//     constant   the values of constant columns, else NaN, G x p
//     rounding   of the sums, relative to the lengths of the columns
//     sums       of products of the centred columns, the response and the ones, weighted:
//                G x (p + 2) x (p + 2)
//     names, target   in UTF-8, each name ends with a zero byte
//     checksum   of the bytes of all these: FNV-1a of 64 bits

#include <string>
#include <vector>

#include "sven/export.h"
#include "sven/statistics.hpp"

namespace sven::io {

// The bytes of the file; the same for the same statistics. Throws InvalidArgument where they exceed
// what the format allows, 4 GiB.
[[nodiscard]] SVEN_API std::string encode(const Statistics& statistics);

// Throws ParseError: "FILE: what is wrong".
[[nodiscard]] SVEN_API Statistics read_statistics(const std::string& path);
// Of bytes from another place.
[[nodiscard]] SVEN_API Statistics decode_statistics(const std::string& name,
                                                    std::vector<char> bytes);

// Whether a file is one of statistics. False where it cannot be read.
[[nodiscard]] SVEN_API bool holds_statistics(const std::string& path);

}  // namespace sven::io
