// More than 2^31 entries, stored non-zeros, genotypes or rows. The arrays are as long as that, but
// most of their pages are the same few in memory: columns that are constant, before and among a few
// that are not. The answer must be that of these alone. Takes a minute: ./check --long.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/problems.hpp"
#include "support/solutions.hpp"
#include "sven/predict.hpp"
#include "sven/statistics.hpp"

namespace sven::test {
namespace {

constexpr Index n = 1024;
constexpr Index chunk_columns = 8192;
constexpr Index copies = 256;
constexpr Index p = (copies + 1) * chunk_columns;
static_assert(n * p > Index{1} << 31);

// `copies` times the same chunk of zeros, and one that is its own.
class LongArray {
  public:
    explicit LongArray(std::size_t chunk_bytes)
        : chunk_(chunk_bytes), size_(chunk_bytes * (copies + 1)) {
        std::FILE* file = std::tmpfile();
        if (file == nullptr || ftruncate(fileno(file), static_cast<off_t>(chunk_)) != 0)
            throw std::runtime_error("there is no temporary file");
        place_ = map(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
        constexpr int usable = PROT_READ | PROT_WRITE;
        for (Index k = 0; k < copies; ++k)
            map(place_ + static_cast<std::size_t>(k) * chunk_, chunk_, usable,
                MAP_SHARED | MAP_FIXED, fileno(file));
        map(last(), chunk_, usable, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1);
        std::fclose(file);  // the mappings keep it
    }
    ~LongArray() { munmap(place_, size_); }
    LongArray(const LongArray&) = delete;
    LongArray& operator=(const LongArray&) = delete;

    char* first() const { return place_; }
    char* last() const { return place_ + size_ - chunk_; }

  private:
    static char* map(void* where, std::size_t size, int protection, int flags, int file) {
        void* found = mmap(where, size, protection, flags, file, 0);
        if (found == MAP_FAILED) throw std::runtime_error("the addresses cannot be mapped");
        return static_cast<char*>(found);
    }

    std::size_t chunk_;
    std::size_t size_;
    char* place_ = nullptr;
};

// The columns of the last chunk that are not constant: whole numbers from 0 to 2, which every kind
// of storage holds.
class ManyEntries : public testing::Test {
  protected:
    ManyEntries() {
        Random random(3);
        for (Index k = 0; k < 16; ++k) columns_.push_back(k < 8 ? k : chunk_columns - 16 + k);
        small_.n = n;
        small_.p = static_cast<Index>(columns_.size());
        for (Index e = 0; e < n * small_.p; ++e)
            small_.X.push_back(static_cast<double>(static_cast<int>(3 * random.uniform())));
        for (Index i = 0; i < n; ++i)
            small_.y.push_back(small_.X[i] - 2 * small_.X[15 * n + i] + 0.3 * random.normal());
    }

    // Calls set(row, column of the last chunk, entry).
    void for_entries(const std::function<void(Index, Index, double)>& set) const {
        for (std::size_t k = 0; k < columns_.size(); ++k)
            for (Index i = 0; i < n; ++i)
                set(i, columns_[k], small_.X[static_cast<Index>(k) * n + i]);
    }

    void expect_answer(const MatrixView& X) const {
        Problem problem = small_.problem();
        const Setting setting = Mixing{0.1 * largest_lambda(problem), 0.5};
        const Solution expected = fit(problem, setting);
        problem.X = X;
        EXPECT_NEAR(largest_lambda(problem), largest_lambda(small_.problem()), 1e-12);
        const Solution found = fit(problem, setting);
        EXPECT_LE(found.gap, 1e-10);
        EXPECT_EQ(found.status, Status::optimal);
        EXPECT_NEAR(found.intercept, expected.intercept, 1e-9);
        ASSERT_EQ(found.coefficients.size(), expected.coefficients.size());
        for (std::size_t k = 0; k < found.coefficients.size(); ++k) {
            const Index column = columns_[expected.coefficients[k].feature];
            EXPECT_EQ(found.coefficients[k].feature, copies * chunk_columns + column);
            EXPECT_NEAR(found.coefficients[k].value, expected.coefficients[k].value, 1e-9);
        }
        const Index zero = expected.certificate.proven_zero + p - small_.p;
        EXPECT_EQ(found.certificate.proven_zero, zero);
        const std::vector<double> predicted = predict(X, found);
        const std::vector<double> wanted = predict(small_.problem().X, expected);
        for (Index i = 0; i < n; ++i) EXPECT_NEAR(predicted[i], wanted[i], 1e-9);
    }

