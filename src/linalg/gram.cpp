#include "linalg/gram.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "linalg/gram_panels.hpp"
#include "linalg/paired_sums.hpp"
#include "linalg/tuning.hpp"

namespace sven::linalg {
namespace {

// Clearing new memory takes as long as adding the first thousands of rows, so it is cancellable.
void clear(Index size, const Execution& execution, double* values) {
    for (Index begin = 0; begin < size && !execution.is_cancelled(); begin += poll_entries)
        std::fill_n(values + begin, std::min(poll_entries, size - begin), 0.0);
}

// The response and the ones behind the columns of X; the rest of the last panel is zero.
template <class ResponseOf>
void pack_response(Index n, const ResponseOf& response, const double* factors, Index p,
                   double* packed) {
    const Index first = p % gram_width;
    double* panel = packed + p / gram_width * n * gram_width;
    double* of_ones = first + 1 < gram_width ? panel + first + 1 : panel + n * gram_width;
    const Index zeros = (gram_width - (p + 2) % gram_width) % gram_width;
    for (Index i = 0; i < n; ++i) {
        const double factor = factors == nullptr ? 1 : factors[i];
        panel[i * gram_width + first] = response(i) * factor;
        of_ones[i * gram_width] = factor;
        std::fill_n(of_ones + i * gram_width + 1, zeros, 0.0);
    }
}

class Accumulator {
  public:
    Accumulator(const Design& X, std::span<const double> y, RowWeights weights, GramSums& sums)
        : X_(X),
          y_(y),
          weights_(weights),
          sums_(sums),
          panels_((X.cols() + 2 + gram_width - 1) / gram_width) {
        block_ = std::clamp(gram_block_entries / (panels_ * gram_width) / 8 * 8, fewest_gram_rows,
                            most_gram_rows);
    }

    // Shares of the rows, as many as their number makes worthwhile, each with sums of its own.
    // Where they are fewer than the threads, several work on one block of a share.
    void run(const Execution& execution) {
        const double work =
            static_cast<double>(X_.rows()) * static_cast<double>(X_.cols() * X_.cols());
        const Team team = execution.team_for(work);
        const Index size = sums_.stride * panels_ * gram_width;
        const auto wanted = static_cast<std::uint64_t>(
            std::max<Index>(1, std::min(X_.rows() / fewest_share_rows, most_gram_shares)));
        const auto shares = static_cast<Index>(std::bit_floor(wanted));
        const int each = team.threads / static_cast<int>(std::min<Index>(shares, team.threads));
        if (shares == 1) {
            Scratch scratch(*this);
            add_rows({0, X_.rows()}, {each, execution.cancel}, scratch, sums_.values.data());
            execution.check();
            return;
        }
        PairedSums sums(shares);
        sums_.values = {};  // not needed before the total
        const auto add_share = [&](Index share, Scratch& scratch) {
            Buffer<double> target = sums.take(size);
            add_rows({X_.rows() * share / shares, X_.rows() * (share + 1) / shares},
                     {each, execution.cancel}, scratch, target.data());
            sums.close(share, std::move(target), [&](double* left, const double* right) {
                add_lower(right, execution, left);
            });
        };
        // In order, so that few sums wait for their other half.
        std::atomic<Index> next{0};
        parallel_for(execution, team, team.threads, [&](Index) {
            Scratch scratch(*this);
            for (Index share = next++; share < shares && !execution.is_cancelled(); share = next++)
                add_share(share, scratch);
        });
        sums_.values = sums.total();
    }

  private:
    struct Rows {
        Index begin;
        Index end;
    };
    struct Scratch {
        explicit Scratch(const Accumulator& of)
            : packed(of.block_ * of.panels_ * gram_width), factors(of.block_) {}

        Buffer<double> packed;
        Buffer<double> factors;
    };

