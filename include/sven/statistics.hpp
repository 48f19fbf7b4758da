#pragma once
// Sufficient statistics of the squared loss: the sums over the rows that an elastic net needs, and
// nothing of the rows. They are made of any block of rows and add up, so that data larger than
// memory, of several files, days or machines, are read once; every penalty and budget can then be
// solved for without the data (Problem::statistics).
//
// The sums are taken about the means of the columns, and their rounding is known: answers from
// them are certified for the data, with that rounding counted in (maths.md, section "Sufficient
// statistics").

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sven/elastic_net.hpp"
#include "sven/export.h"

namespace sven {

class SVEN_API Statistics {
  public:
    struct Data;  // the library's own

    Statistics();  // of no rows
    // Of the rows of a problem: X, y, weights and offset count, the rest is said when they are
    // solved. fold_of_row: any number for each fold of a cross-validation, one per row; empty: no
    // folds. Of the options threads and the cancel token count. Throws InvalidArgument on a
    // malformed problem or one that is not gaussian, Interrupted when cancelled.
    explicit Statistics(const Problem& problem, std::span<const Index> fold_of_row = {},
                        const Options& options = {});
    // Of data that are complete.
    explicit Statistics(std::shared_ptr<Data> data);

    // Those of both. Throws InvalidArgument if they are of other columns, or only one has folds.
    Statistics& operator+=(const Statistics& other);

    [[nodiscard]] Index rows() const;
    [[nodiscard]] Index cols() const;
    [[nodiscard]] double total_weight() const;
    // Of the sums, relative to the lengths of the columns.
    [[nodiscard]] double rounding() const;
    // The numbers of the folds, in increasing order; empty: none.
    [[nodiscard]] const std::vector<Index>& folds() const;

    // Names of the columns and of the response; statistics that add up have the same.
    void set_names(std::vector<std::string> features, std::string target);
    [[nodiscard]] const std::vector<std::string>& feature_names() const;  // empty: unnamed
    [[nodiscard]] const std::string& target_name() const;

    [[nodiscard]] const Data& data() const { return *data_; }

  private:
    Data& own();  // shared with no other

    std::shared_ptr<Data> data_;
};

[[nodiscard]] inline Statistics operator+(Statistics a, const Statistics& b) {
    a += b;
    return a;
}

}  // namespace sven