    template <class T>
    static void put(const LongArray& array, Index at, T value) {
        reinterpret_cast<T*>(array.last())[at] = value;
    }

    std::vector<Index> columns_;
    Data small_;
};

TEST_F(ManyEntries, OfDoubles) {
    const LongArray X(n * chunk_columns * sizeof(double));
    for_entries([&](Index i, Index j, double x) { put(X, j * n + i, x); });
    expect_answer(column_major(reinterpret_cast<const double*>(X.first()), n, p));
}

TEST_F(ManyEntries, OfBytes) {
    const LongArray X(n * chunk_columns);
    for_entries(
        [&](Index i, Index j, double x) { put(X, j * n + i, static_cast<std::int8_t>(x)); });
    DenseView view;
    view.data = X.first();
    view.scalar = Scalar::int8;
    view.rows = view.stride = n;
    view.cols = p;
    expect_answer(view);
}

// Zeros that are stored are entries.
TEST_F(ManyEntries, OfCompressedColumns) {
    const LongArray values(n * chunk_columns * sizeof(float));
    const LongArray indices(n * chunk_columns * sizeof(std::int32_t));
    for (char* chunk : {indices.first(), indices.last()})
        for (Index e = 0; e < n * chunk_columns; ++e)
            reinterpret_cast<std::int32_t*>(chunk)[e] = static_cast<std::int32_t>(e % n);
    for_entries([&](Index i, Index j, double x) { put(values, j * n + i, static_cast<float>(x)); });
    std::vector<std::int64_t> offsets;
    for (Index j = 0; j <= p; ++j) offsets.push_back(j * n);
    SparseView view;
    view.values = values.first();
    view.scalar = Scalar::float32;
    view.indices = indices.first();
    view.offsets = offsets.data();
    view.offset_width = IndexWidth::int64;
    view.rows = n;
    view.cols = p;
    expect_answer(view);
}

TEST_F(ManyEntries, OfGenotypes) {
    const LongArray X(n / 4 * chunk_columns);  // zeros: two of allele A1
    for_entries([&](Index i, Index j, double x) {
        const std::array<unsigned, 3> codes{3, 2, 0};
        auto& byte = reinterpret_cast<unsigned char*>(X.last())[j * n / 4 + i / 4];
        byte = static_cast<unsigned char>(byte | codes[static_cast<std::size_t>(x)] << i % 4 * 2);
    });
    GenotypeView view;
    view.data = X.first();
    view.people = n;
    view.variants = p;
    view.stride = n / 4;
    expect_answer(view);
}

// Statistics that add up to 2^32 rows.
TEST_F(ManyEntries, OfRows) {
    Statistics statistics(small_.problem());
    for (int k = 0; k < 22; ++k) statistics = statistics + statistics;
    ASSERT_EQ(statistics.rows(), Index{1} << 32);
    Problem problem;
    problem.statistics = &statistics;
    const Setting setting = Mixing{0.1 * largest_lambda(small_.problem()), 0.5};
    const Solution expected = fit(small_.problem(), setting);
    const Solution found = fit(problem, setting);
    EXPECT_LE(found.gap, 1e-10);
    expect_same_coefficients(found, expected, 1e-9);
    EXPECT_NEAR(found.intercept, expected.intercept, 1e-9);
}

}  // namespace
}  // namespace sven::test
