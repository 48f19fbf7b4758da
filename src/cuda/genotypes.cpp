#include "cuda/genotypes.hpp"

#include <algorithm>
#include <limits>

#include "cuda/kind_design.hpp"
#include "cuda/tuning.hpp"
#include "cuda/upload.hpp"

namespace sven::cuda {
namespace {

struct GenotypeStorage {
    DeviceBuffer<unsigned char> codes{MemoryKind::matrix};
    DeviceBuffer<double> fill{MemoryKind::matrix};
    DeviceBuffer<double> beside{MemoryKind::matrix};
    GenotypeData data;
};

// The codes of the selected people of some variants, packed again.
void pack(const GenotypeView& X, Index begin, Index end, std::size_t width,
          const linalg::Execution& team, std::vector<unsigned char>& packed) {
    packed.assign(static_cast<std::size_t>(end - begin) * width, 0);
    const double work = static_cast<double>(end - begin) * static_cast<double>(X.selected);
    linalg::parallel_pieces(team, work, end - begin, 1, [&](Index first, Index last) {
        for (Index v = first; v < last; ++v) {
            const auto* from = static_cast<const unsigned char*>(X.data) + (begin + v) * X.stride;
            unsigned char* to = packed.data() + static_cast<std::size_t>(v) * width;
            for (Index i = 0; i < X.selected; ++i) {
                const Index person = X.selection[i];
                const unsigned code = (from[person / 4] >> (2 * (person % 4))) & 3U;
                to[i / 4] |= static_cast<unsigned char>(code << (2 * (i % 4)));
            }
        }
    });
}

void send_codes(const GenotypeView& X, Upload& upload, const linalg::Execution& team,
                unsigned char* there, Index stride) {
    const auto width = static_cast<std::size_t>((rows(X) + 3) / 4);
    const auto pitch = static_cast<std::size_t>(stride);
    auto* to = reinterpret_cast<char*>(there);
    if (X.selection == nullptr) {
        upload.copy({static_cast<const char*>(X.data), static_cast<std::size_t>(X.stride), to,
                     pitch, width, X.variants});
        return;
    }
    std::vector<unsigned char> packed;
    const Index most =
        std::max<Index>(1, static_cast<Index>(upload_bytes / std::max<std::size_t>(1, width)));
    for (Index begin = 0; begin < X.variants; begin += most) {
        const Index end = std::min(X.variants, begin + most);
        pack(X, begin, end, width, team, packed);
        upload.copy({reinterpret_cast<const char*>(packed.data()), width,
                     to + static_cast<std::size_t>(begin) * pitch, pitch, width, end - begin});
    }
}

GenotypeStorage send(const GenotypeView& X) {
    const linalg::Execution team{linalg::resolve_threads(0), nullptr};
    GenotypeStorage s;
    GenotypeData& data = s.data;
    data.rows = rows(X);
    data.variants = X.variants;
    data.cols = X.variants + X.beside.cols;
    data.counts_a1 = X.counted == Allele::a1;
    data.stride = genotype_stride(data.rows);
    const Index bytes = data.stride * std::max<Index>(1, X.variants);
    unsigned char* codes = s.codes.reserve(bytes);
    double* fill = s.fill.reserve(std::max<Index>(1, X.variants));
    double* beside = s.beside.reserve(std::max<Index>(1, data.rows * X.beside.cols));
    data.codes = codes;
    data.fill = fill;
    data.beside = {beside, 1, data.rows, data.rows, X.beside.cols};
    SVEN_CUDA(cudaMemset(codes, 0, static_cast<std::size_t>(bytes)));
    SVEN_CUDA(cudaStreamSynchronize(nullptr));  // the upload has a stream of its own
    std::vector<double> means(static_cast<std::size_t>(X.variants),
                              std::numeric_limits<double>::quiet_NaN());
    if (X.means != nullptr) std::copy_n(X.means, X.variants, means.begin());
    {
        Upload upload(team);  // waits at the end
        send_codes(X, upload, team, codes, data.stride);
        upload.copy(means.data(), fill, means.size() * sizeof(double));
        const auto length = static_cast<std::size_t>(data.rows) * sizeof(double);
        upload.copy({static_cast<const char*>(X.beside.data),
                     static_cast<std::size_t>(X.beside.stride) * sizeof(double),
                     reinterpret_cast<char*>(beside), length, length, X.beside.cols});
    }
    const Stream stream;
    find_fill(data, fill, stream);
    stream.synchronize();
    return s;
}

class GenotypesOnDevice final : public KindDesign<GenotypeData> {
  public:
    GenotypesOnDevice(GenotypeStorage storage, const GenotypeView& X)
        : KindDesign(storage.data, linalg::make_genotype_design(X)), storage_(std::move(storage)) {}

  protected:
    bool fills_columns() const override { return true; }
    Index scratch_of(Index columns, Index stride) const override {
        return correlate_genotypes_scratch(rows(), columns, stride);
    }

  private:
    GenotypeStorage storage_;
};

}  // namespace

std::unique_ptr<linalg::Design> make_genotype_design(const GenotypeView& X) {
    return std::make_unique<GenotypesOnDevice>(send(X), X);
}

}  // namespace sven::cuda
