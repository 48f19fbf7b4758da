#pragma once
// Which of the features that come and go at a Newton point are in the next support. Many enter that
// push each other out again. Against each other they are weighed by the Lasso of these few alone,
// the rest of the support eliminated (maths.md, eq. 79); the next Newton point judges what comes of
// it like any other support.

#include "reduction/support_changes.hpp"

namespace sven::reduction {

class Weighing {
  public:
    // Whether so many changes of the support may be weighed.
    static bool is_for(const Machine& machine, const State& state, Index changes);
    // Of the slots that left the support and of those that have entered it, leaves those in it that
    // stay.
    void choose(Machine& machine, std::span<const Leaver> left, std::span<const Violator> entered,
                State& state);

  private:
    void descend(const Machine& machine, const State& state);

    std::vector<Index> slots_;
    linalg::Buffer<double> matrix_;
    std::vector<double> gradient_, beta_;
    std::vector<char> is_weighed_;
};

}  // namespace sven::reduction