    // target = the sums over some rows; stops when cancelled.
    void add_rows(Rows rows, const Execution& execution, Scratch& scratch, double* target) {
        clear(sums_.stride * panels_ * gram_width, execution, target);
        for (Index i = rows.begin; i < rows.end && !execution.is_cancelled(); i += block_)
            add_block({i, std::min(rows.end, i + block_)}, execution, scratch, target);
    }

    // left += right, in the lower triangle; stops when cancelled.
    void add_lower(const double* right, const Execution& execution, double* left) const {
        for (Index j = 0; j < panels_ * gram_width && !execution.is_cancelled(); ++j)
            for (Index at = j * sums_.stride + j / gram_width * gram_width;
                 at < (j + 1) * sums_.stride; ++at)
                left[at] += right[at];
    }

    void add_block(Rows rows, const Execution& execution, Scratch& scratch, double* target) {
        const Index begin = rows.begin;
        const Index end = rows.end;
        double* packed = scratch.packed.data();
        double* factors = scratch.factors.data();
        const Index n = end - begin;
        if (!weights_.empty())
            for (Index i = 0; i < n; ++i) factors[i] = std::sqrt(weights_[begin + i]);
        const double* row_factors = weights_.empty() ? nullptr : factors;
        X_.pack_rows(begin, end, sums_.centre, row_factors, packed);
        pack_response(
            n, [&](Index i) { return y_[begin + i]; }, row_factors, X_.cols(), packed);
        multiply_panels({packed, X_.cols() + 2, n}, execution, sums_.stride, target,
                        X_.rows_ahead(end, std::min(X_.rows(), end + block_)));
    }

    const Design& X_;
    std::span<const double> y_;
    RowWeights weights_;
    GramSums& sums_;
    Index panels_;
    Index block_ = 0;
};

// Over the non-zeros; the sums with y and the ones come from one product.
void accumulate_sparse(const Design& X, std::span<const double> y, RowWeights weights,
                       const Execution& execution, GramSums& sums) {
    const Index p = X.cols();
    const Index n = X.rows();
    clear(sums.stride * sums.stride, execution, sums.values.data());
    execution.check();
    X.accumulate_sparse_gram(weights, execution, sums.values.data(), sums.stride);
    Panel Q;
    Q.resize(n, 2, execution);
    double yy = 0;
    double y_sum = 0;
    double total = 0;
    for (Index i = 0; i < n; ++i) {
        const double w = weights.empty() ? 1 : weights[i];
        Q.row(i)[0] = w * y[i];
        Q.row(i)[1] = w;
        yy += w * y[i] * y[i];
        y_sum += w * y[i];
        total += w;
    }
    X.correlate(Q, execution, [&](Index begin, Index count, const double* tile) {
        for (Index c = 0; c < count; ++c) {
            sums.values[(begin + c) * sums.stride + p] = tile[c * Q.stride()];
            sums.values[(begin + c) * sums.stride + p + 1] = tile[c * Q.stride() + 1];
        }
    });
    sums.values[p * sums.stride + p] = yy;
    sums.values[p * sums.stride + p + 1] = y_sum;
    sums.values[(p + 1) * sums.stride + p + 1] = total;
}

// The Gram matrices of groups of rows. Rows are packed in their original order, in which columns
// are contiguous, and then moved to their groups; a group's part of a block is multiplied while it
// is in the cache.
class GroupAccumulator {
  public:
    GroupAccumulator(const Design& X, std::span<const double> y, RowWeights weights,
                     std::span<const std::int32_t> group_of_row, std::vector<GramSums>& sums)
        : X_(X),
          y_(y),
          weights_(weights),
          group_of_row_(group_of_row),
          sums_(sums),
          panels_((X.cols() + 2 + gram_width - 1) / gram_width),
          // Enough rows of each group to make up for reloading its sums.
          block_(std::clamp(
              static_cast<Index>(sums.size()) *
                  std::clamp(gram_block_entries / width(), fewest_gram_rows, most_gram_rows),
              packed_rows, std::max(packed_rows, group_block_entries / width()))),
          grouped_(block_ * width()),
          first_(sums.size() + 1),
          place_(static_cast<std::size_t>(block_)) {}

