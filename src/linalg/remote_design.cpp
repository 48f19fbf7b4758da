#include "linalg/remote_design.hpp"

#include <algorithm>

#include "linalg/remote_ranks.hpp"
#include "linalg/tuning.hpp"
#include "sven/custom_matrix.hpp"

namespace sven::linalg {
namespace {

Reader open(const std::string& answer) {
    Reader from(answer);
    (void)from.get<char>();
    return from;
}

class RemoteDesign final : public Design {
  public:
    explicit RemoteDesign(std::shared_ptr<Ranks> ranks)
        : Design(ranks->rows(), ranks->cols()),
          ranks_(std::move(ranks)),
          owner_(ranks_->next_owner()) {}

    double entries() const override { return ranks_->entries(); }

    void correlate(const Panel& Q, const Execution& execution,
                   const TileConsumer& consume) const override {
        Writer common;
        put_panel(Q, common);
        const std::vector<std::string> answers = ask_all(Verb::correlate, common.take(), execution);
        // tiles are those of one matrix, wherever the columns of a rank begin
        Buffer<double> all(cols() * Q.lanes());
        for (int rank = 0; rank < ranks_->size(); ++rank)
            open(answers[rank])
                .get(all.data() + ranks_->first(rank) * Q.lanes(), ranks_->cols(rank) * Q.lanes());
        const Index tiles = (cols() + tile_columns - 1) / tile_columns;
        const Team team = execution.team_for(static_cast<double>(cols() * Q.stride()));
        parallel_for(execution, team, tiles, [&](Index t) {
            const Index begin = t * tile_columns;
            const Index count = std::min(tile_columns, cols() - begin);
            Buffer<double> tile(count * Q.stride());
            std::fill_n(tile.data(), count * Q.stride(), 0.0);
            for (Index c = 0; c < count; ++c)
                std::copy_n(all.data() + (begin + c) * Q.lanes(), Q.lanes(),
                            tile.data() + c * Q.stride());
            consume(begin, count, tile.data());
        });
    }

    // Lists are of the working set, which is here.
    void correlate_some(std::span<const Index> columns, std::span<const double> q,
                        const Execution& execution, double* out) const override {
        for_replicated(columns, execution, [&](std::size_t first, const auto& found) {
            const auto count = static_cast<Index>(found.size());
            const double work = 2 * static_cast<double>(count * rows());
            parallel_pieces(execution, work, count, dot_columns, [&](Index begin, Index end) {
                for (Index c = begin; c < end; ++c) {
                    const double* const x = found[c]->data();
                    kernels().dot_f64(&x, 1, nullptr, rows(), q.data(),
                                      out + static_cast<Index>(first) + c);
                }
            });
        });
    }

    void correlate_list(std::span<const Index> columns, const Panel& Q, const Execution& execution,
                        double* out) const override {
        std::fill_n(out, static_cast<Index>(columns.size()) * Q.stride(), 0.0);
        for_replicated(columns, execution, [&](std::size_t first, const auto& found) {
            const auto count = static_cast<Index>(found.size());
            const double work = 2 * static_cast<double>(count * rows() * Q.stride());
            double* const target = out + static_cast<Index>(first) * Q.stride();
            parallel_pieces(execution, work, count, dot_columns, [&](Index begin, Index end) {
                for (Index c = begin; c < end; ++c) {
                    const double* const x = found[c]->data();
                    for (Index lane = 0; lane < Q.stride(); lane += lane_group)
                        kernels().correlate_f64(&x, 1, 0, nullptr, rows(), Q.row(0) + lane,
                                                Q.stride(), target + c * Q.stride() + lane);
                }
            });
        });
    }

    void gather(std::span<const Index> columns, const Execution& execution, double* out,
                Index stride) const override {
        for_replicated(columns, execution, [&](std::size_t first, const auto& found) {
            for (std::size_t c = 0; c < found.size(); ++c)
                std::copy_n(found[c]->data(), rows(), out + static_cast<Index>(first + c) * stride);
        });
    }

    // By the columns one after the other: the sums are those of one machine, whoever has which.
    void multiply(std::span<const Index> columns, std::span<const double> values,
                  const Execution& execution, double* out) const override {
        std::fill_n(out, rows(), 0.0);
        for_replicated(columns, execution, [&](std::size_t first, const auto& found) {
            for (std::size_t c = 0; c < found.size(); ++c) {
                const double value = values[first + c];
                const double* const x = found[c]->data();
                for (Index i = 0; i < rows(); ++i) out[i] += value * x[i];
            }
        });
    }

    ColumnMoments moments(RowWeights weights, std::span<const double> v,
                          const Execution& execution) const override {
        return only_moments(weights, v, execution);
    }

    Index moments_of(std::span<const MomentRequest> requests, const Execution& execution,
                     std::span<ColumnMoments> out) const override {
        Writer common;
        common.put(static_cast<Index>(requests.size()));
        for (const MomentRequest& request : requests)
            common.put_list(request.weights).put_list(request.v);
        const auto answers = ask_all(Verb::moments, common.take(), execution);
        for (ColumnMoments& m : out) m = make_moments(cols());
        Index passes = 0;
        for (int rank = 0; rank < ranks_->size(); ++rank) {
            Reader from = open(answers[rank]);
            passes = std::max(passes, from.get<Index>());
            const Index first = ranks_->first(rank);
            const Index count = ranks_->cols(rank);
            for (ColumnMoments& m : out) {
                for (auto* numbers : {&m.mean, &m.centred_sum, &m.squares, &m.products})
                    from.get(numbers->data() + first, count);
                from.get(m.is_constant.data() + first, count);
            }
        }
        return passes;
    }

