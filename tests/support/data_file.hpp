#pragma once
// Real two-class data for the tests: files written by export_data.py, and the prostate data.

#include <cmath>
#include <cstdint>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "sven/matrix.hpp"

namespace sven::test {

struct DataFile {
    Index rows = 0;
    Index cols = 0;
    std::vector<double> labels;
    std::vector<double> values;  // by rows: all of them, or the stored entries
    std::vector<std::int64_t> offsets;
    std::vector<std::int32_t> indices;

    bool is_sparse() const { return !offsets.empty(); }
    MatrixView view() const {
        if (!is_sparse()) return row_major(values.data(), rows, cols);
        return SparseView{values.data(),
                          indices.data(),
                          offsets.data(),
                          Scalar::float64,
                          IndexWidth::int32,
                          IndexWidth::int64,
                          Compression::rows,
                          rows,
                          cols};
    }
    Index column(std::size_t entry) const {
        return is_sparse() ? indices[entry] : static_cast<Index>(entry) % cols;
    }
    // Row i in full.
    std::vector<double> row(Index i) const {
        if (!is_sparse()) return {values.begin() + i * cols, values.begin() + (i + 1) * cols};
        std::vector<double> full(static_cast<std::size_t>(cols));
        for (auto e = offsets[i]; e < offsets[i + 1]; ++e) full[indices[e]] = values[e];
        return full;
    }
};

template <class T>
std::vector<T> read_array(std::istream& in, std::int64_t count) {
    std::vector<T> values(static_cast<std::size_t>(count));
    in.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(T)));
    return values;
}

inline std::optional<DataFile> read_data_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return std::nullopt;
    const auto header = read_array<std::int64_t>(in, 3);
    DataFile data;
    data.rows = header[0];
    data.cols = header[1];
    data.labels = read_array<double>(in, data.rows);
    if (header[2] >= 0) {
        data.offsets = read_array<std::int64_t>(in, data.rows + 1);
        data.indices = read_array<std::int32_t>(in, header[2]);
    }
    data.values = read_array<double>(in, header[2] >= 0 ? header[2] : data.rows * data.cols);
    if (!in) return std::nullopt;
    return data;
}

// Divides every column by its largest entry, which leaves zeros alone.
inline void scale_columns(DataFile& data) {
    std::vector<double> most(static_cast<std::size_t>(data.cols));
    for (std::size_t e = 0; e < data.values.size(); ++e) {
        double& entry = most[data.column(e)];
        entry = std::max(entry, std::abs(data.values[e]));
    }
    for (std::size_t e = 0; e < data.values.size(); ++e) {
        if (most[data.column(e)] > 0) data.values[e] /= most[data.column(e)];
    }
}

// prostate.csv with svi (0 or 1) for the label, the other columns centred and of unit variance.
inline DataFile read_prostate(const std::string& path) {
    std::ifstream in(path);
    std::string line;
    std::getline(in, line);
    DataFile data;
    data.cols = 8;
    while (std::getline(in, line)) {
        std::istringstream cells(line);
        std::string cell;
        for (int column = 0; std::getline(cells, cell, ','); ++column) {
            if (column == 4) {
                data.labels.push_back(std::stod(cell) > 0.5 ? 1 : -1);
            } else {
                data.values.push_back(std::stod(cell));
            }
        }
        ++data.rows;
    }
    for (Index j = 0; j < data.cols; ++j) {
        double mean = 0;
        double square = 0;
        for (Index i = 0; i < data.rows; ++i) mean += data.values[i * data.cols + j];
        mean /= static_cast<double>(data.rows);
        for (Index i = 0; i < data.rows; ++i) {
            double& value = data.values[i * data.cols + j];
            value -= mean;
            square += value * value;
        }
        const double scale = std::sqrt(square / static_cast<double>(data.rows));
        for (Index i = 0; i < data.rows; ++i) data.values[i * data.cols + j] /= scale;
    }
    return data;
}

}  // namespace sven::test
