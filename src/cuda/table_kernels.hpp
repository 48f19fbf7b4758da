#pragma once
// Launchers of the kernels of tables.cpp. All pointers are to device memory; all calls are
// asynchronous. Tables are by rows of eight lanes, one for each column of X.

#include <cuda_runtime_api.h>

#include "sven/matrix.hpp"

namespace sven::cuda {

// Columns of a tile, which a block of threads looks through.
inline constexpr Index table_tile = 256;

struct TableData {
    double* rows = nullptr;               // 8 a column
    const double* offset = nullptr;       // of the scaled columns
    const double* scale = nullptr;        // the same
    const double* norms = nullptr;        // the same
    const unsigned char* left = nullptr;  // not 0: left out
    unsigned char* apart = nullptr;       // not 0: left out, or apart
    Index cols = 0;
};

// Products as they come from X: `stride` apart, from the first lane of the table on.
struct TableLanes {
    const double* products = nullptr;
    Index stride = 0;
    Index count = 0;
    double sums[8] = {};
};
// The rows, and for each tile the largest of every lane.
void fill_table(const TableData& table, const TableLanes& lanes, double* peaks,
                cudaStream_t stream);

// apart := left, but for the list.
void set_apart(const TableData& table, const Index* list, Index count, cudaStream_t stream);

// out: eight for each of the list.
void copy_rows(const TableData& table, const Index* list, Index count, double* out,
               cudaStream_t stream);
void copy_lane(const TableData& table, Index lane, double* out, cudaStream_t stream);

// |product| + slope norm < limit.
struct TableBounds {
    double slope[8] = {};
    double limit[8] = {};
};
// Adds to eight counts.
void count_below(const TableData& table, const TableBounds& bounds, unsigned long long* counts,
                 cudaStream_t stream);

// linalg::LaneRule for at most eight settings; first[j] is the one that keeps column j, or none.
struct TableRules {
    Index lane = 0;
    int count = 0;
    unsigned char none = 0;
    bool has_steps = false;
    double step[8] = {};
    double bound[8] = {};
};
void find_first(const TableData& table, const TableRules& rules, unsigned char* first,
                cudaStream_t stream);

}  // namespace sven::cuda
