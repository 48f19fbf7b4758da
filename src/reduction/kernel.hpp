#pragma once
// What the Newton step of the reduced machine needs of the data: the kernel cache. A feature that
// has been looked at has a slot; the Gram matrix of the slots is kept and grown, never recomputed.
// Two kinds: over the columns of X (cost led by n), or over the whole Gram matrix (led by p).

#include <span>
#include <vector>

#include "linalg/buffer.hpp"
#include "linalg/design.hpp"
#include "linalg/execution.hpp"
#include "linalg/systems.hpp"
#include "reduction/tuning.hpp"

namespace sven::reduction {

// A product x_j'r is known up to this times ||x_j|| (maths.md, eq. 52): r carries the rounding of
// y.
inline double residual_rounding(double residual_norm, double response_norm) {
    return tuning::product_rounding * residual_norm + tuning::response_rounding * response_norm;
}

class Kernel {
  public:
    explicit Kernel(Index features) : slot_of_(static_cast<std::size_t>(features), -1) {}
    virtual ~Kernel() = default;

    Index features() const { return static_cast<Index>(slot_of_.size()); }
    Index slots() const { return static_cast<Index>(feature_.size()); }
    Index feature(Index slot) const { return feature_[slot]; }
    Index slot_of(Index feature) const { return slot_of_[feature]; }

    // Brings the Gram matrix up to date with the slots: some kinds let it wait until it is asked
    // for, since a solver that iterates never does.
    virtual void need_gram() {}
    // Operations that this would take.
    virtual double gram_cost() const { return 0; }
    // x_j'x_k of two slots.
    double gram(Index a, Index b) const {
        if (whole_ != nullptr) return whole_[feature_[a] * features() + feature_[b]];
        return a >= b ? gram_[b * gram_stride_ + a] : gram_[a * gram_stride_ + b];
    }
    // Those of some slots with one.
    void gram_entries(std::span<const Index> slots, Index with, double* out) const;

    // New slots for features that have none.
    virtual void append(std::span<const Index> features) = 0;
    // Drops every slot but these (ascending).
    virtual void keep(std::span<const Index> slots) = 0;

    // r := y - X beta, beta by slot; the products below speak of this r.
    virtual void set_coefficients(std::span<const double> beta) = 0;
    virtual void slot_correlations(double* out) = 0;
    // Of these slots at least, in their places.
    virtual void correlations_of_slots(std::span<const Index> /*slots*/, double* out) {
        slot_correlations(out);
    }
    virtual void correlations(std::span<const Index> features, double* out) = 0;
    // A product x_j'r is known up to this times ||x_j|| (maths.md, eq. 52): r carries the rounding
    // of y.
    virtual double rounding() const = 0;
    // A gradient of the support that is at most this times ||x_j|| is left as it is: what a
    // correction by these products would leave is as much.
    virtual double settled() const { return tuning::settled_share * rounding(); }
    // x_j'y of a feature, and ||x_j||.
    virtual double response_product(Index feature) const = 0;
    virtual double column_norm(Index feature) const = 0;

    // Squared lengths of r and of y.
    virtual double residual_squares() = 0;
    virtual double response_squares() const = 0;

    // One coordinate after the other, `rounds` times over these slots, with r kept up to date:
    // r -= step(k, x_j'r) x_j for slot slots[k]. False, and nothing done, where the data have no
    // such loop; `sweep_cost` is that of one round, in operations.
    virtual bool sweep(std::span<const Index> /*slots*/, int /*rounds*/,
                       const linalg::CoordinateStep& /*step*/) {
        return false;
    }
    virtual double sweep_cost(std::span<const Index> /*slots*/) const { return 0; }

    // Systems on the side of a device, with every slot a member; null where there are none.
    virtual linalg::Systems* systems() { return nullptr; }
    virtual Index member_of(Index slot) const { return slot; }

    // out = G x, both by slot, and about how many multiplications that takes.
    virtual void multiply_gram(const double* x, double* out) = 0;
    virtual double multiply_cost() const = 0;
    // Whether that reads the Gram matrix of the slots, which is made first where it is not there.
    virtual bool multiplies_by_gram() const { return true; }

    // The columns of the slots (rows() x slots()), formed if need be; where only the Gram matrix
    // is known there are none.
    virtual bool has_columns() const { return false; }
    virtual const double* columns() { return nullptr; }
    virtual Index rows() const { return 0; }
    // By them: out = X x, x by slot; out = X'v, by slot; out (rows() x features) = columns of
    // features that need not have a slot.
    virtual void multiply(std::span<const double> /*x*/, double* /*out*/) {}
    virtual void correlate_slots(std::span<const double> /*v*/, double* /*out*/) {}
    virtual void gather(std::span<const Index> /*features*/, double* /*out*/) {}

  protected:
    void add_slots(std::span<const Index> features) {
        for (const Index j : features) {
            slot_of_[j] = slots();
            feature_.push_back(j);
        }
    }
    // How many of the kept slots are among the first `known`.
    static Index kept_of(std::span<const Index> kept, Index known);
    // `known`: slots whose rows the Gram matrix has.
    void keep_slots(std::span<const Index> kept, Index known);
    // Room for a Gram matrix of `size` slots, the first `known` of them kept.
    void grow_gram(const linalg::Execution& execution, Index size, Index known);
    // multiply_gram from the matrix itself, which must be up to date.
    void multiply_stored(const linalg::Execution& execution, const double* x, double* out) {
        multiply_symmetric(execution, {gram_.data(), gram_stride_, slots()}, x, out);
    }
    // The lower triangle of a symmetric matrix, column-major.
    struct Symmetric {
        const double* values;
        Index stride;
        Index size;
    };
    void multiply_symmetric(const linalg::Execution& execution, const Symmetric& G, const double* x,
                            double* out);

    const double* gram_column(Index slot) const { return gram_.data() + slot * gram_stride_; }

    std::vector<Index> feature_;
    std::vector<Index> slot_of_;
    // The Gram matrix of all features where it is known, and else that of the slots: column `slot`
    // of the lower triangle has the entries [slot, slots()).
    const double* whole_ = nullptr;
    linalg::Buffer<double> gram_;
    Index gram_stride_ = 0;

  private:
    linalg::Buffer<double> partial_;  // of multiply_symmetric
};

}  // namespace sven::reduction
