// The statistics as a whole: groups of rows with their folds and names.
#include "sven/statistics.hpp"

#include <algorithm>

#include "linalg/row_statistics.hpp"
#include "sven/error.hpp"

namespace sven {
namespace {

using linalg::RowStatistics;

void refuse_others(const Statistics::Data& a, const Statistics::Data& b) {
    const Index p = a.groups.front().cols();
    const Index q = b.groups.front().cols();
    if (p != q)
        throw InvalidArgument("statistics of " + std::to_string(p) + " columns and of " +
                              std::to_string(q) + " do not add up");
    const auto at = std::mismatch(a.feature_names.begin(), a.feature_names.end(),
                                  b.feature_names.begin(), b.feature_names.end());
    if (a.feature_names.size() != b.feature_names.size())
        throw InvalidArgument(
            "statistics with the names of their columns and without do not add up");
    if (at.first != a.feature_names.end())
        throw InvalidArgument("column " + std::to_string(at.first - a.feature_names.begin()) +
                              " is \"" + *at.first + "\" in the one and \"" + *at.second +
                              "\" in the other: such statistics do not add up");
    if (a.target_name != b.target_name)
        throw InvalidArgument("statistics of the target \"" + a.target_name + "\" and of \"" +
                              b.target_name + "\" do not add up");
    if (a.folds.empty() != b.folds.empty())
        throw InvalidArgument("statistics with folds and without do not add up");
}

Statistics::Data copy_of(const Statistics::Data& data) {
    Statistics::Data copy;
    copy.folds = data.folds;
    for (const RowStatistics& group : data.groups) copy.groups.push_back(linalg::copy_of(group));
    copy.feature_names = data.feature_names;
    copy.target_name = data.target_name;
    return copy;
}

}  // namespace

Statistics::Statistics() : data_(std::make_shared<Data>()) {}

Statistics::Statistics(std::shared_ptr<Data> data) : data_(std::move(data)) {}

Statistics::Data& Statistics::own() {
    if (data_.use_count() > 1) data_ = std::make_shared<Data>(copy_of(*data_));
    return *data_;
}

Statistics& Statistics::operator+=(const Statistics& other) {
    const std::shared_ptr<const Data> theirs = other.data_;  // which may be these
    if (theirs->groups.empty()) return *this;
    if (data_->groups.empty()) {
        data_ = other.data_;
        return *this;
    }
    refuse_others(*data_, *theirs);
    Data& mine = own();
    if (mine.folds.empty()) {
        linalg::merge(theirs->groups.front(), mine.groups.front());
        return *this;
    }
    for (std::size_t k = 0; k < theirs->groups.size(); ++k) {
        const Index fold = theirs->folds[k];
        const auto place = std::lower_bound(mine.folds.begin(), mine.folds.end(), fold);
        const auto at = place - mine.folds.begin();
        if (place != mine.folds.end() && *place == fold) {
            linalg::merge(theirs->groups[k], mine.groups[at]);
        } else {
            mine.groups.insert(mine.groups.begin() + at, linalg::copy_of(theirs->groups[k]));
            mine.folds.insert(place, fold);
        }
    }
    return *this;
}

Index Statistics::rows() const {
    Index rows = 0;
    for (const RowStatistics& group : data_->groups) rows += group.rows;
    return rows;
}

Index Statistics::cols() const {
    return data_->groups.empty() ? 0 : data_->groups.front().cols();
}

double Statistics::total_weight() const {
    double weight = 0;
    for (const RowStatistics& group : data_->groups) weight += group.weight();
    return weight;
}

double Statistics::rounding() const {
    double rounding = 0;
    for (const RowStatistics& group : data_->groups) rounding = std::max(rounding, group.rounding);
    return rounding;
}

const std::vector<Index>& Statistics::folds() const {
    return data_->folds;
}

void Statistics::set_names(std::vector<std::string> features, std::string target) {
    if (!features.empty() && static_cast<Index>(features.size()) != cols())
        throw InvalidArgument(std::to_string(features.size()) + " names for " +
                              std::to_string(cols()) + " columns");
    Data& mine = own();
    mine.feature_names = std::move(features);
    mine.target_name = std::move(target);
}

const std::vector<std::string>& Statistics::feature_names() const {
    return data_->feature_names;
}

const std::string& Statistics::target_name() const {
    return data_->target_name;
}

}  // namespace sven
