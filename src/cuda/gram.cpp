// The Gram matrix on the device, by blocks of rows (square_products.hpp). Without centre and
// weights X is multiplied in place; otherwise rows are centred and weighted first, one block while
// the previous one is multiplied. If X is not resident yet, the next block is sent meanwhile.

#include "linalg/gram.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "cuda/blas.hpp"
#include "cuda/design.hpp"
#include "cuda/square_products.hpp"
#include "cuda/tuning.hpp"

namespace sven::cuda {

using linalg::Execution;
using linalg::GramRequest;
using linalg::GramSums;

namespace {

Index rows_of(double bytes, Index columns, Index unit) {
    const auto rows = static_cast<Index>(bytes / 8 / static_cast<double>(columns));
    return std::max<Index>(1, rows / unit) * unit;
}

}  // namespace

// The order of the blocks, shared by both kinds of pass.
class GramPass {
  public:
    GramPass(const CudaDesign& design, const GramRequest& request, const Execution& execution)
        : design_(design), request_(request), execution_(execution) {}
    virtual ~GramPass() = default;
    GramPass(const GramPass&) = delete;
    GramPass& operator=(const GramPass&) = delete;

    void run(std::span<GramSums> sums) {
        send_inputs(sums);
        const bool is_sent = request_.group_of_row.empty() && !design_.is_resident();
        if (is_sent) {
            start();
            design_.make_resident(execution_, block_rows(true),
                                  [&](Index begin, Index end) { add(begin, end); });
            finish(sums.front());
            return;
        }
        design_.ensure_resident(execution_);
        const Index block = block_rows(false);
        Index begin = 0;
        for (std::size_t g = 0; g < sums.size(); ++g) {
            start();
            for (; begin < ends_[g]; begin += block) {
                execution_.check();
                add(begin, std::min(ends_[g], begin + block));
            }
            begin = ends_[g];
            finish(sums[g]);
        }
    }

  protected:
    virtual Index block_rows(bool is_sent) const = 0;
    virtual void send_inputs(std::span<const GramSums> sums) = 0;
    virtual void start() = 0;
    virtual void add(Index begin, Index end) = 0;
    virtual void finish(GramSums& sums) = 0;

    // Access to private parts of the design.
    using Inputs = CudaDesign::Inputs;
    Inputs make_inputs(Index doubles) const { return {design_.main_, doubles}; }
    const Stream& stream() const { return design_.main_.stream; }
    const Stream& beside() const { return design_.copies_; }  // for concurrent work
    bool fills_columns() const { return design_.fills_columns(); }
    void fill(const RowBlock& block, double* out) const { design_.launch_fill(block, out); }
    const double* download(const double* from, Index size) const {
        design_.main_.download(from, size);
        return design_.main_.results.doubles();
    }

    // The first `columns` columns of the sums.
    void copy_squares(SquareProducts& squares, Index columns, GramSums& sums) const {
        const Index width = squares.width();
        const double* result = download(squares.total(stream()), width * width);
        const linalg::Team team = execution_.team_for(static_cast<double>(width * width));
        linalg::parallel_ranges(team, sums.stride, 1, [&](Index begin, Index end) {
            for (Index j = begin; j < end; ++j) {
                double* column = sums.values.data() + j * sums.stride;
                std::fill_n(column, sums.stride, 0.0);
                if (j >= columns) continue;
                const double* from = result + squares.place(j) * width;
                for (Index i = j; i < columns; ++i) column[i] = from[squares.place(i)];
            }
        });
    }

    const CudaDesign& design_;
    const GramRequest& request_;
    const Execution& execution_;
    std::vector<Index> ends_;  // of the groups, in the order of the rows
};

namespace {

// X in place. Response and ones are two of eight right-hand sides, with which cuBLAS reads X at
// nearly the speed of a copy.
class DirectGramPass final : public GramPass {
  public:
    DirectGramPass(const CudaDesign& design, const DenseData<double>& X, const GramRequest& request,
                   const Execution& execution)
        : GramPass(design, request, execution), X_(X), squares_(X.cols) {
        sides_.reserve(lanes * X.cols);
    }

  private:
    static constexpr Index lanes = 8;

    // Where a block is not cut, it is the same whether X is sent or resident, and so are the bits.
    Index block_rows(bool is_sent) const override {
        const Index good = squares_.good_block();
        return is_sent && squares_.cuts() > 1
                   ? std::min(good, rows_of(sent_bytes, X_.cols, squares_.cuts()))
                   : good;
    }

    void send_inputs(std::span<const GramSums>) override {
        const Index n = X_.rows;
        ends_ = {n};
        Inputs inputs = make_inputs(n);
        const double* y = inputs.put(request_.y, execution_.threads);
        inputs.send();
        fill_sides(y, n, panel_.reserve(lanes * n), stream());
    }

    void start() override { squares_.clear(stream()); }

    void add(Index begin, Index end) override {
        const double* rows = X_.data + begin * X_.row_step;
        squares_.add({rows, lead(), by_columns(), end - begin}, pointers_, stream());
    }

    // All rows at once: of a few thousand cuBLAS reads X at half of the speed. Meanwhile the host
    // takes the squares.
    void make_sides() {
        added_.record(stream());
        added_.hold(beside());
        Gemm call;
        call.transpose_b = !by_columns();
        call.m = lanes;
        call.n = X_.cols;
        call.k = X_.rows;
        call.A = panel_.data();
        call.lda = call.ldc = lanes;
        call.B = X_.data;
        call.ldb = lead();
        call.C = sides_.data();
        gemm(beside(), call);
        made_.record(beside());
    }

