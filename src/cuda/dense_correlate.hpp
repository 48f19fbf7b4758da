#pragma once
// X'Q with dense row-major X, for correlate() (kernels.hpp).

#include "cuda/kernels.hpp"

namespace sven::cuda {

// How the rows are cut; depends on the shape alone.
Segments row_segments(Index rows, Index columns);

// Sums of each segment, Q.stride doubles a column.
template <class T>
void correlate_rows(const DenseData<T>& X, const ColumnSet& columns, const PanelData& Q,
                    const Segments& segments, double* out, cudaStream_t stream);

}  // namespace sven::cuda
