// The moments of the columns, and rows of X for the host.

#include <algorithm>
#include <numeric>
#include <vector>

#include "cuda/design.hpp"
#include "cuda/tuning.hpp"
#include "linalg/kernels.hpp"

namespace sven::cuda {

using linalg::Execution;

linalg::ColumnMoments CudaDesign::moments(linalg::RowWeights weights, std::span<const double> v,
                                          const Execution& execution) const {
    linalg::ColumnMoments m;
    if (cols() == 0) return m;
    const Index p = cols();
    const LaneUse lane(*this);  // for its pinned memory: the next caller's pass need not wait
    lane->results.reserve(static_cast<std::size_t>(5 * p) * 8);
    {
        const std::lock_guard lock(mutex_);
        const Settled settled{*this};
        ensure_resident(execution);
        Inputs inputs(main_, 2 * rows());
        RowInputs input;
        input.v = inputs.put(v, execution.threads);
        if (!weights.empty()) input.weights = inputs.put(weights, execution.threads);
        inputs.send();
        for (Index i = 0; i < rows(); ++i) {
            const double w = weights.empty() ? 1 : weights[i];
            input.total_weight += w;
            input.total_v += v[i];
            input.counted += w != 0 ? 1 : 0;
        }
        double* out = main_.out.reserve(5 * p);
        main_.partial.reserve(moments_scratch(rows(), p));
        launch_moments(input, {out, out + p, out + 2 * p, out + 3 * p, out + 4 * p},
                       main_.partial.data());
        SVEN_CUDA(cudaMemcpyAsync(lane->results.get(), out, static_cast<std::size_t>(5 * p) * 8,
                                  cudaMemcpyDeviceToHost, stream()));
        main_.stream.synchronize();
    }
    const double* result = lane->results.doubles();
    m.mean.assign(result, result + p);
    m.centred_sum.assign(result + p, result + 2 * p);
    m.squares.assign(result + 2 * p, result + 3 * p);
    m.products.assign(result + 3 * p, result + 4 * p);
    m.is_constant.resize(static_cast<std::size_t>(p));
    for (Index j = 0; j < p; ++j) m.is_constant[j] = result[4 * p + j] != 0 ? 1 : 0;
    return m;
}

// One pass for each; the host takes the results of one out while the device makes the next.
Index CudaDesign::moments_of(std::span<const linalg::MomentRequest> requests,
                             const Execution& execution,
                             std::span<linalg::ColumnMoments> out) const {
    const auto count = static_cast<Index>(requests.size());
    {
        const std::lock_guard lock(mutex_);
        const Settled settled{*this};
        if (keeps_columns()) ensure_resident(execution);
    }
    if (!keeps_columns()) return Design::moments_of(requests, execution, out);
    const Execution alone{count > 1 ? 1 : execution.threads, execution.cancel};
    linalg::parallel_for(execution, {execution.threads}, count, [&](Index k) {
        out[k] = moments(requests[k].weights, requests[k].v, alone);
    });
    return count;
}

void CudaDesign::pack_rows(Index begin, Index end, std::span<const double> centre,
                           const double* row_factors, double* panels) const {
    if (host_ != nullptr) {
        host_->pack_rows(begin, end, centre, row_factors, panels);
        return;
    }
    if (cols() == 0) return;
    std::vector<Index> list(static_cast<std::size_t>(end - begin));
    std::iota(list.begin(), list.end(), begin);
    const std::lock_guard lock(mutex_);
    fetch_rows(list, centre.first(static_cast<std::size_t>(cols())));
    constexpr Index width = linalg::gram_width;
    const Index n = end - begin;
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < cols(); ++j)
            panels[(j / width * n + i) * width + j % width] =
                main_.results.doubles()[fills_columns() ? j * n + i : i * cols() + j] *
                (row_factors == nullptr ? 1 : row_factors[i]);
}

linalg::RowSample CudaDesign::sample_rows() const {
    if (host_ != nullptr) return host_->sample_rows();
    const Index samples = cols() == 0 ? 0 : std::min(rows(), sampled_rows);
    linalg::RowSample sample{samples, {}};
    if (samples == 0) return sample;
    std::vector<Index> list;
    for (Index s = 0; s < samples; ++s) list.push_back(rows() * s / samples);
    const std::lock_guard lock(mutex_);
    fetch_rows(list, std::vector<double>(static_cast<std::size_t>(cols())));  // about zero
    const double* const fetched = main_.results.doubles();
    sample.values.assign(fetched, fetched + samples * cols());
    if (fills_columns()) return sample;
    for (Index j = 0; j < cols(); ++j)
        for (Index i = 0; i < samples; ++i)
            sample.values[j * samples + i] = fetched[i * cols() + j];
    return sample;
}

// Copies rows of a resident X to main_.results, minus `centre`, in the order of fills_columns.
void CudaDesign::fetch_rows(std::span<const Index> list, std::span<const double> centre) const {
    const Settled settled{*this};
    const auto n = static_cast<Index>(list.size());
    Inputs inputs(main_, n + (is_sparse() ? rows() : 0) + cols());
    RowBlock block;
    block.list = inputs.put(list);
    if (is_sparse()) {
        std::vector<Index> position(static_cast<std::size_t>(rows()), -1);
        for (Index i = 0; i < n; ++i) position[list[i]] = i;
        block.position = inputs.put(position);
    }
    block.centre = inputs.put(centre);
    inputs.send();
    block.count = block.valid = n;
    block.width = cols();
    main_.out.reserve(n * cols());
    launch_fill(block, main_.out.data());
    main_.download(main_.out.data(), n * cols());
}

}  // namespace sven::cuda