    bool by_columns() const { return X_.row_step == 1; }
    Index lead() const { return by_columns() ? X_.column_step : X_.row_step; }

    void finish(GramSums& sums) override {
        make_sides();
        const Index p = X_.cols;
        double squares = 0;
        double sum = 0;
        for (const double y : request_.y) {
            squares += y * y;
            sum += y;
        }
        copy_squares(squares_, p, sums);
        made_.hold(stream());
        const double* result = download(sides_.data(), lanes * p);
        for (Index j = 0; j < p; ++j)
            std::copy_n(result + lanes * j, 2, sums.values.data() + j * sums.stride + p);
        double* corner = sums.values.data() + p * sums.stride + p;
        corner[0] = squares;
        corner[1] = sum;
        corner[sums.stride + 1] = static_cast<double>(X_.rows);
    }

    const DenseData<double>& X_;
    SquareProducts squares_;
    SquarePointers pointers_;
    DeviceBuffer<double> panel_;  // response, ones, and zeros: eight per row
    DeviceBuffer<double> sides_;  // X'y and X'1: two of eight per column
    Event added_;                 // the products of the last block
    Event made_;                  // the sides
};

// Centred rows, times the roots of their weights, followed by response and ones, and by zeros up to
// a width that suits cuBLAS.
class FilledGramPass final : public GramPass {
  public:
    FilledGramPass(const CudaDesign& design, const GramRequest& request, const Execution& execution)
        : GramPass(design, request, execution), squares_(width()) {
        for (Half& half : halves_) half.rows.reserve(block_rows(false) * width());
    }

  private:
    // One block of rows is prepared while the other is multiplied.
    struct Half {
        DeviceBuffer<double> rows;
        SquarePointers pointers;
        Event filled;
        Event used;
    };

    Index width() const {
        const Index unit = fills_columns() ? columns_unit : rows_unit;
        return (design_.cols() + 2 + unit - 1) / unit * unit;
    }
    Index block_rows(bool) const override {
        const Index most = rows_of(prepared_bytes, width(), squares_.cuts());
        return std::min(most,
                        (design_.rows() + squares_.cuts() - 1) / squares_.cuts() * squares_.cuts());
    }

    // Centre, weights and response, and the order of the rows by group.
    void send_inputs(std::span<const GramSums> sums) override {
        const Index n = design_.rows();
        Inputs inputs = make_inputs(4 * n + design_.cols());
        source_.y = inputs.put(request_.y, execution_.threads);
        source_.centre = inputs.put(sums.front().centre);
        if (!request_.weights.empty()) {
            std::vector<double> roots(request_.weights.begin(), request_.weights.end());
            for (double& w : roots) w = std::sqrt(w);
            source_.factors = inputs.put(roots, execution_.threads);
        }
        if (request_.group_of_row.empty())
            ends_.push_back(n);
        else
            send_groups(inputs, sums.size());
        inputs.send();
    }

    void send_groups(Inputs& inputs, std::size_t groups) {
        const auto& group_of_row = request_.group_of_row;
        ends_.assign(groups, 0);
        for (const std::int32_t g : group_of_row)
            if (g >= 0) ++ends_[g];
        std::vector<Index> next(groups);
        std::exclusive_scan(ends_.begin(), ends_.end(), next.begin(), Index{0});
        std::inclusive_scan(ends_.begin(), ends_.end(), ends_.begin());
        std::vector<Index> list(groups == 0 ? 0 : static_cast<std::size_t>(ends_.back()));
        std::vector<Index> position(group_of_row.size(), -1);
        for (std::size_t i = 0; i < group_of_row.size(); ++i) {
            if (group_of_row[i] < 0) continue;
            position[i] = next[group_of_row[i]]++;
            list[position[i]] = static_cast<Index>(i);
        }
        source_.list = inputs.put(list);
        source_.position = inputs.put(position);
    }

    void start() override { squares_.clear(stream()); }

    void add(Index begin, Index end) override {
        RowBlock block = source_;
        block.begin = begin;
        block.count = block.valid = end - begin;
        block.width = width();
        Half& half = halves_[next_];
        next_ = 1 - next_;
        half.used.hold(stream());
        fill(block, half.rows.data());
        half.filled.record(stream());
        half.filled.hold(beside());
        const bool by_columns = fills_columns();
        squares_.add(
            {half.rows.data(), by_columns ? block.count : block.width, by_columns, block.count},
            half.pointers, beside());
        half.used.record(beside());
    }

    void finish(GramSums& sums) override {
        for (Half& half : halves_) half.used.hold(stream());
        copy_squares(squares_, design_.cols() + 2, sums);
    }

    SquareProducts squares_;
    RowBlock source_;
    std::array<Half, 2> halves_;
    int next_ = 0;
};

}  // namespace

bool CudaDesign::prefers_no_centre() const {
    return doubles() != nullptr;
}

bool CudaDesign::sum_gram(const GramRequest& request, const Execution& execution,
                          std::span<GramSums> sums) const {
    const std::lock_guard lock(mutex_);
    const auto& centre = sums.front().centre;
    const bool is_plain =
        request.weights.empty() && request.group_of_row.empty() &&
        std::all_of(centre.begin(), centre.end(), [](double value) { return value == 0; });
    std::unique_ptr<GramPass> pass;
    if (is_plain && doubles() != nullptr && cols() > 0)
        pass = std::make_unique<DirectGramPass>(*this, *doubles(), request, execution);
    else
        pass = std::make_unique<FilledGramPass>(*this, request, execution);
    const Settled settled{*this};
    pass->run(sums);
    return true;
}

}  // namespace sven::cuda
