#include "cuda/upload.hpp"

#include <algorithm>
#include <cstring>

#include "cuda/tuning.hpp"

namespace sven::cuda {

void Upload::copy(const void* from, void* to, std::size_t bytes) {
    constexpr std::size_t line = upload_line;  // for the threads to share
    const std::size_t whole = bytes / line;
    const auto* source = static_cast<const char*>(from);
    auto* target = static_cast<char*>(to);
    if (whole > 0) copy({source, line, target, line, line, static_cast<Index>(whole)});
    const std::size_t rest = bytes - whole * line;
    if (rest > 0) copy({source + whole * line, rest, target + whole * line, rest, rest, 1});
}

void Upload::copy(const Lines& lines) {
    if (lines.width == 0 || lines.count == 0) return;
    // a line that does not fit is split
    if (lines.width > upload_bytes) {
        for (Index k = 0; k < lines.count; ++k)
            copy(lines.from + static_cast<std::size_t>(k) * lines.from_pitch,
                 lines.to + static_cast<std::size_t>(k) * lines.to_pitch, lines.width);
        return;
    }
    const auto most = static_cast<Index>(upload_bytes / lines.width);
    for (Index begin = 0; begin < lines.count; begin += most) {
        execution_.check();
        Lines part = lines;
        part.from += static_cast<std::size_t>(begin) * lines.from_pitch;
        part.to += static_cast<std::size_t>(begin) * lines.to_pitch;
        part.count = std::min(most, lines.count - begin);
        send(part);
    }
}

void Upload::send(const Lines& lines) {
    PinnedMemory& staging = staging_[next_];
    staging.reserve(upload_bytes);
    if (is_used_[next_]) sent_[next_].wait_on_host();
    auto* packed = static_cast<char*>(staging.get());
    const auto bytes = static_cast<double>(lines.width) * static_cast<double>(lines.count);
    linalg::parallel_ranges(
        execution_.team_for(bytes), lines.count, 1, [&](Index begin, Index end) {
            for (Index k = begin; k < end; ++k)
                std::memcpy(packed + static_cast<std::size_t>(k) * lines.width,
                            lines.from + static_cast<std::size_t>(k) * lines.from_pitch,
                            lines.width);
        });
    SVEN_CUDA(cudaMemcpy2DAsync(lines.to, lines.to_pitch, packed, lines.width, lines.width,
                                static_cast<std::size_t>(lines.count), cudaMemcpyHostToDevice,
                                stream_));
    sent_[next_].record(stream_);
    is_used_[next_] = true;
    next_ = 1 - next_;
}

void Upload::hold(const Stream& stream) {
    done_.record(stream_);
    done_.hold(stream);
}

template <class T>
DenseUpload<T>::DenseUpload(const DenseView& X) : view_(X) {
    const Index stride = X.layout == Layout::column_major ? X.rows : X.cols;
    data_ = dense_data<T>(memory_.reserve(X.rows * X.cols), X, stride);
}

template <class T>
void DenseUpload<T>::run(const Stream& stream, const linalg::Execution& execution, Index block_rows,
                         const OnRows& on_rows) {
    const bool by_columns = view_.layout == Layout::column_major;
    const Index length = by_columns ? view_.rows : view_.cols;
    const auto* from = static_cast<const char*>(view_.data);
    auto* to = reinterpret_cast<char*>(memory_.data());
    const std::size_t from_pitch = static_cast<std::size_t>(view_.stride) * sizeof(T);
    const std::size_t to_pitch = static_cast<std::size_t>(length) * sizeof(T);
    Upload upload(execution);
    if (!on_rows) {
        upload.copy(
            {from, from_pitch, to, to_pitch, to_pitch, by_columns ? view_.cols : view_.rows});
        upload.hold(stream);
        return;
    }
    for (Index begin = 0; begin < view_.rows; begin += block_rows) {
        const Index end = std::min(view_.rows, begin + block_rows);
        const auto rows = static_cast<std::size_t>(end - begin);
        const auto first = static_cast<std::size_t>(begin);
        if (by_columns)
            upload.copy({from + first * sizeof(T), from_pitch, to + first * sizeof(T), to_pitch,
                         rows * sizeof(T), view_.cols});
        else
            upload.copy({from + first * from_pitch, from_pitch, to + first * to_pitch, to_pitch,
                         to_pitch, end - begin});
        upload.hold(stream);
        on_rows(begin, end);
    }
}

template class DenseUpload<double>;
template class DenseUpload<float>;

}  // namespace sven::cuda
