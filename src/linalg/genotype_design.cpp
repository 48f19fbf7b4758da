// Genotypes of two bits each, never expanded, and the dense columns that follow them.

#include <array>
#include <cmath>
#include <numeric>

#include "linalg/dense_design.hpp"
#include "linalg/genotype_tile.hpp"
#include "linalg/tuning.hpp"

namespace sven::linalg {
namespace {

// Columns decoded at a time, and rows of them.
constexpr Index block_columns = dot_columns;
constexpr Index block_rows = combined_rows;

class GenotypeDesign final : public Design {
  public:
    explicit GenotypeDesign(const GenotypeView& X)
        : Design(sven::rows(X), sven::cols(X)), genotypes_(X) {}

    void correlate(const Panel& Q, const Execution& execution,
                   const TileConsumer& consume) const override {
        const Index width = tile_width(cols());
        const std::vector<double> sums = lane_sums(Q);
        const Team team = execution.team_for(entries() * static_cast<double>(Q.stride()));
        parallel_for(execution, team, (cols() + width - 1) / width, [&](Index t) {
            std::vector<Index> columns(
                static_cast<std::size_t>(std::min(width, cols() - t * width)));
            std::iota(columns.begin(), columns.end(), t * width);
            Buffer<double> tile(static_cast<Index>(columns.size()) * Q.stride());
            if (multiply_tile(columns, Q, sums, execution, tile.data()))
                consume(t * width, static_cast<Index>(columns.size()), tile.data());
        });
    }

    void correlate_some(std::span<const Index> columns, std::span<const double> q,
                        const Execution& execution, double* out) const override {
        const auto count = static_cast<Index>(columns.size());
        const double work = 2.0 * static_cast<double>(count) * static_cast<double>(rows());
        parallel_pieces(execution, work, count, block_columns, [&](Index begin, Index end) {
            std::array<double, block_columns> part{};
            std::fill(out + begin, out + end, 0.0);
            for (Index c = begin; c < end; c += block_columns) {
                const auto some = columns.subspan(c, std::min(block_columns, end - c));
                for_blocks(some, execution, [&](Index i, Index length, const auto& x) {
                    kernels().dot_f64(x.data(), static_cast<Index>(some.size()), nullptr, length,
                                      q.data() + i, part.data());
                    for (std::size_t k = 0; k < some.size(); ++k) out[c + k] += part[k];
                });
            }
        });
    }

    void correlate_list(std::span<const Index> columns, const Panel& Q, const Execution& execution,
                        double* out) const override {
        const auto count = static_cast<Index>(columns.size());
        if (count < fewest_tabled_variants)
            return Design::correlate_list(columns, Q, execution, out);
        const Index width = tile_width(count);
        const std::vector<double> sums = lane_sums(Q);
        const double work = static_cast<double>(count) * static_cast<double>(rows()) *
                            static_cast<double>(Q.stride());
        parallel_for(execution, execution.team_for(work), (count + width - 1) / width,
                     [&](Index t) {
                         const Index begin = t * width;
                         multiply_tile(columns.subspan(begin, std::min(width, count - begin)), Q,
                                       sums, execution, out + begin * Q.stride());
                     });
    }

    void gather(std::span<const Index> columns, const Execution& execution, double* out,
                Index stride) const override {
        const auto count = static_cast<Index>(columns.size());
        const double work = static_cast<double>(count) * static_cast<double>(rows());
        parallel_pieces(execution, work, count, 1, [&](Index begin, Index end) {
            for (Index c = begin; c < end; ++c)
                genotypes_.decode(columns[c], shift(columns[c]), 1, {0, rows()}, out + c * stride);
        });
    }

    void multiply(std::span<const Index> columns, std::span<const double> values,
                  const Execution& execution, double* out) const override {
        const double work = 2.0 * static_cast<double>(columns.size()) * static_cast<double>(rows());
        parallel_pieces(execution, work, rows(), block_rows, [&](Index begin, Index end) {
            std::fill(out + begin, out + end, 0.0);
            std::array<double, block_rows> part;
            for (Index block = begin; block < end; block += block_rows) {
                const Index last = std::min(end, block + block_rows);
                Poll poll(execution);  // many columns take long
                for (std::size_t c = 0; c < columns.size(); ++c) {
                    if (poll.stops_after(block_rows)) return;
                    genotypes_.decode(columns[c], shift(columns[c]), values[c], {block, last},
                                      part.data());
                    for (Index i = block; i < last; ++i) out[i] += part[i - block];
                }
            }
        });
    }

    ColumnMoments moments(RowWeights weights, std::span<const double> v,
                          const Execution& execution) const override {
        return only_moments(weights, v, execution);
    }

