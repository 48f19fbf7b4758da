// Cholesky by tiles in one launch. Blocks take tasks by their number and wait for what they need; a
// task needs only what tasks of lower numbers make, which running blocks have, so that any number
// of blocks gets to the end. The sums of a tile are added in the order of its row: the same bits.

#include <algorithm>
#include <mutex>

#include "cuda/factor_corner.cuh"
#include "cuda/factor_kernels.hpp"
#include "cuda/factor_solves.cuh"
#include "cuda/factor_tiles.cuh"
#include "cuda/tuning.hpp"

namespace sven::cuda {
namespace {

// Entry (a, b) of K, continued by the identity.
__device__ double entry_of(const FactorSystem& system, Index a, Index b) {
    if (a >= system.part.count || b >= system.part.count) return a == b ? 1.0 : 0.0;
    const double value = entry_at(system.part, a, b);
    return a == b ? value + system.ridge[a] : value;
}

// band := - K.
__device__ void begin_band(const FactorJob& job, int i, int j, Band& band, const Place& at) {
    const Index row = static_cast<Index>(i) * side;
    const Index column = static_cast<Index>(j) * side;
    each_pair(band, at, [&](int r, int c, double(&pair)[2]) {
        pair[0] = -entry_of(job.system, row + r, column + c);
        pair[1] = -entry_of(job.system, row + r, column + c + 1);
    });
}

// Minus the band, divided by the triangle of column j, is tile (i, j): in the band and in device
// memory.
__device__ void divide_band(const FactorJob& job, int i, int j, Band& band, const Place& at,
                            double* shared) {
    store_band(band, at, -1.0, shared, row_doubles);
    row_progress(job, j).wait_as_block(j + 1);
    fetch_tile(tile_at(job, j, j), shared + shared_tile);
    commit_copies();
    await_copies<0>();
    __syncthreads();
    clear_band(band, at);
    // a triangle: the columns behind those of the band are zero
    multiply_tiles(band, shared, shared + shared_tile, at, at.column + band_columns);
    store_band(band, at, 1.0, tile_at(job, i, j), side);
}

template <int stages>
__device__ void make_tile(const FactorJob& job, int i, int j, double* shared) {
    const Place at;
    Band band;
    begin_band(job, i, j, band, at);
    TilePairs<stages>(job, i, j, j, shared).each([&](const double* A, const double* B) {
        multiply_tiles(band, A, B, at);
    });
    divide_band(job, i, j, band, at, shared);
    publish(row_counter(job, i), j + 1);
}

// Tile (g, g - 1) and the one on the diagonal, which the next step waits for: both by one block. Of
// the latter the upper triangle is used; a warp that has none of it tells the others of the former.
template <int stages>
__device__ void make_corner(const FactorJob& job, int g, double* shared, double* diagonal) {
    const Place at;
    const bool is_upper = at.row < at.column + band_columns;
    constexpr unsigned messenger = warp;
    Band band;
    begin_band(job, g, g, band, at);
    each_pair(band, at, [&](int r, int c, const double(&pair)[2]) {
        if (r == c) diagonal[r] = -pair[0];
        if (r == c + 1) diagonal[r] = -pair[1];
    });
    if (g > 0) {
        Band beside;
        begin_band(job, g, g - 1, beside, at);
        TilePairs<stages>(job, g, g - 1, g - 1, shared).each([&](const double* A, const double* B) {
            multiply_tiles(beside, A, B, at);
            if (is_upper) multiply_tiles(band, A, A, at);
        });
        divide_band(job, g, g - 1, beside, at, shared);
        __syncthreads();
        store_band(beside, at, 1.0, shared, row_doubles);
        publish(row_counter(job, g), g, messenger);
        if (is_upper) multiply_tiles(band, shared, shared, at);
        __syncthreads();
    }
    store_band(band, at, -1.0, shared, row_doubles);
    __syncthreads();
    invert_triangle(job, g, shared, diagonal);
    publish(row_counter(job, g), g + 1);
}

// Tasks in the order of their numbers. Step g: tile (g, g - 2), corner g, y_g, the tiles below
// (g, g - 2). Behind the last step the parts of x, from the last to the first.
class Schedule {
  public:
    enum class Kind { tile, corner, forward, back, none };
    struct Task {
        Kind kind;
        int i, j;
    };

