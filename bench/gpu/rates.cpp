// The rates of the kernels beside the ceilings of the same GPU in the same run: X'R against the
// copy bandwidth, the Gram matrix against the rate of a large matrix product.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <functional>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "cuda/blas.hpp"
#include "cuda/kernels.hpp"
#include "cuda/runtime.hpp"
#include "cuda/square_products.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/devices.hpp"
#include "linalg/gram.hpp"
#include "measure.hpp"
#include "sven/device.hpp"
#include "sven/path.hpp"

namespace {

using namespace sven;
using namespace sven::cuda;
using namespace sven::bench;

double copy_bandwidth(const Stream& stream) {
    const std::size_t bytes = std::size_t{4} << 30U;
    DeviceMemory from(MemoryKind::matrix);
    DeviceMemory to(MemoryKind::matrix);
    from.reserve(bytes);
    to.reserve(bytes);
    fill(static_cast<double*>(from.get()), static_cast<Index>(bytes / 8));
    const double copy = seconds(stream, [&] {
        SVEN_CUDA(cudaMemcpyAsync(to.get(), from.get(), bytes, cudaMemcpyDeviceToDevice, stream));
    });
    PinnedMemory pinned;
    pinned.reserve(bytes / 8);
    const double up = seconds(stream, [&] {
        SVEN_CUDA(
            cudaMemcpyAsync(to.get(), pinned.get(), bytes / 8, cudaMemcpyHostToDevice, stream));
    });
    const double down = seconds(stream, [&] {
        SVEN_CUDA(
            cudaMemcpyAsync(pinned.get(), to.get(), bytes / 8, cudaMemcpyDeviceToHost, stream));
    });
    const auto size = static_cast<double>(bytes);
    std::printf("copy on the device     %8.0f GB/s read and written\n", 2 * size / copy / 1e9);
    std::printf("host to device, pinned %8.1f GB/s\n", size / 8 / up / 1e9);
    std::printf("device to host, pinned %8.1f GB/s\n", size / 8 / down / 1e9);
    return 2 * size / copy;
}

double gemm_rate(const Stream& stream) {
    const Index n = 8192;
    DeviceBuffer<double> A;
    DeviceBuffer<double> B;
    DeviceBuffer<double> C;
    fill(A.reserve(n * n), n * n);
    fill(B.reserve(n * n), n * n);
    C.reserve(n * n);
    const double time = seconds(stream, [&] {
        gemm(stream, {false, false, n, n, n, A.data(), n, B.data(), n, 0, C.data(), n});
    });
    const double rate = 2 * static_cast<double>(n * n) * static_cast<double>(n) / time;
    std::printf("dgemm of 8192          %8.1f TFLOP/s\n", rate / 1e12);
    return rate;
}

// X'R with eight lanes; columns that are far from zero have a shift, which is taken out of entries.
template <class T>
void correlate_rate(const Stream& stream, Index n, Index p, bool by_columns, bool has_shift,
                    double ceiling) {
    DeviceBuffer<T> X;
    DeviceBuffer<double> Q;
    DeviceBuffer<double> shift;
    DeviceBuffer<double> out;
    DeviceBuffer<double> partial;
    X.reserve(n * p + 1);  // whole doubles
    fill(reinterpret_cast<double*>(X.data()), n * p * static_cast<Index>(sizeof(T)) / 8);
    if (sizeof(T) == 4) SVEN_CUDA(cudaMemset(X.data(), 0x3c, static_cast<std::size_t>(n * p) * 4));
    fill(Q.reserve(n * 8), n * 8);
    fill(shift.reserve(p), p);
    out.reserve(p * 8);
    partial.reserve(correlate_scratch(n, p, 8));
    const DenseData<T> data{X.data(), by_columns ? 1 : p, by_columns ? n : 1, n, p};
    const double time = seconds(stream, [&] {
        correlate(data, {nullptr, 0, p, has_shift ? shift.data() : nullptr}, {Q.data(), 8},
                  out.data(), partial.data(), stream);
    });
    const double bytes = static_cast<double>(n * p) * sizeof(T) + static_cast<double>(p * 64);
    std::printf("X'R %7ld x %-7ld %s %s%s %8.3f ms %6.0f GB/s %5.1f %% of the copy\n",
                static_cast<long>(n), static_cast<long>(p), by_columns ? "columns" : "rows   ",
                sizeof(T) == 8 ? "f64" : "f32", has_shift ? " shifted" : "        ", 1e3 * time,
                bytes / time / 1e9, 100 * bytes / time / ceiling);
    if (sizeof(T) == 8 && !has_shift) {
        const auto* const doubles = reinterpret_cast<const double*>(X.data());
        const double theirs = seconds(stream, [&] {
            gemm(stream, {false, !by_columns, 8, p, n, Q.data(), 8, doubles, by_columns ? n : p, 0,
                          out.data(), 8});
        });
        std::printf("    the same by cublasDgemm            %8.3f ms %6.0f GB/s\n", 1e3 * theirs,
                    bytes / theirs / 1e9);
    }
}

void sparse_rate(const Stream& stream, Index n, Index p, Index in_column, double ceiling) {
    std::vector<Index> offsets;
    std::vector<std::int32_t> indices;
    for (Index j = 0; j <= p; ++j) offsets.push_back(j * in_column);
    for (Index j = 0; j < p; ++j)
        for (Index k = 0; k < in_column; ++k)
            indices.push_back(static_cast<std::int32_t>((k * n + j * 7919 % n) / in_column));
    const Index entries = p * in_column;
    DeviceBuffer<double> values;
    DeviceBuffer<std::int32_t> rows;
    DeviceBuffer<Index> starts;
    DeviceBuffer<double> Q;
    DeviceBuffer<double> out;
    fill(values.reserve(entries), entries);
    SVEN_CUDA(cudaMemcpy(rows.reserve(entries), indices.data(), indices.size() * 4,
                         cudaMemcpyHostToDevice));
    SVEN_CUDA(cudaMemcpy(starts.reserve(p + 1), offsets.data(), offsets.size() * 8,
                         cudaMemcpyHostToDevice));
    fill(Q.reserve(n * 8), n * 8);
    out.reserve(p * 8);
    const SparseData<double> data{values.data(), rows.data(), starts.data(), n, p};
    const double time = seconds(stream, [&] {
        correlate(data, {nullptr, 0, p, nullptr}, {Q.data(), 8}, out.data(), nullptr, stream);
    });
    const double bytes = static_cast<double>(entries) * 12 + static_cast<double>(p * 72);
    std::printf("X'R %7ld x %-7ld sparse      %8.3f ms %6.0f GB/s %5.1f %% of the copy\n",
                static_cast<long>(n), static_cast<long>(p), 1e3 * time, bytes / time / 1e9,
                100 * bytes / time / ceiling);
}

void genotype_rate(const Stream& stream, Index n, Index p, double ceiling) {
    GenotypeData data;
    data.rows = n;
    data.cols = data.variants = p;
    data.stride = genotype_stride(n);
    DeviceBuffer<unsigned char> codes;
    DeviceBuffer<double> values;
    DeviceBuffer<double> Q;
    DeviceBuffer<double> out;
    DeviceBuffer<double> partial;
    codes.reserve(data.stride * p);
    fill(reinterpret_cast<double*>(codes.data()), data.stride * p / 8);
    fill(values.reserve(p), p);
    fill(Q.reserve(n * 8), n * 8);
    out.reserve(p * 8);
    partial.reserve(correlate_genotypes_scratch(n, p, 8));
    data.codes = codes.data();
    data.fill = values.data();
    const double time = seconds(stream, [&] {
        correlate(data, {nullptr, 0, p, nullptr}, {Q.data(), 8}, out.data(), partial.data(),
                  stream);
    });
    const double genotypes = static_cast<double>(n) * static_cast<double>(p);
    std::printf(
        "X'R %7ld x %-7ld genotypes   %8.3f ms %6.0f GB/s %5.1f %% of the copy, %.3g a second\n",
        static_cast<long>(n), static_cast<long>(p), 1e3 * time, genotypes / 4 / time / 1e9,
        25 * genotypes / time / ceiling, genotypes / time);
}

// Products of square blocks as the Gram pass makes them, by the width of the squares, the rows of a
// cut and the number of cuts.
void batch_rate(const Stream& stream, Index square, Index depth, Index cuts, double ceiling) {
    const Index width = 1536;
    const Index side = width / square;
    DeviceBuffer<double> rows(MemoryKind::matrix);
    DeviceBuffer<double> C(MemoryKind::matrix);
    fill(rows.reserve(width * depth * cuts), width * depth * cuts);
    C.reserve(width * width * cuts);
    std::vector<const double*> pointers;
    for (int which = 0; which < 3; ++which)
        for (Index cut = 0; cut < cuts; ++cut)
            for (Index J = 0; J < side; ++J)
                for (Index I = J; I < side; ++I)
                    pointers.push_back(
                        which == 2
                            ? C.data() + cut * width * width + J * square * width + I * square
                            : rows.data() + (which == 0 ? I : J) * square * depth * cuts +
                                  cut * depth);
    DeviceBuffer<const double*> there;
    SVEN_CUDA(cudaMemcpy(there.reserve(static_cast<Index>(pointers.size())), pointers.data(),
                         pointers.size() * 8, cudaMemcpyHostToDevice));
    const Index count = static_cast<Index>(pointers.size()) / 3;
    GemmBatch batch;
    batch.shape = {true,         false,   square,       square, depth,   nullptr,
                   depth * cuts, nullptr, depth * cuts, 0,      nullptr, width};
    batch.A = there.data();
    batch.B = there.data() + count;
    batch.C = const_cast<double* const*>(there.data() + 2 * count);
    batch.count = count;
    const double time = seconds(stream, [&] { gemm_batch(stream, batch); });
    const double work =
        2.0 * static_cast<double>(square * square) * static_cast<double>(depth * count);
    std::printf("batch of %4ld squares of %3ld, %5ld deep %6.1f TFLOP/s %5.1f %% of dgemm\n",
                static_cast<long>(count), static_cast<long>(square), static_cast<long>(depth),
                work / time / 1e12, 100 * work / time / ceiling);
}

void gram_rate(const Stream& stream, Index n, Index p, bool by_columns, double ceiling) {
    DeviceBuffer<double> X(MemoryKind::matrix);
    fill(X.reserve(n * p), n * p);
    DenseView view = by_columns ? column_major(X.data(), n, p) : row_major(X.data(), n, p);
    view.on_device = true;
    const auto design = linalg::make_device_design(view);
    const std::vector<double> y(static_cast<std::size_t>(n), 1.0);
    const linalg::Execution execution{linalg::resolve_threads(0), nullptr};
    const auto time_about = [&](double value) {
        const std::vector<double> centre(static_cast<std::size_t>(p), value);
        return seconds(stream,
                       [&] { (void)linalg::accumulate_gram(*design, y, {}, execution, centre); });
    };
    const double ours = time_about(0);
    SquareProducts squares(p);
    SquarePointers pointers;
    const double alone = seconds(stream, [&] {
        squares.clear(stream);
        for (Index begin = 0; begin < n; begin += squares.good_block())
            squares.add({X.data() + begin * (by_columns ? 1 : p), by_columns ? n : p, by_columns,
                         std::min(squares.good_block(), n - begin)},
                        pointers, stream);
        (void)squares.total(stream);
    });
    const double centred = time_about(0.01);
    DeviceBuffer<double> G;
    G.reserve(p * p);
    const double theirs = seconds(stream, [&] {
        syrk(stream, {by_columns, false, 0, p, n, X.data(), by_columns ? n : p, nullptr, 0, 0,
                      G.data(), p});
    });
    const double work = static_cast<double>(n) * static_cast<double>(p) * static_cast<double>(p);
    std::printf(
        "Gram %7ld x %-5ld %s %8.2f ms %6.1f TFLOP/s %5.1f %% of dgemm; products alone %8.2f "
        "ms; centred %8.2f ms; cublasDsyrk alone %8.2f ms\n",
        static_cast<long>(n), static_cast<long>(p), by_columns ? "columns" : "rows   ", 1e3 * ours,
        work / ours / 1e12, 100 * work / ours / ceiling, 1e3 * alone, 1e3 * centred, 1e3 * theirs);
}

// Median milliseconds of five calls by the host's clock.
double host_milliseconds(const std::function<void()>& work) {
    work();
    std::vector<double> times;
    for (int k = 0; k < 5; ++k) {
        const auto start = std::chrono::steady_clock::now();
        work();
        times.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                .count());
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

// Where the time of a path over the Gram matrix goes: X resident and sent.
void path_phases(Index n, Index p) {
    const std::vector<double> X = random_numbers(n * p);
    std::vector<double> y(X.begin(), X.begin() + n);
    for (Index i = 0; i < n; ++i) y[i] += X[n + i] + 0.3 * X[(p - 1) * n + i];
    Problem problem;
    problem.X = column_major(X.data(), n, p);
    problem.y = y;
    problem.intercept = problem.standardize = false;
    const DeviceMatrix there(problem.X);
    const linalg::Execution execution{linalg::resolve_threads(0), nullptr};
    const auto settings = lambda_grid(problem, {.alpha = 0.5, .count = 40});
    Options options;
    options.device = Device::cuda;
    for (const bool is_sent : {false, true}) {
        if (!is_sent)
            problem.X = there.view();
        else
            problem.X = column_major(X.data(), n, p);
        const auto make = [&] { return linalg::make_device_design(problem.X); };
        const double made = host_milliseconds([&] { (void)make(); });
        const double sampled = host_milliseconds([&] { (void)make()->sample_rows(); });
        const double summed =
            host_milliseconds([&] { (void)linalg::accumulate_gram(*make(), y, {}, execution); });
        const double total =
            host_milliseconds([&] { (void)solve_path(problem, settings, options); });
        std::printf(
            "path %7ld x %-5ld %-8s design %6.2f ms, and sampled rows %6.2f ms, and Gram "
            "%6.2f ms, and the path %6.2f ms\n",
            static_cast<long>(n), static_cast<long>(p), is_sent ? "sent" : "resident", made,
            sampled, summed, total);
    }
    options.device = Device::cpu;
    problem.X = column_major(X.data(), n, p);
    std::printf("    on the cores of the host %6.2f ms\n",
                host_milliseconds([&] { (void)solve_path(problem, settings, options); }));
}

// A support's system on the device, from the list of its members to the solution, beside a factor
// on the cores of the host.
void system_rate(Index m) {
    std::vector<double> G = random_numbers(m * m);
    for (Index j = 0; j < m; ++j) {
        for (Index i = 0; i < j; ++i) G[j * m + i] = G[i * m + j];
        G[j * m + j] += static_cast<double>(m);
    }
    const DenseView view = column_major(G.data(), m, m);
    const auto design = linalg::make_device_design(view);
    const double made = host_milliseconds([&] { (void)design->make_systems(m, G.data()); });
    const auto systems = design->make_systems(m, G.data());
    std::vector<Index> members(static_cast<std::size_t>(m));
    std::iota(members.begin(), members.end(), Index{0});
    const std::vector<double> ridge(members.size(), 1.0);
    std::vector<double> x(members.size());
    const double factored = host_milliseconds([&] {
        (void)systems->factor({members, ridge}, 0, ridge, x.data());
    });
    const double solved = host_milliseconds([&] { systems->solve(ridge, x.data()); });
    const linalg::Execution execution{linalg::resolve_threads(0), nullptr};
    std::vector<double> U;
    const double here = host_milliseconds([&] {
        U = G;
        (void)linalg::cholesky_upper(m, U.data(), m, execution);
    });
    std::printf(
        "system of %5ld sent %8.2f ms, factored and solved %7.2f ms, solved again %6.2f ms; "
        "factored on the cores %8.2f ms\n",
        static_cast<long>(m), made, factored, solved, here);
}

void product_rates(const Stream& stream, double bandwidth) {
    // lines that begin on 16 bytes, and lines that do not
    for (const bool has_shift : {false, true})
        for (const bool by_columns : {true, false})
            for (const Index more : {0, 1}) {
                const Index n = 440 + (by_columns ? more : 0);
                const Index p = 138672 + (by_columns ? 0 : more);
                correlate_rate<double>(stream, n, p, by_columns, has_shift, bandwidth);
                correlate_rate<float>(stream, n, p, by_columns, has_shift, bandwidth);
            }
    for (const bool by_columns : {true, false}) {
        correlate_rate<double>(stream, 463715, 90, by_columns, false, bandwidth);
        correlate_rate<double>(stream, 400000, 900, by_columns, false, bandwidth);
    }
    sparse_rate(stream, 3308, 150360, 33, bandwidth);
}

void gram_rates(const Stream& stream, double rate) {
    gram_rate(stream, 463715, 90, true, rate);
    gram_rate(stream, 489410, 361, true, rate);
    gram_rate(stream, 400000, 900, true, rate);
    gram_rate(stream, 400000, 900, false, rate);
    // These take long enough for the clocks to fall: the ceiling is measured again beside each.
    for (const bool by_columns : {true, false})
        gram_rate(stream, 1000000, 2000, by_columns, gemm_rate(stream));
    (void)gemm_rate(stream);
}

}  // namespace

// gpu_rates [products|batches|gram|paths|systems]...: all of them where none is named.
int main(int count, char** names) try {
    if (!why_no_device().empty()) {
        std::printf("no GPU can be used: %s\n", why_no_device().c_str());
        return 1;
    }
    const auto wants = [&](const char* name) {
        return count == 1 || std::any_of(names + 1, names + count, [&](const char* given) {
                   return std::string_view(given) == name;
               });
    };
    std::printf("%s\n", devices()[0].name.c_str());
    const Stream stream;
    const double bandwidth = copy_bandwidth(stream);
    const double rate = gemm_rate(stream);
    if (wants("products")) product_rates(stream, bandwidth);
    if (wants("genotypes"))
        for (const auto& [n, p] :
             {std::pair<Index, Index>{440, 138672}, {20000, 200000}, {500000, 100000}})
            genotype_rate(stream, n, p, bandwidth);
    if (wants("batches"))
        for (const Index square : {64, 128, 256})
            for (const Index depth : {1024, 8192})
                batch_rate(stream, square, depth, 64 * square / 1536 + 8, rate);
    if (wants("gram")) gram_rates(stream, rate);
    if (wants("paths")) {
        path_phases(463715, 90);
        path_phases(489410, 361);
    }
    if (wants("systems"))
        for (const Index m : {256, 512, 768, 1024, 2048, 3300, 8000}) system_rate(m);
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
