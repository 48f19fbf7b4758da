#pragma once
// Seeded genotypes, packed as PLINK packs them, and the same entries as doubles.

#include <cmath>
#include <vector>

#include "support/problems.hpp"

namespace sven::test {

struct GenotypeCase {
    Index people = 100;
    Index variants = 40;
    double missing = 0.02;
    Allele counted = Allele::a1;
    bool is_selected = false;  // two people of three are rows
    Index covariates = 0;
};

// Some variants are special: 3 has one allele only, 5 no value at all, 7 is nearly always
// heterozygous, 11 nearly always A1; in 13 half of the values are missing.
class PackedGenotypes {
  public:
    explicit PackedGenotypes(const GenotypeCase& wanted, unsigned seed = 1) : wanted_(wanted) {
        Random random(seed);
        stride_ = (wanted.people + 3) / 4;
        bytes_.assign(static_cast<std::size_t>(stride_ * wanted.variants), 0);
        for (Index i = 0; i < wanted.people; ++i)
            if (!wanted.is_selected || i % 3 != 1) selection_.push_back(i);
        for (Index j = 0; j < wanted.variants; ++j) {
            const double frequency = 0.02 + 0.46 * random.uniform();
            for (Index i = 0; i < wanted.people; ++i) set(i, j, draw(j, frequency, random));
        }
        // what lies behind the last person must not be read
        if (wanted.people % 4 != 0)
            for (Index j = 0; j < wanted.variants; ++j)
                bytes_[(j + 1) * stride_ - 1] |=
                    static_cast<unsigned char>(0x55U << (2 * (wanted.people % 4)));
        beside_ = random_vector(rows() * wanted.covariates, seed + 1);
        expand();
    }

    Index rows() const { return static_cast<Index>(selection_.size()); }
    Index cols() const { return wanted_.variants + wanted_.covariates; }
    GenotypeView view() const {
        GenotypeView X;
        X.data = bytes_.data();
        X.people = wanted_.people;
        X.variants = wanted_.variants;
        X.stride = stride_;
        X.counted = wanted_.counted;
        X.selection = wanted_.is_selected ? selection_.data() : nullptr;
        X.selected = rows();
        X.beside = column_major(beside_.data(), rows(), wanted_.covariates);
        return X;
    }
    const std::vector<double>& dense() const { return dense_; }
    const std::vector<unsigned char>& bytes() const { return bytes_; }

  private:
    // Codes: 0 two of A1, 1 missing, 2 one, 3 none.
    unsigned draw(Index j, double frequency, Random& random) const {
        const double gap = j == 13 ? 0.5 : wanted_.missing;
        const bool is_missing = random.uniform() < gap;
        const bool is_odd = random.uniform() < 3.0 / static_cast<double>(wanted_.people);
        const bool first = random.uniform() < frequency;
        const bool second = random.uniform() < frequency;
        if (j == 5 || (is_missing && j != 7 && j != 11)) return 1;
        if (j == 3) return 3;
        if (j == 7) return is_odd ? 0 : 2;
        if (j == 11) return is_odd ? 2 : 0;
        return first && second ? 0 : first || second ? 2 : 3;
    }
    void set(Index i, Index j, unsigned code) {
        bytes_[j * stride_ + i / 4] |= static_cast<unsigned char>(code << (2 * (i % 4)));
    }
    unsigned code(Index i, Index j) const {
        return (bytes_[j * stride_ + i / 4] >> (2 * (i % 4))) & 3U;
    }
    void expand() {
        for (Index j = 0; j < wanted_.variants; ++j) {
            double sum = 0, known = 0;
            const std::size_t begin = dense_.size();
            for (const Index i : selection_) {
                const unsigned c = code(i, j);
                const double of_a1 = c == 0 ? 2 : c == 2 ? 1 : 0;
                const double value = wanted_.counted == Allele::a1 ? of_a1 : 2 - of_a1;
                dense_.push_back(c == 1 ? nan : value);
                sum += c == 1 ? 0 : value;
                known += c == 1 ? 0 : 1;
            }
            for (std::size_t k = begin; k < dense_.size(); ++k)
                if (std::isnan(dense_[k])) dense_[k] = known > 0 ? sum / known : 0;
        }
        dense_.insert(dense_.end(), beside_.begin(), beside_.end());
    }

    GenotypeCase wanted_;
    Index stride_ = 0;
    std::vector<unsigned char> bytes_;
    std::vector<Index> selection_;
    std::vector<double> beside_;
    std::vector<double> dense_;  // column-major
};

}  // namespace sven::test