    Index moments_of(std::span<const MomentRequest> requests, const Execution& execution,
                     std::span<ColumnMoments> out) const override {
        std::vector<MomentLanes> lanes;
        lanes.reserve(requests.size());
        for (std::size_t k = 0; k < requests.size(); ++k) {
            out[k] = make_moments(cols());
            lanes.emplace_back(requests[k].weights, requests[k].v, rows());
        }
        const Index width = tile_width(cols());
        const double work = entries() * moment_operations * static_cast<double>(requests.size());
        parallel_for(execution, execution.team_for(work), (cols() + width - 1) / width,
                     [&](Index t) {
                         const Index end = std::min(cols(), (t + 1) * width);
                         for (std::size_t k = 0; k < requests.size(); ++k)
                             find_moments(lanes[k], {t * width, end}, execution, out[k]);
                     });
        return 1;
    }

    void pack_rows(Index begin, Index end, std::span<const double> centre,
                   const double* row_factors, double* panels) const override {
        const Index n = end - begin;
        constexpr std::array<double, gram_width> none{};
        Buffer<double> block(n * gram_width);
        std::array<const double*, gram_width> x{};
        for (Index j = 0; j < cols(); j += gram_width) {
            const Index width = std::min(gram_width, cols() - j);
            for (Index c = 0; c < width; ++c) {
                genotypes_.decode(j + c, centre[j + c], 1, {begin, end}, block.data() + c * n);
                x[c] = block.data() + c * n;
            }
            kernels().pack_f64(x.data(), width, none.data(), n, row_factors, panels + j * n);
        }
    }

  private:
    // The numbers whose sums are the moments: weights, v, and one for each row of positive weight.
    struct MomentLanes {
        MomentLanes(RowWeights weights, std::span<const double> others, Index rows)
            : w(weights.empty() ? nullptr : weights.data()), v(others.data()) {
            panel.resize(rows, 3);
            for (Index i = 0; i < rows; ++i) {
                double* lane = panel.row(i);
                lane[0] = weights.empty() ? 1 : weights[i];
                lane[1] = others[i];
                lane[2] = lane[0] > 0 ? 1 : 0;
                for (std::size_t k = 0; k < total.size(); ++k) total[k] += lane[k];
            }
        }
        const double* w;
        const double* v;
        Panel panel;
        std::array<double, 3> total{};
    };

    // As narrow as the threads need it, and the same for any number of them.
    static Index tile_width(Index columns) {
        const Index even = (columns / genotype_tiles + lane_group - 1) / lane_group * lane_group;
        return std::clamp(even, fewest_tiled_variants, most_tiled_variants);
    }

    double shift(Index j) const { return shift_.empty() ? 0 : shift_[j]; }
    // Nearly all people have one of each allele: entries are shifted one by one.
    bool is_heterozygous(Index j) const { return shift(j) >= 0.5 && shift(j) <= 1.5; }

    std::vector<double> lane_sums(const Panel& Q) const {
        std::vector<double> sums(static_cast<std::size_t>(Q.stride()));
        if (shift_.empty()) return sums;
        for (Index i = 0; i < rows(); ++i)
            for (Index k = 0; k < Q.stride(); ++k) sums[k] += Q.row(i)[k];
        return sums;
    }

    // Calls body(first row, number of rows, columns) for blocks of decoded rows of at most
    // block_columns columns. False if cancelled.
    template <class Body>
    bool for_blocks(std::span<const Index> columns, const Execution& execution,
                    const Body& body) const {
        alignas(64) std::array<double, block_columns * block_rows> block;
        std::array<const double*, block_columns> x{};
        for (std::size_t c = 0; c < columns.size(); ++c) x[c] = block.data() + c * block_rows;
        for (Index i = 0; i < rows(); i += block_rows) {
            if (execution.is_cancelled()) return false;
            const Index length = std::min(block_rows, rows() - i);
            for (std::size_t c = 0; c < columns.size(); ++c)
                genotypes_.decode(columns[c], shift(columns[c]), 1, {i, i + length},
                                  block.data() + c * block_rows);
            body(i, length, x);
        }
        return true;
    }

    // Row c of out = (x_j - shift_j)'Q for j = columns[c]. False if cancelled. `totals` are the
    // sums of the lanes.
    bool multiply_tile(std::span<const Index> columns, const Panel& Q,
                       std::span<const double> totals, const Execution& execution,
                       double* out) const {
        std::vector<TiledVariant> tabled;
        std::vector<std::size_t> places;
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const Index j = columns[c];
            if (!genotypes_.is_variant(j) || is_heterozygous(j)) {
                if (!multiply_decoded(j, Q, execution, out + c * Q.stride())) return false;
                continue;
            }
            tabled.push_back({j, shift(j) > 1});
            places.push_back(c);
        }
        GenotypeTile tile(genotypes_, tabled, Q.stride(), false);
        if (!tile.sum(Q.row(0), execution)) return false;
        for (std::size_t c = 0; c < tabled.size(); ++c) {
            const Index j = tabled[c].column;
            const bool is_turned = tabled[c].is_turned;
            const double fill = is_turned ? 2 - genotypes_.fill(j) : genotypes_.fill(j);
            // x - shift = (x - base) - (shift - base), base 0 or 2
            const double rest = is_turned ? shift(j) - 2 : shift(j);
            double* row = out + places[c] * Q.stride();
            for (Index k = 0; k < Q.stride(); ++k) {
                const auto at = static_cast<Index>(c);
                const double sum = tile.alleles(at, k) + fill * tile.missing(at, k);
                row[k] = (is_turned ? -sum : sum) - rest * totals[k];
            }
        }
        return true;
    }

