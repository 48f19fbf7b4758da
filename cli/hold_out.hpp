#pragma once
// Rows that a model is not fitted to, but compared with.

#include <memory>
#include <string>
#include <vector>

#include "cli/records.hpp"

namespace sven::cli {

class HoldOut {
  public:
    // With a share, takes that many rows out of the data, by the seed. Throws UsageError if the
    // data are not a table in memory.
    HoldOut(const HoldOutArguments& arguments, LoadedData& data, std::uint64_t seed);

    // None without such rows. Reads the file of --test as the data were read.
    std::optional<HeldOut> judge(const FitRecord& record, const DataArguments& data) const;

  private:
    void take_rows(LoadedData& data, double share, std::uint64_t seed);
    JudgedRows judged_rows(const FitRecord& record) const;

    const HoldOutArguments& arguments_;
    std::vector<double> block_;  // column-major
    std::vector<double> y_, offset_, weights_;
};

// "on 19 rows held out: MSE 0.5, MAE 0.6, R^2 0.4", for the notes.
std::string held_out_text(const HeldOut& held_out);

}  // namespace sven::cli
