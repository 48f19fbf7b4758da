// Dense X, column-major and row-major, of doubles or floats.

#include <array>
#include <cmath>
#include <limits>

#include "linalg/design.hpp"
#include "linalg/kernels.hpp"

namespace sven::linalg {
namespace {

constexpr Index tile_columns = 96;  // a multiple of every kernel's group of columns

// Rows of Q that stay in the second cache (256 KiB) while many columns pass by.
Index row_block(Index stride) {
    return std::max<Index>(512, 32768 / stride);
}

// The kernels of one scalar type.
template <class T>
struct Loops;

template <>
struct Loops<double> {
    static constexpr auto correlate = &Kernels::correlate_f64;
    static constexpr auto correlate_rows = &Kernels::correlate_rows_f64;
    static constexpr auto dot = &Kernels::dot_f64;
    static constexpr auto sum = &Kernels::sum_f64;
    static constexpr auto centred_sums = &Kernels::centred_sums_f64;
};

template <>
struct Loops<float> {
    static constexpr auto correlate = &Kernels::correlate_f32;
    static constexpr auto correlate_rows = &Kernels::correlate_rows_f32;
    static constexpr auto dot = &Kernels::dot_f32;
    static constexpr auto sum = &Kernels::sum_f32;
    static constexpr auto centred_sums = &Kernels::centred_sums_f32;
};

ColumnMoments make_moments(Index cols) {
    const auto size = static_cast<std::size_t>(cols);
    return {std::vector<double>(size), std::vector<double>(size), std::vector<double>(size),
            std::vector<double>(size), std::vector<char>(size)};
}

double total_weight(RowWeights weights, Index rows) {
    if (weights.empty()) return static_cast<double>(rows);
    double total = 0;
    for (const double w : weights) total += w;
    return total;
}

// Whether all entries of positive weight are equal; the mean is then set to their value.
template <class T>
bool is_constant(const T* x, const double* w, Index n, double& mean) {
    Index first = 0;
    while (w != nullptr && first < n && w[first] == 0) ++first;
    for (Index i = first; i < n; ++i)
        if (x[i] != x[first] && (w == nullptr || w[i] != 0)) return false;
    mean = x[first];
    return true;
}

// Where any of the columns has a shift, its shifts; else null, for the loops without one.
const double* shift_of(std::span<const double> shift, Index begin, Index count) {
    if (shift.empty()) return nullptr;
    for (Index j = begin; j < begin + count; ++j)
        if (shift[j] != 0) return shift.data() + begin;
    return nullptr;
}

template <class T>
class ColumnMajorDesign final : public Design {
  public:
    explicit ColumnMajorDesign(const DenseView& X)
        : Design(X.rows, X.cols), data_(static_cast<const T*>(X.data)), stride_(X.stride) {}

    void correlate(const Panel& Q, const Execution& execution,
                   const TileConsumer& consume) const override {
        const Index tiles = (cols() + tile_columns - 1) / tile_columns;
        const int threads = execution.threads_for(entries() * static_cast<double>(Q.stride()));
        parallel_for(execution, threads, tiles, [&](Index t) {
            const Index begin = t * tile_columns;
            const Index count = std::min(tile_columns, cols() - begin);
            correlate_tile(Q, begin, count, consume);
        });
    }

    void correlate_some(std::span<const Index> columns, std::span<const double> q,
                        const Execution& execution, double* out) const override {
        const auto count = static_cast<Index>(columns.size());
        const double work = 2.0 * static_cast<double>(count) * static_cast<double>(rows());
        constexpr Index group = 16;
        parallel_ranges(execution.threads_for(work), count, group, [&](Index begin, Index end) {
            std::array<const T*, group> x{};
            std::array<double, group> origin{};
            for (Index c = begin; c < end; c += group) {
                const Index width = std::min(group, end - c);
                for (Index k = 0; k < width; ++k) x[k] = column(columns[c + k]);
                const double* shifts = nullptr;
                if (!shift_.empty()) {
                    for (Index k = 0; k < width; ++k) origin[k] = shift_[columns[c + k]];
                    shifts = shift_of(origin, 0, width);
                }
                (kernels().*Loops<T>::dot)(x.data(), width, shifts, rows(), q.data(), out + c);
            }
        });
    }

