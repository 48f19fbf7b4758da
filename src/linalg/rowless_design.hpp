#pragma once
// The design of data of which only sums are left: it has sizes, and nobody may ask it for more.

#include <stdexcept>

#include "linalg/design.hpp"

namespace sven::linalg {

class RowlessDesign final : public Design {
  public:
    using Design::Design;

    bool has_rows() const override { return false; }
    void correlate(const Panel&, const Execution&, const TileConsumer&) const override { refuse(); }
    void correlate_some(std::span<const Index>, std::span<const double>, const Execution&,
                        double*) const override {
        refuse();
    }
    void gather(std::span<const Index>, const Execution&, double*, Index) const override {
        refuse();
    }
    void multiply(std::span<const Index>, std::span<const double>, const Execution&,
                  double*) const override {
        refuse();
    }
    ColumnMoments moments(RowWeights, std::span<const double>, const Execution&) const override {
        refuse();
    }
    void pack_rows(Index, Index, std::span<const double>, const double*, double*) const override {
        refuse();
    }

  private:
    [[noreturn]] static void refuse() {
        throw std::logic_error("the rows were asked for where only their sums are left");
    }
};

}  // namespace sven::linalg
