#pragma once
// Asks of one setting after the other whether a path ends with it (sven/path_end.hpp).

#include <vector>

#include "sven/elastic_net.hpp"
#include "sven/path_end.hpp"

namespace sven::path {

class EndOfPath {
  public:
    EndOfPath(const PathEnd& rules, Family family) : rules_(rules), family_(family) {}

    // Takes the next setting, by the deviance it leaves, that without any feature, and the number
    // of coefficients that are not zero.
    bool is_reached(double deviance, double null_deviance, Index selected);
    bool is_reached(const Solution& solution) {
        return is_reached(solution.deviance, solution.null_deviance,
                          static_cast<Index>(solution.coefficients.size()));
    }

  private:
    double gain() const;

    PathEnd rules_;
    Family family_;
    std::vector<double> explained_;  // shares of the null deviance
};

}  // namespace sven::path