    __device__ explicit Schedule(const FactorJob& job)
        : tiles_(job.tiles), factors_(job.factors), solves_(job.solves) {}

    // Numbers only grow.
    __device__ Task at(int number) {
        while (step_ < tiles_ && number >= begin_ + length()) {
            begin_ += length();
            ++step_;
        }
        int rest = number - begin_;
        if (step_ == tiles_) {
            if (!solves_ || rest >= tiles_) return {Kind::none, 0, 0};
            return {Kind::back, 0, tiles_ - 1 - rest};
        }
        if (factors_ && step_ >= 2 && rest-- == 0) return {Kind::tile, step_, step_ - 2};
        if (factors_ && rest-- == 0) return {Kind::corner, 0, step_};
        if (solves_ && rest-- == 0) return {Kind::forward, 0, step_};
        return {Kind::tile, step_ + 1 + rest, step_ - 2};
    }

  private:
    __device__ int length() const {
        return (solves_ ? 1 : 0) + (factors_ ? 1 + (step_ >= 2 ? tiles_ - step_ : 0) : 0);
    }

    int tiles_;
    bool factors_, solves_;
    int step_ = 0;
    int begin_ = 0;  // the number of the first task of the step
};

template <int stages>
__global__ void __launch_bounds__(factor_threads, 1) do_tasks(FactorJob job) {
    extern __shared__ double shared[];
    __shared__ double diagonal[side];
    __shared__ int number;
    Schedule schedule(job);
    for (;;) {
        if (threadIdx.x == 0) number = atomicAdd(&job.system.state->next, 1);
        __syncthreads();
        const Schedule::Task task = schedule.at(number);
        switch (task.kind) {
            case Schedule::Kind::tile:
                make_tile<stages>(job, task.i, task.j, shared);
                break;
            case Schedule::Kind::corner:
                make_corner<stages>(job, task.j, shared, diagonal);
                break;
            case Schedule::Kind::forward:
                go_forward(job, task.j, shared);
                break;
            case Schedule::Kind::back:
                go_back(job, task.j, shared);
                break;
            case Schedule::Kind::none:
                return;
        }
        __syncthreads();
    }
}

template <int stages>
constexpr int shared_bytes = std::max(2 * stages * shared_tile, corner_doubles) *
                             static_cast<int>(sizeof(double));

// Pairs of tiles that the device has room for at a time.
int stages_of_device() {
    static const int stages = [] {
        int device = 0;
        int bytes = 0;
        SVEN_CUDA(cudaGetDevice(&device));
        SVEN_CUDA(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
        bytes -= 1024;  // the diagonal and the number of the task
        if (bytes >= shared_bytes<3>) return 3;
        if (bytes >= shared_bytes<2>) return 2;
        return bytes >= shared_bytes<1> ? 1 : 0;
    }();
    return stages;
}

template <int stages>
void launch(const FactorJob& job, unsigned blocks, cudaStream_t stream) {
    static std::once_flag is_allowed;
    std::call_once(is_allowed, [] {
        SVEN_CUDA(cudaFuncSetAttribute(
            do_tasks<stages>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes<stages>));
    });
    do_tasks<stages><<<blocks, factor_threads, shared_bytes<stages>, stream>>>(job);
    check_launch();
}

}  // namespace

bool can_factor() {
    return stages_of_device() > 0;
}

void run_factor(const FactorSystem& system, FactorWork work, cudaStream_t stream) {
    FactorJob job;
    job.system = system;
    job.tiles = static_cast<int>(factor_tiles(system.part.count));
    job.factors = work != FactorWork::solve;
    job.solves = work != FactorWork::factor;
    const Index n = job.tiles;
    const Index tasks = (job.factors ? n + (n - 1) * (n - 2) / 2 : 0) + (job.solves ? 2 * n : 0);
    const auto blocks = static_cast<unsigned>(min(tasks, multiprocessors));
    switch (stages_of_device()) {
        case 3:
            launch<3>(job, blocks, stream);
            break;
        case 2:
            launch<2>(job, blocks, stream);
            break;
        default:
            launch<1>(job, blocks, stream);
            break;
    }
}

}  // namespace sven::cuda