    bool multiply_decoded(Index j, const Panel& Q, const Execution& execution, double* out) const {
        std::fill_n(out, Q.stride(), 0.0);
        return for_blocks({&j, 1}, execution, [&](Index i, Index length, const auto& x) {
            for (Index lane = 0; lane < Q.stride(); lane += lane_group)
                kernels().correlate_f64(x.data(), 1, 0, nullptr, length, Q.row(i) + lane,
                                        Q.stride(), out + lane);
        });
    }

    void find_moments(const MomentLanes& lanes, RowRange columns, const Execution& execution,
                      ColumnMoments& m) const {
        std::vector<TiledVariant> tabled;
        for (Index j = columns.begin; j < columns.end; ++j) {
            if (execution.is_cancelled()) return;
            if (genotypes_.is_variant(j))
                tabled.push_back({j, genotypes_.fill(j) > 1});
            else
                decoded_moments(lanes, j, m);
        }
        GenotypeTile tile(genotypes_, tabled, lanes.panel.stride(), true);
        if (!tile.sum(lanes.panel.row(0), execution)) return;
        for (std::size_t c = 0; c < tabled.size(); ++c)
            moments_of_sums(lanes, tile, static_cast<Index>(c), tabled[c], m);
    }

    // The rows of a variant have four values at most: their sums make the moments.
    void moments_of_sums(const MomentLanes& lanes, const GenotypeTile& tile, Index c,
                         const TiledVariant& variant, ColumnMoments& m) const {
        const Index j = variant.column;
        // of those with none of the tiled allele, one, two, and missing
        std::array<std::array<double, 4>, 3> sums{};
        for (Index k = 0; k < 3; ++k) {
            const double two = tile.twos(c, k);
            const double one = tile.alleles(c, k) - 2 * two;
            const double missing = tile.missing(c, k);
            sums[k] = {lanes.total[k] - one - two - missing, one, two, missing};
        }
        std::array<double, 4> values{0, 1, 2, genotypes_.fill(j)};
        if (variant.is_turned) std::swap(values[0], values[2]);
        double mean = 0;
        bool is_constant = true;
        double only = std::nan("");
        for (std::size_t g = 0; g < values.size(); ++g) {
            mean += sums[0][g] * values[g];
            if (sums[2][g] == 0) continue;
            is_constant = is_constant && (std::isnan(only) || only == values[g]);
            only = values[g];
        }
        m.mean[j] = is_constant ? only : mean / lanes.total[0];
        m.is_constant[j] = is_constant ? 1 : 0;
        for (std::size_t g = 0; g < values.size(); ++g) {
            const double d = values[g] - m.mean[j];
            m.centred_sum[j] += sums[0][g] * d;
            m.squares[j] += sums[0][g] * d * d;
            m.products[j] += sums[1][g] * d;
        }
        const double distance = variant.is_turned ? 2 - m.mean[j] : m.mean[j];
        const bool is_far =
            distance * distance * lanes.total[0] > far_genotypes * far_genotypes * m.squares[j];
        if (is_far && !is_constant) decoded_moments(lanes, j, m);
    }

    // Entry by entry, from one pass for the mean and one about it.
    void decoded_moments(const MomentLanes& lanes, Index j, ColumnMoments& m) const {
        std::array<double, block_rows> x;
        double sum = 0;
        bool is_constant = true;
        double only = std::nan("");
        for (Index i = 0; i < rows(); i += block_rows) {
            const Index length = std::min(block_rows, rows() - i);
            genotypes_.decode(j, 0, 1, {i, i + length}, x.data());
            sum += kernels().sum_f64(x.data(), lanes.w == nullptr ? nullptr : lanes.w + i, length);
            for (Index r = 0; r < length; ++r) {
                if (lanes.w != nullptr && lanes.w[i + r] == 0) continue;
                is_constant = is_constant && (std::isnan(only) || only == x[r]);
                only = x[r];
            }
        }
        m.is_constant[j] = is_constant ? 1 : 0;
        m.mean[j] = is_constant ? only : sum / lanes.total[0];
        std::array<double, 3> all{}, part{};
        for (Index i = 0; i < rows(); i += block_rows) {
            const Index length = std::min(block_rows, rows() - i);
            genotypes_.decode(j, 0, 1, {i, i + length}, x.data());
            kernels().centred_sums_f64(x.data(), lanes.w == nullptr ? nullptr : lanes.w + i,
                                       lanes.v + i, m.mean[j], length, part.data());
            for (std::size_t k = 0; k < all.size(); ++k) all[k] += part[k];
        }
        m.centred_sum[j] = all[0];
        m.squares[j] = all[1];
        m.products[j] = all[2];
    }

    Genotypes genotypes_;
};

}  // namespace

std::unique_ptr<Design> make_genotype_design(const GenotypeView& X) {
    return std::make_unique<GenotypeDesign>(X);
}

}  // namespace sven::linalg