    void gather(std::span<const Index> columns, const Execution& execution, double* out,
                Index stride) const override {
        const auto count = static_cast<Index>(columns.size());
        const double work = static_cast<double>(count) * static_cast<double>(rows());
        parallel_ranges(execution.threads_for(work), count, 1, [&](Index begin, Index end) {
            for (Index c = begin; c < end; ++c) {
                const T* x = column(columns[c]);
                const double origin = shift_.empty() ? 0 : shift_[columns[c]];
                for (Index i = 0; i < rows(); ++i) out[c * stride + i] = x[i] - origin;
            }
        });
    }

    void multiply(std::span<const Index> columns, std::span<const double> values,
                  const Execution& execution, double* out) const override {
        const double work = 2.0 * static_cast<double>(columns.size()) * static_cast<double>(rows());
        parallel_ranges(execution.threads_for(work), rows(), 1024, [&](Index begin, Index end) {
            std::fill(out + begin, out + end, 0.0);
            for (Index block = begin; block < end; block += 1024) {
                const Index last = std::min(end, block + 1024);
                for (std::size_t c = 0; c < columns.size(); ++c) {
                    const T* x = column(columns[c]);
                    const double origin = shift_.empty() ? 0 : shift_[columns[c]];
                    for (Index i = block; i < last; ++i) out[i] += (x[i] - origin) * values[c];
                }
            }
        });
    }

    ColumnMoments moments(RowWeights weights, std::span<const double> v,
                          const Execution& execution) const override {
        ColumnMoments m = make_moments(cols());
        const double* w = weights.empty() ? nullptr : weights.data();
        const double total = total_weight(weights, rows());
        const int threads = execution.threads_for(entries() * 4);
        constexpr Index group = 32;
        parallel_for(execution, threads, (cols() + group - 1) / group, [&](Index g) {
            for (Index j = g * group; j < std::min(cols(), (g + 1) * group); ++j) {
                std::array<double, 3> s{};
                m.mean[j] = (kernels().*Loops<T>::sum)(column(j), w, rows()) / total;
                m.is_constant[j] = is_constant(column(j), w, rows(), m.mean[j]);
                (kernels().*Loops<T>::centred_sums)(column(j), w, v.data(), m.mean[j], rows(),
                                                    s.data());
                m.centred_sum[j] = s[0];
                m.squares[j] = s[1];
                m.products[j] = s[2];
            }
        });
        return m;
    }

    void pack_rows(Index begin, Index end, std::span<const double> centre,
                   const double* row_factors, double* panels) const override {
        const Index n = end - begin;
        std::array<const T*, gram_width> x{};
        for (Index j = 0; j < cols(); j += gram_width) {
            const Index width = std::min(gram_width, cols() - j);
            for (Index c = 0; c < width; ++c) x[c] = column(j + c) + begin;
            pack(x.data(), width, centre.data() + j, n, row_factors, panels + j * n);
        }
    }

    void pack_row_list(std::span<const Index> list, std::span<const double> centre,
                       const double* row_factors, double* panels) const override {
        const auto n = static_cast<Index>(list.size());
        for (Index j = 0; j < cols(); ++j) {
            const T* x = column(j);
            double* panel = panels + (j / gram_width) * n * gram_width + j % gram_width;
            for (Index i = 0; i < n; ++i)
                panel[i * gram_width] =
                    (x[list[i]] - centre[j]) * (row_factors == nullptr ? 1 : row_factors[i]);
        }
    }

  private:
    const T* column(Index j) const { return data_ + j * stride_; }

    static void pack(const T* const* x, Index count, const double* centre, Index n,
                     const double* row_factors, double* panel) {
        if constexpr (std::is_same_v<T, double>)
            kernels().pack_f64(x, count, centre, n, row_factors, panel);
        else
            kernels().pack_f32(x, count, centre, n, row_factors, panel);
    }

