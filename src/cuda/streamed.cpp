#include "cuda/streamed.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "cuda/kind_design.hpp"
#include "cuda/tuning.hpp"
#include "cuda/upload.hpp"
#include "linalg/gram.hpp"

namespace sven::cuda {
namespace {

template <class T>
class DenseStreamed final : public CudaDesign {
  public:
    DenseStreamed(const DenseView& X, std::size_t piece_bytes)
        : CudaDesign(X.rows, X.cols, linalg::make_dense_design(X)),
          view_(X),
          piece_bytes_(piece_bytes) {}

    // Rows in the order of their groups lie anywhere: the host takes those.
    bool sum_gram(const linalg::GramRequest& request, const linalg::Execution& execution,
                  std::span<linalg::GramSums> sums) const override {
        return request.group_of_row.empty() && CudaDesign::sum_gram(request, execution, sums);
    }

  protected:
    bool keeps_columns() const override { return false; }
    bool fills_columns() const override { return is_by_columns() || cols() == 1; }
    // Every operation begins with it.
    bool is_resident() const override { return false; }
    void make_resident(const linalg::Execution& execution, Index block_rows,
                       const OnRows& on_rows) const override {
        upload_.emplace(execution);
        for (Index begin = 0; on_rows && begin < rows(); begin += block_rows)
            on_rows(begin, std::min(rows(), begin + block_rows));
    }
    Index scratch_of(Index, Index) const override { return 1; }

    void launch_correlate(const ColumnSet& columns, const PanelData& Q, double* out,
                          double*) const override {
        for_pieces(columns.begin, columns.count, [&](const DenseData<T>& piece, Index begin) {
            const ColumnSet all{nullptr, 0, piece.cols,
                                columns.shift == nullptr ? nullptr : columns.shift + begin};
            double* there = out + (begin - columns.begin) * Q.stride;
            if (try_gemm(piece, all, Q, there, stream())) return;
            cuda::correlate(piece, all, Q, there,
                            scratch(correlate_scratch(rows(), piece.cols, Q.stride)), stream());
        });
    }
    void launch_moments(const RowInputs& inputs, const MomentsOut& out, double*) const override {
        for_pieces(0, cols(), [&](const DenseData<T>& piece, Index begin) {
            cuda::moments(piece, inputs,
                          {out.mean + begin, out.centred_sum + begin, out.squares + begin,
                           out.products + begin, out.is_constant + begin},
                          scratch(moments_scratch(rows(), piece.cols)), stream());
        });
    }
    // Consecutive rows.
    void launch_fill(const RowBlock& block, double* out) const override {
        const Index count = block.valid;
        Piece& piece = next_piece(count * cols());
        const auto bytes = [](Index entries) {
            return static_cast<std::size_t>(entries) * sizeof(T);
        };
        const auto* from = static_cast<const char*>(view_.data);
        auto* to = reinterpret_cast<char*>(piece.memory.data());
        DenseData<T> data;
        data.rows = rows();
        data.cols = cols();
        if (is_by_columns()) {
            upload_->copy({from + bytes(block.begin), bytes(view_.stride), to, bytes(count),
                           bytes(count), cols()});
            data.row_step = 1;
            data.column_step = count;
        } else {
            upload_->copy({from + bytes(block.begin * view_.stride), bytes(view_.stride), to,
                           bytes(cols()), bytes(cols()), count});
            data.row_step = cols();
            data.column_step = 1;
        }
        upload_->hold(stream());
        data.data = piece.memory.data() - block.begin * data.row_step;  // rows by their number
        cuda::fill_rows(data, block, out, stream());
        piece.used.record(stream());
    }

  private:
    struct Piece {
        DeviceBuffer<T> memory;
        Index entries = 0;  // that fit
        Event used;
    };

    bool is_by_columns() const { return view_.layout == Layout::column_major; }

    // Copies into it wait for the work on what it held.
    Piece& next_piece(Index entries) const {
        Piece& piece = pieces_[next_];
        next_ = 1 - next_;
        upload_->follow(piece.used);
        if (entries > piece.entries) {
            stream().synchronize();
            piece.memory.reserve(entries);
            piece.entries = entries;
        }
        return piece;
    }

    double* scratch(Index size) const {
        if (size > scratch_size_) {
            stream().synchronize();
            scratch_.reserve(size);
            scratch_size_ = size;
        }
        return scratch_.data();
    }

    // Calls body(piece, its first column) for consecutive columns.
    template <class Body>
    void for_pieces(Index first, Index count, const Body& body) const {
        const auto column_size =
            std::max<std::size_t>(1, static_cast<std::size_t>(rows()) * sizeof(T));
        const Index most = std::max<Index>(1, static_cast<Index>(piece_bytes_ / column_size));
        for (Index begin = first; begin < first + count; begin += most) {
            const Index width = std::min(most, first + count - begin);
            Piece& piece = next_piece(rows() * width);
            const auto bytes = [](Index entries) {
                return static_cast<std::size_t>(entries) * sizeof(T);
            };
            const auto* from = static_cast<const char*>(view_.data);
            auto* to = reinterpret_cast<char*>(piece.memory.data());
            DenseView part = view_;
            part.cols = width;
            if (is_by_columns())
                upload_->copy({from + bytes(begin * view_.stride), bytes(view_.stride), to,
                               bytes(rows()), bytes(rows()), width});
            else
                upload_->copy({from + bytes(begin), bytes(view_.stride), to, bytes(width),
                               bytes(width), rows()});
            upload_->hold(stream());
            body(dense_data<T>(piece.memory.data(), part, is_by_columns() ? rows() : width), begin);
            piece.used.record(stream());
        }
    }

    DenseView view_;
    std::size_t piece_bytes_;
    mutable std::array<Piece, 2> pieces_;
    mutable std::optional<Upload> upload_;  // ends before them: its copies may be on their way
    mutable int next_ = 0;
    mutable DeviceBuffer<double> scratch_;
    mutable Index scratch_size_ = 0;
};

}  // namespace

bool has_room_for(double bytes) {
    return bytes <= matrix_share * free_memory();
}

std::unique_ptr<linalg::Design> make_streamed_design(const DenseView& X, std::size_t piece_bytes) {
    if (piece_bytes == 0)
        piece_bytes = static_cast<std::size_t>(
            std::clamp(piece_share * free_memory(), least_piece_bytes, most_piece_bytes));
    if (X.scalar == Scalar::float64) return std::make_unique<DenseStreamed<double>>(X, piece_bytes);
    return std::make_unique<DenseStreamed<float>>(X, piece_bytes);
}

}  // namespace sven::cuda