    void run(const Execution& execution) {
        for (Index begin = 0; begin < X_.rows(); begin += block_) {
            const Index end = std::min(X_.rows(), begin + block_);
            place(begin, end);
            const Team team =
                execution.team_for(packing_cost * static_cast<double>((end - begin) * width()));
            const Index pieces = (end - begin + packed_rows - 1) / packed_rows;
            parallel_for(execution, team, pieces, [&](Index piece) {
                const Index from = begin + piece * packed_rows;
                pack(begin, from, std::min(end, from + packed_rows));
            });
            multiply(execution);
        }
    }

  private:
    static constexpr Index packed_rows = group_packed_rows;

    Index width() const { return panels_ * gram_width; }

    // The place of each row of the block: sorted by group.
    void place(Index begin, Index end) {
        std::fill(first_.begin(), first_.end(), Index{0});
        for (Index i = begin; i < end; ++i)
            if (group_of_row_[i] >= 0) ++first_[group_of_row_[i] + 1];
        for (std::size_t g = 1; g < first_.size(); ++g) first_[g] += first_[g - 1];
        std::vector<Index> next(first_.begin(), first_.end() - 1);
        for (Index i = begin; i < end; ++i)
            place_[i - begin] = group_of_row_[i] < 0 ? -1 : next[group_of_row_[i]]++;
    }

    // Rows [from, to), packed, then each row of a panel to its group's panel.
    void pack(Index begin, Index from, Index to) {
        const Index n = to - from;
        Buffer<double> packed(n * width());
        std::array<double, packed_rows> factors{};
        if (!weights_.empty())
            for (Index i = 0; i < n; ++i) factors[i] = std::sqrt(weights_[from + i]);
        const double* row_factors = weights_.empty() ? nullptr : factors.data();
        X_.pack_rows(from, to, sums_.front().centre, row_factors, packed.data());
        pack_response(
            n, [&](Index i) { return y_[from + i]; }, row_factors, X_.cols(), packed.data());
        for (Index i = 0; i < n; ++i) {
            const Index at = place_[from - begin + i];
            if (at < 0) continue;
            const std::int32_t g = group_of_row_[from + i];
            const Index rows = first_[g + 1] - first_[g];
            double* target = grouped_.data() + first_[g] * width() + (at - first_[g]) * gram_width;
            for (Index J = 0; J < panels_; ++J)
                std::copy_n(packed.data() + (J * n + i) * gram_width, gram_width,
                            target + J * rows * gram_width);
        }
    }

    // One task per group and chunk of panels: no two write to the same sums.
    void multiply(const Execution& execution) {
        const Index chunks = (panels_ + gram_panel_chunk - 1) / gram_panel_chunk;
        const auto groups = static_cast<Index>(sums_.size());
        parallel_for(execution, execution.threads, groups * chunks, [&](Index task) {
            const Index g = task / chunks;
            const Index rows = first_[g + 1] - first_[g];
            if (rows == 0) return;
            Ahead nothing;
            multiply_chunk({grouped_.data() + first_[g] * width(), X_.cols() + 2, rows},
                           task % chunks * gram_panel_chunk, sums_[g].stride,
                           sums_[g].values.data(), nothing);
        });
    }