    void correlate_tile(const Panel& Q, Index begin, Index count,
                        const TileConsumer& consume) const {
        std::array<const T*, tile_columns> x{};
        alignas(64) std::array<double, tile_columns * lane_group> fixed;
        Buffer<double> large;
        double* tile = fixed.data();
        if (Q.stride() > lane_group) {
            large.reserve(tile_columns * Q.stride());
            tile = large.data();
        }
        std::fill_n(tile, count * Q.stride(), 0.0);
        const double* shifts = shift_of(shift_, begin, count);
        const Index block = row_block(Q.stride());
        for (Index i = 0; i < rows(); i += block) {
            for (Index c = 0; c < count; ++c) x[c] = column(begin + c) + i;
            for (Index lane = 0; lane < Q.stride(); lane += lane_group)
                (kernels().*Loops<T>::correlate)(x.data(), count, shifts,
                                                 std::min(block, rows() - i), Q.row(i) + lane,
                                                 Q.stride(), tile + lane);
        }
        consume(begin, count, tile);
    }

    const T* data_;
    Index stride_;
};

template <class T>
class RowMajorDesign final : public Design {
  public:
    explicit RowMajorDesign(const DenseView& X)
        : Design(X.rows, X.cols), data_(static_cast<const T*>(X.data)), stride_(X.stride) {}

    void correlate(const Panel& Q, const Execution& execution,
                   const TileConsumer& consume) const override {
        constexpr Index width = 256;  // the chunk of kernels().correlate_rows
        const Index tiles = (cols() + width - 1) / width;
        const int threads = execution.threads_for(entries() * static_cast<double>(Q.stride()));
        parallel_for(execution, threads, tiles, [&](Index t) {
            const Index begin = t * width;
            const Index count = std::min(width, cols() - begin);
            Buffer<double> tile(count * Q.stride());
            std::fill_n(tile.data(), count * Q.stride(), 0.0);
            const double* shifts = shift_of(shift_, begin, count);
            for (Index lane = 0; lane < Q.stride(); lane += lane_group)
                (kernels().*Loops<T>::correlate_rows)(data_ + begin, stride_, count, shifts, rows(),
                                                      Q.row(0) + lane, Q.stride(),
                                                      tile.data() + lane);
            consume(begin, count, tile.data());
        });
    }

    void correlate_some(std::span<const Index> columns, std::span<const double> q,
                        const Execution& execution, double* out) const override {
        const auto count = static_cast<Index>(columns.size());
        const double work = 8.0 * static_cast<double>(count) * static_cast<double>(rows());
        constexpr Index group = 64;
        parallel_ranges(execution.threads_for(work), count, group, [&](Index begin, Index end) {
            for (Index c = begin; c < end; c += group) {
                const Index width = std::min(group, end - c);
                std::fill_n(out + c, width, 0.0);
                for (Index i = 0; i < rows(); ++i) {
                    const T* x = data_ + i * stride_;
                    for (Index k = 0; k < width; ++k) {
                        const Index j = columns[c + k];
                        out[c + k] += (x[j] - (shift_.empty() ? 0 : shift_[j])) * q[i];
                    }
                }
            }
        });
    }

    void gather(std::span<const Index> columns, const Execution& execution, double* out,
                Index stride) const override {
        const auto count = static_cast<Index>(columns.size());
        const double work = 8.0 * static_cast<double>(count) * static_cast<double>(rows());
        parallel_ranges(execution.threads_for(work), rows(), 64, [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) {
                const T* x = data_ + i * stride_;
                for (Index c = 0; c < count; ++c) {
                    const Index j = columns[c];
                    out[c * stride + i] = x[j] - (shift_.empty() ? 0 : shift_[j]);
                }
            }
        });
    }

