// A verification whose products a device keeps.

#include <algorithm>

#include "path/tuning.hpp"
#include "path/verification.hpp"

namespace sven::path {
namespace {

constexpr Index lanes = linalg::lane_group;

}  // namespace

// A table knows one bound for all features.
std::unique_ptr<linalg::LaneTable> Verification::make_table() const {
    const problem::Penalties& penalties = work_.penalties;
    if (penalties.has_limits() || !penalties.factors.empty()) return nullptr;
    std::vector<char> left_out(penalties.excluded.size());
    for (std::size_t j = 0; j < left_out.size(); ++j) left_out[j] = penalties.excluded[j] != 0;
    return work_.design->make_table({X_.scales(), work_.columns.norms, left_out});
}

void Verification::read_table(const Block& block, Screening& screening) {
    is_in_table_ = true;
    const std::span<const double> apart = table_->rows_apart();
    for (std::size_t k = 0; k < hidden_.size(); ++k)
        std::copy_n(apart.begin() + static_cast<Index>(k) * lanes, lanes,
                    products_.data() + hidden_[k] * lanes);
    near_.clear();
    const std::span<const double> peaks = table_->peaks();
    const Index width = table_->tile();
    for (Index begin = 0; begin < work_.cols(); begin += width) {
        TileSums& tile = tiles_[begin / tuning::narrowest_tile];
        tile.begin = begin;
        tile.count = std::min(width, work_.cols() - begin);
        std::copy_n(peaks.begin() + begin / width * lanes, lanes, tile.steepest.begin());
        bool has_near = false;
        for (Index i = 0; i < block.size(); ++i) has_near |= is_near(block[i], tile.steepest[i]);
        if (!has_near) continue;
        for (Index j = begin; j < begin + tile.count; ++j)
            if (!work_.penalties.excluded[j] && kernel_.slot_of(j) < 0) near_.push_back(j);
    }
    table_->fetch(near_, products_.data());
    for (const Index j : near_)
        tiles_[j / width * width / tuning::narrowest_tile].has_violator |=
            has_violator(block, j, screening);
    screening.use_table(*table_, block.size() - 1);
}

void Verification::bring_all() {
    if (is_in_table_) table_->fetch_all(products_.data());
    is_in_table_ = false;
}

}  // namespace sven::path
