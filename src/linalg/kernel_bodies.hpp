// The bodies of kernels.hpp, for one instruction set: included by each kernels_*.cpp, which defines
// nothing else and includes no other header with code. Otherwise the linker could pick a function
// compiled for a newer processor for all callers. Everything here and in the headers below is in an
// unnamed namespace.

#include "linalg/kernel_checks.hpp"
#include "linalg/kernel_cholesky.hpp"
#include "linalg/kernel_divide.hpp"
#include "linalg/kernel_genotypes.hpp"
#include "linalg/kernel_gram.hpp"
#include "linalg/kernel_losses.hpp"
#include "linalg/kernel_multiply.hpp"
#include "linalg/kernel_products.hpp"
#include "linalg/kernel_vectors.hpp"

namespace {

// A is the tile of a product in this precision; a factor transposes squares of at most eight lanes.
template <class A, class T>
constexpr sven::linalg::DenseKernels<T> make_dense() {
    return {multiply<A, T>,          divide<A, T>,      cholesky<A::group, A::cols, T>,
            inner_product<A::lanes>, combine<A::lanes>, project<A::lanes>};
}

// Lanes of doubles; columns of X at once; panels and columns of a Gram tile; the tiles of products.
template <int Lanes, int Cols, int GramPanels, int GramCols, class Double, class Float>
constexpr sven::linalg::Kernels make_kernels(const char* name) {
    return {name,
            correlate<Lanes, Cols, double>,
            correlate<Lanes, Cols, float>,
            correlate<Lanes, Cols, std::int8_t>,
            correlate_rows<Lanes, double>,
            correlate_rows<Lanes, float>,
            correlate_rows<Lanes, std::int8_t>,
            correlate_sparse<Lanes, double, std::int32_t>,
            correlate_sparse<Lanes, double, std::int64_t>,
            correlate_sparse<Lanes, float, std::int32_t>,
            correlate_sparse<Lanes, float, std::int64_t>,
            dot<Lanes, double>,
            dot<Lanes, float>,
            dot<Lanes, std::int8_t>,
            sum<Lanes, double>,
            sum<Lanes, float>,
            sum<Lanes, std::int8_t>,
            centred_sums<Lanes, double>,
            centred_sums<Lanes, float>,
            centred_sums<Lanes, std::int8_t>,
            add_moments<Lanes, double>,
            add_moments<Lanes, float>,
            add_moments<Lanes, std::int8_t>,
            pack<Lanes, double>,
            pack<Lanes, float>,
            pack<Lanes, std::int8_t>,
            gram<Lanes, GramPanels, GramCols>,
            gram_half<Lanes>,
            gram_diagonal<Lanes>,
            check_lanes<Lanes>,
            count_below<Lanes>,
            symmetric<Lanes>,
            make_dense<Double, double>(),
            make_dense<Float, float>(),
            {split_genotypes, genotype_tables<Lanes>, genotype_sums<Lanes>, add_missing<Lanes>,
             count_genotypes},
            {evaluate_loss<Lanes, Binomial>, evaluate_loss<Lanes, Poisson>,
             sum_divergence<Lanes, Binomial>, sum_divergence<Lanes, Poisson>}};
}

}  // namespace