    void multiply(std::span<const Index> columns, std::span<const double> values,
                  const Execution& execution, double* out) const override {
        const double work = 2.0 * static_cast<double>(columns.size()) * static_cast<double>(rows());
        parallel_ranges(execution.threads_for(work), rows(), 64, [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) {
                const T* x = data_ + i * stride_;
                double sum = 0;
                for (std::size_t c = 0; c < columns.size(); ++c) {
                    const Index j = columns[c];
                    sum += (x[j] - (shift_.empty() ? 0 : shift_[j])) * values[c];
                }
                out[i] = sum;
            }
        });
    }

    ColumnMoments moments(RowWeights weights, std::span<const double> v,
                          const Execution& execution) const override {
        ColumnMoments m = make_moments(cols());
        const int threads = execution.threads_for(entries() * 4);
        parallel_for(execution, threads, (cols() + chunk - 1) / chunk, [&](Index t) {
            const Index begin = t * chunk;
            moments_of_chunk(weights, v, begin, std::min(chunk, cols() - begin), m);
        });
        return m;
    }

    void pack_rows(Index begin, Index end, std::span<const double> centre,
                   const double* row_factors, double* panels) const override {
        const Index n = end - begin;
        for (Index i = 0; i < n; ++i) {
            const T* x = data_ + (begin + i) * stride_;
            const double factor = row_factors == nullptr ? 1 : row_factors[i];
            for (Index j = 0; j < cols(); j += gram_width) {
                double* panel = panels + (j / gram_width) * n * gram_width + i * gram_width;
                const Index width = std::min(gram_width, cols() - j);
                for (Index k = 0; k < width; ++k) panel[k] = (x[j + k] - centre[j + k]) * factor;
            }
        }
    }

  private:
    static constexpr Index chunk = 256;

    struct ChunkSums {
        std::array<double, chunk> centre{}, first{}, second{}, mixed{}, low{}, high{};
    };

    void moments_of_chunk(RowWeights weights, std::span<const double> v, Index begin, Index count,
                          ColumnMoments& m) const {
        ChunkSums s;
        const double total = total_weight(weights, rows());
        // The first pass finds the means, the second sums about them.
        accumulate(weights, v, begin, count, s);
        for (Index c = 0; c < count; ++c) {
            const Index j = begin + c;
            m.is_constant[j] = s.low[c] == s.high[c];
            m.mean[j] = m.is_constant[j] ? s.low[c] : s.first[c] / total;
            s.centre[c] = m.mean[j];
        }
        accumulate(weights, v, begin, count, s);
        for (Index c = 0; c < count; ++c) {
            m.centred_sum[begin + c] = s.first[c];
            m.squares[begin + c] = s.second[c];
            m.products[begin + c] = s.mixed[c];
        }
    }

    void accumulate(RowWeights weights, std::span<const double> v, Index begin, Index count,
                    ChunkSums& s) const {
        s.first.fill(0);
        s.second.fill(0);
        s.mixed.fill(0);
        s.low.fill(std::numeric_limits<double>::infinity());
        s.high.fill(-std::numeric_limits<double>::infinity());
        for (Index i = 0; i < rows(); ++i) {
            const T* x = data_ + i * stride_ + begin;
            const double w = weights.empty() ? 1 : weights[i];
            for (Index c = 0; c < count; ++c) {
                const double d = x[c] - s.centre[c];
                s.first[c] += w * d;
                s.second[c] += w * d * d;
                s.mixed[c] += v[i] * d;
            }
            if (w == 0) continue;
            for (Index c = 0; c < count; ++c) {
                s.low[c] = std::min<double>(s.low[c], x[c]);
                s.high[c] = std::max<double>(s.high[c], x[c]);
            }
        }
    }

    const T* data_;
    Index stride_;
};

}  // namespace

std::unique_ptr<Design> make_dense_design(const DenseView& X) {
    if (X.layout == Layout::column_major) {
        if (X.scalar == Scalar::float64) return std::make_unique<ColumnMajorDesign<double>>(X);
        return std::make_unique<ColumnMajorDesign<float>>(X);
    }
    if (X.scalar == Scalar::float64) return std::make_unique<RowMajorDesign<double>>(X);
    return std::make_unique<RowMajorDesign<float>>(X);
}

}  // namespace sven::linalg
