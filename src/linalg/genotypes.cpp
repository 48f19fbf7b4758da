#include "linalg/genotypes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "linalg/kernels.hpp"

namespace sven::linalg {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// Entries by their code.
using Values = std::array<double, 4>;

// Whole bytes by pairs of people: sixteen pairs of numbers.
void decode_bytes(const unsigned char* bytes, Index count, const Values& values, double* out) {
    std::array<std::array<double, 2>, 16> pairs;
    for (std::size_t code = 0; code < pairs.size(); ++code)
        pairs[code] = {values[code & 3U], values[code >> 2U]};
    for (Index b = 0; b < count; ++b) {
        const unsigned byte = bytes[b];
        std::memcpy(out + 4 * b, pairs[byte & 15U].data(), sizeof(pairs[0]));
        std::memcpy(out + 4 * b + 2, pairs[byte >> 4U].data(), sizeof(pairs[0]));
    }
}

unsigned code_at(const unsigned char* bytes, Index person) {
    return (bytes[person / 4] >> (2 * (person % 4))) & 3U;
}

}  // namespace

Genotypes::Genotypes(const GenotypeView& X)
    : view_(X),
      mask_(static_cast<std::size_t>(blocks() * block_words)),
      fill_(std::make_unique<std::atomic<double>[]>(static_cast<std::size_t>(X.variants))) {
    for (Index j = 0; j < X.variants; ++j)
        fill_[j].store(X.means != nullptr ? X.means[j] : unknown, std::memory_order_relaxed);
    for (Index i = 0; i < rows(); ++i) {
        const Index person = X.selection != nullptr ? X.selection[i] : i;
        mask_[person / code_people] |= std::uint64_t{1} << (2 * (person % code_people));
    }
    if (X.selection == nullptr) return;
    const Index* const end = X.selection + X.selected;
    for (Index b = 0; b <= blocks(); ++b)
        first_row_.push_back(std::lower_bound(X.selection, end, b * genotype_block_people) -
                             X.selection);
}

void Genotypes::load(Index j, Index block, CodeBlock& codes) const {
    const Index begin = block * block_bytes;
    const Index length = std::min(block_bytes, (people() + 3) / 4 - begin);
    if (length < block_bytes) codes.fill(0);
    std::memcpy(codes.data(), column(j) + begin, static_cast<std::size_t>(length));
}

Genotypes::Counts Genotypes::counts(Index j) const {
    std::array<Index, 3> found{};
    CodeBlock codes;
    for (Index b = 0; b < blocks(); ++b) {
        load(j, b, codes);
        kernels().genotypes.count(codes.data(), mask_.data() + b * block_words, block_words,
                                  found.data());
    }
    Counts counts{{rows() - found[0] - found[1] - found[2], found[1], found[2]}, found[0]};
    if (view_.counted == Allele::a1) std::swap(counts.with[0], counts.with[2]);
    return counts;
}

double Genotypes::fill(Index j) const {
    const double known = fill_[j].load(std::memory_order_relaxed);
    if (!std::isnan(known)) return known;
    const Counts found = counts(j);
    const Index others = rows() - found.missing;
    const Index alleles = found.with[1] + 2 * found.with[2];
    const double mean =
        others == 0 ? 0 : static_cast<double>(alleles) / static_cast<double>(others);
    // others may find it too: the same number
    fill_[j].store(mean, std::memory_order_relaxed);
    return mean;
}

void Genotypes::decode(Index j, double origin, double factor, RowRange range, double* out) const {
    if (!is_variant(j)) {
        const double* x = dense_column(j);
        for (Index i = range.begin; i < range.end; ++i)
            out[i - range.begin] = (x[i] - origin) * factor;
        return;
    }
    const bool is_a1 = view_.counted == Allele::a1;
    Values values{is_a1 ? 2.0 : 0.0, fill(j), 1, is_a1 ? 0.0 : 2.0};
    for (double& value : values) value = (value - origin) * factor;
    const unsigned char* bytes = column(j);
    if (view_.selection != nullptr) {
        for (Index i = range.begin; i < range.end; ++i)
            out[i - range.begin] = values[code_at(bytes, view_.selection[i])];
        return;
    }
    Index i = range.begin;
    for (; i < range.end && i % 4 != 0; ++i) out[i - range.begin] = values[code_at(bytes, i)];
    const Index whole = std::max<Index>(0, (range.end - i) / 4);
    decode_bytes(bytes + i / 4, whole, values, out + (i - range.begin));
    for (i += 4 * whole; i < range.end; ++i) out[i - range.begin] = values[code_at(bytes, i)];
}

void Genotypes::scatter(Index block, const double* from, Index stride, double* to) const {
    const Index begin = block * genotype_block_people;
    if (view_.selection == nullptr) {
        const Index count = std::min(genotype_block_people, people() - begin);
        std::copy_n(from + begin * stride, count * stride, to);
        std::fill_n(to + count * stride, (genotype_block_people - count) * stride, 0.0);
        return;
    }
    std::fill_n(to, genotype_block_people * stride, 0.0);
    for (Index i = first_row_[block]; i < first_row_[block + 1]; ++i)
        std::copy_n(from + i * stride, stride, to + (view_.selection[i] - begin) * stride);
}

}  // namespace sven::linalg
