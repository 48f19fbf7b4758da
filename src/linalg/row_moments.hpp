#pragma once
// The moments of one column over some of its rows. Those of two sets of rows merge into those of
// both, so that a column is read once, in any blocks.

namespace sven::linalg {

struct RowMoments {
    double weight = 0;        // sum w
    double v_sum = 0;         // sum v
    double mean = 0;          // weighted, rounded; any number where the weight is zero
    double centred_sum = 0;   // sum w (x - mean): the rounding of the mean
    double squares = 0;       // sum w (x - mean)^2
    double products = 0;      // sum v (x - mean)
    bool is_constant = true;  // over the rows of positive weight; the mean is then their value

    // The same sums about another number.
    RowMoments about(double centre) const {
        const double move = mean - centre;
        RowMoments moved = *this;
        moved.mean = centre;
        moved.centred_sum = centred_sum + weight * move;
        moved.squares = squares + move * (2 * centred_sum + weight * move);
        moved.products = products + v_sum * move;
        return moved;
    }
};

inline RowMoments merge(const RowMoments& a, const RowMoments& b) {
    const bool is_constant =
        a.is_constant && b.is_constant && (a.weight == 0 || b.weight == 0 || a.mean == b.mean);
    const double weight = a.weight + b.weight;
    double mean = b.weight == 0 ? a.mean : b.mean;
    if (!is_constant)
        mean = a.mean + ((b.mean - a.mean) * b.weight + a.centred_sum + b.centred_sum) / weight;
    RowMoments merged = a.about(mean);
    const RowMoments other = b.about(mean);
    merged.weight = weight;
    merged.v_sum += other.v_sum;
    merged.centred_sum += other.centred_sum;
    merged.squares += other.squares;
    merged.products += other.products;
    merged.is_constant = is_constant;
    return merged;
}

}  // namespace sven::linalg
