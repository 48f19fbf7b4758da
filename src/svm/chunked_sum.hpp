#pragma once
// A sum of many rows into one vector, in chunks whose number depends on the sizes only: the result
// has the same bits for any number of threads.

#include <algorithm>

#include "linalg/buffer.hpp"
#include "linalg/execution.hpp"
#include "svm/tuning.hpp"

namespace sven::svm {

class ChunkedSum {
  public:
    explicit ChunkedSum(Index length) : length_(length), partial_(most_chunks * length) {}

    // body(begin, end, target) adds rows [begin, end) to target. `work`: operations in all.
    template <class Body>
    void run(const linalg::Execution& execution, Index count, double work, double* out,
             const Body& body) {
        const Index chunks = work < chunked_operations ? 1 : std::min(most_chunks, count);
        if (chunks <= 1) {
            std::fill_n(out, length_, 0.0);
            body(Index{0}, count, out);
            return;
        }
        // rows between two polls of the cancel token
        const auto step = static_cast<Index>(
            std::clamp(linalg::poll_operations * static_cast<double>(count) / work, 1.0,
                       static_cast<double>(count)));
        linalg::parallel_for(execution, execution.team_for(work), chunks, [&](Index chunk) {
            double* target = partial_.data() + chunk * length_;
            std::fill_n(target, length_, 0.0);
            const Index end = count * (chunk + 1) / chunks;
            for (Index begin = count * chunk / chunks; begin < end; begin += step) {
                if (execution.is_cancelled()) return;
                body(begin, std::min(end, begin + step), target);
            }
        });
        add_up(execution, chunks, out);
    }

  private:
    void add_up(const linalg::Execution& execution, Index chunks, double* out) {
        const linalg::Team team = execution.team_for(static_cast<double>(chunks * length_));
        linalg::parallel_ranges(team, length_, line_doubles, [&](Index begin, Index end) {
            std::copy(partial_.data() + begin, partial_.data() + end, out + begin);
            for (Index chunk = 1; chunk < chunks; ++chunk) {
                const double* part = partial_.data() + chunk * length_;
                for (Index j = begin; j < end; ++j) out[j] += part[j];
            }
        });
    }

    Index length_;
    linalg::Buffer<double> partial_;
};

}  // namespace sven::svm