    // Every entry comes to rank 0 for it: the route over the Gram matrix is for rows.
    void pack_rows(Index begin, Index end, std::span<const double> centre,
                   const double* row_factors, double* panels) const override {
        const Index height = end - begin;
        const std::vector<std::string> requests(
            static_cast<std::size_t>(ranks_->size()),
            Writer().put(Verb::pack_rows).put(begin).put(end).take());
        const auto answers = ask(requests, {});
        for (int rank = 0; rank < ranks_->size(); ++rank) {
            Reader from = open(answers[rank]);
            for (Index j = ranks_->first(rank); j < ranks_->first(rank + 1); ++j) {
                double* const panel = panels + j / gram_width * height * gram_width;
                for (Index i = 0; i < height; ++i) {
                    const double x = from.get<double>() - centre[j];
                    panel[i * gram_width + j % gram_width] =
                        row_factors == nullptr ? x : x * row_factors[i];
                }
            }
        }
    }

  private:
    std::vector<std::string> ask(const std::vector<std::string>& requests,
                                 const Execution& execution) const {
        return ranks_->ask(requests, {}, {shift_, owner_, shift_version_}, execution);
    }
    std::vector<std::string> ask_all(Verb verb, const std::string& common,
                                     const Execution& execution) const {
        const std::vector<std::string> requests(static_cast<std::size_t>(ranks_->size()),
                                                Writer().put(verb).take());
        return ranks_->ask(requests, common, {shift_, owner_, shift_version_}, execution);
    }
    // Those that rank 0 has no copies of are asked for, in one round.
    std::vector<Column> replicated(std::span<const Index> columns,
                                   const Execution& execution) const {
        std::vector<Column> found(columns.size());
        std::vector<Index> missing, at;
        replica_.follow(shift_version_);
        for (std::size_t c = 0; c < columns.size(); ++c) {
            found[c] = replica_.find(columns[c]);
            if (found[c]) continue;
            missing.push_back(columns[c]);
            at.push_back(static_cast<Index>(c));
        }
        if (missing.empty()) return found;
        const Split split(*ranks_, missing);
        const auto answers = ask(split.requests(), execution);
        for (std::size_t rank = 0; rank < answers.size(); ++rank) {
            if (answers[rank].empty()) continue;
            Reader from = open(answers[rank]);
            const std::vector<Index>& place = split.place[rank];
            get_columns(from, rows(), static_cast<Index>(place.size()), [&](Index c) {
                const auto values =
                    std::make_shared<std::vector<double>>(static_cast<std::size_t>(rows()));
                found[at[place[c]]] = values;
                return values->data();
            });
            for (const Index m : place) replica_.keep(missing[m], found[at[m]]);
        }
        return found;
    }
    // body(first place in the list, columns), for groups that a replica can hold.
    template <class Body>
    void for_replicated(std::span<const Index> columns, const Execution& execution,
                        const Body& body) const {
        const auto most = static_cast<std::size_t>(
            1 + replica_bytes / (Index{sizeof(double)} * std::max<Index>(1, rows())));
        for (std::size_t begin = 0; begin < columns.size(); begin += most)
            body(begin, replicated(columns.subspan(begin, std::min(most, columns.size() - begin)),
                                   execution));
    }

    std::shared_ptr<Ranks> ranks_;
    Index owner_;
    mutable Replica replica_;
};

class RemoteMatrix final : public DistributedColumns {
  public:
    explicit RemoteMatrix(std::shared_ptr<Ranks> ranks) : ranks_(std::move(ranks)) {}

    Index rows() const override { return ranks_->rows(); }
    Index cols() const override { return ranks_->cols(); }
    double entries() const override { return ranks_->entries(); }
    Traffic traffic() const override { return ranks_->traffic(); }
    void read(Rows range, std::span<const Index> columns, double* out,
              Index stride) const override {
        const auto count = static_cast<Index>(columns.size());
        Buffer<double> whole(count * rows());
        make_design()->gather(columns, {}, whole.data(), rows());
        for (Index c = 0; c < count; ++c)
            std::copy_n(whole.data() + c * rows() + range.begin, range.end - range.begin,
                        out + c * stride);
    }
    std::unique_ptr<Design> make_design() const { return std::make_unique<RemoteDesign>(ranks_); }

  private:
    std::shared_ptr<Ranks> ranks_;
};

}  // namespace

std::shared_ptr<const DistributedColumns> make_remote_matrix(std::unique_ptr<Owners> owners,
                                                             const ColumnShares& shares) {
    return std::make_shared<const RemoteMatrix>(std::make_shared<Ranks>(std::move(owners), shares));
}

std::unique_ptr<Design> make_remote_design(const SharedMatrix& X) {
    const auto* const remote = dynamic_cast<const RemoteMatrix*>(X.get());
    return remote == nullptr ? nullptr : remote->make_design();
}

}  // namespace sven::linalg