    const Design& X_;
    std::span<const double> y_;
    RowWeights weights_;
    std::span<const std::int32_t> group_of_row_;
    std::vector<GramSums>& sums_;
    Index panels_;
    Index block_;
    Buffer<double> grouped_;
    std::vector<Index> first_;  // row of a group in the block
    std::vector<Index> place_;  // of each row of the block, -1: in no group
};

// Whether the pairs of stored entries cost less than packed rows.
bool is_sparse_cheaper(const Design& X) {
    if (X.is_on_device()) return false;  // it has its own pass
    const auto p = static_cast<double>(X.cols());
    const double dense = static_cast<double>(X.rows()) * p * p / 2 / packed_gram_rate;
    return X.is_sparse() && X.sparse_gram_cost() / sparse_gram_rate < dense;
}

// A point near the columns' means; zero if the design prefers that and no column is far from zero.
// Subtracting the means afterwards loses the square of their distance in deviations.
std::vector<double> choose_centre(const Design& X) {
    const RowSample sample = X.sample_rows();
    std::vector<double> mean(static_cast<std::size_t>(X.cols()));
    bool is_far = !X.prefers_no_centre();
    const auto count = static_cast<double>(sample.count);
    for (Index j = 0; j < X.cols(); ++j) {
        const double* x = sample.values.data() + j * sample.count;
        const double sum = std::accumulate(x, x + sample.count, 0.0);
        mean[j] = sample.count > 0 ? sum / count : 0;
        double squares = 0;
        for (Index i = 0; i < sample.count; ++i) squares += (x[i] - mean[j]) * (x[i] - mean[j]);
        is_far |= count * mean[j] * mean[j] > far_centre * far_centre * squares;
    }
    if (!is_far) std::fill(mean.begin(), mean.end(), 0.0);
    return mean;
}

}  // namespace

GramSums accumulate_gram(const Design& X, std::span<const double> y, RowWeights weights,
                         const Execution& execution, std::span<const double> centre) {
    GramSums sums;
    sums.cols = X.cols();
    const Index panels = (X.cols() + 2 + gram_width - 1) / gram_width;
    sums.stride = panels * gram_width;
    sums.values.reserve(sums.stride * sums.stride);
    const auto sum_rows = [&] {
        if (X.sum_gram({y, weights, {}}, execution, {&sums, 1})) return;
        Accumulator(X, y, weights, sums).run(execution);
    };
    if (!centre.empty()) {
        sums.centre.assign(centre.begin(), centre.end());
        sum_rows();
    } else if (is_sparse_cheaper(X)) {
        sums.centre.assign(static_cast<std::size_t>(X.cols()), 0.0);
        accumulate_sparse(X, y, weights, execution, sums);
    } else {
        sums.centre = choose_centre(X);
        sum_rows();
    }
    return sums;
}

std::vector<GramSums> accumulate_group_grams(const Design& X, const GramRequest& request,
                                             Index groups, const Execution& execution,
                                             std::span<const double> given_centre) {
    const Index panels = (X.cols() + 2 + gram_width - 1) / gram_width;
    const bool is_sparse = given_centre.empty() && is_sparse_cheaper(X);
    std::vector<double> centre(given_centre.begin(), given_centre.end());
    if (is_sparse) centre.assign(static_cast<std::size_t>(X.cols()), 0.0);
    if (centre.empty()) centre = choose_centre(X);
    std::vector<GramSums> sums(static_cast<std::size_t>(groups));
    for (GramSums& group : sums) {
        group.cols = X.cols();
        group.stride = panels * gram_width;
        group.centre = centre;
        group.values.reserve(group.stride * group.stride);
    }
    if (X.sum_gram(request, execution, sums)) return sums;
    if (!is_sparse) {
        for (GramSums& group : sums)
            clear(group.stride * group.stride, execution, group.values.data());
        GroupAccumulator(X, request.y, request.weights, request.group_of_row, sums).run(execution);
        return sums;
    }
    // Rows of weight zero cost nothing.
    parallel_for(execution, execution.threads, groups, [&](Index g) {
        std::vector<double> of_group(static_cast<std::size_t>(X.rows()));
        for (Index i = 0; i < X.rows(); ++i)
            if (request.group_of_row[i] == g)
                of_group[i] = request.weights.empty() ? 1 : request.weights[i];
        accumulate_sparse(X, request.y, of_group, {1, execution.cancel}, sums[g]);
    });
    return sums;
}

}  // namespace sven::linalg
