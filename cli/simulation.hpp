#pragma once
// Data with known coefficients: y = X b + noise.

#include <cstdint>

#include "sven/sven.hpp"

namespace sven::cli {

struct SimulationPlan {
    Index rows = 100;
    Index features = 20;
    Index nonzero = 5;
    double correlation = 0;  // of neighbouring features; decays by powers of it
    double noise = 1;        // standard deviation
    double density = 1;      // below 1: sparse, with this fraction of non-zero entries
    double missing = 0.01;   // share of the genotypes
    std::uint64_t seed = 1;
};

struct Simulation {
    io::Dataset table;               // y within it
    std::vector<Coefficient> truth;  // by feature
};

Simulation simulate(const SimulationPlan& plan);

class Draws;
std::vector<Coefficient> choose_truth(const SimulationPlan& plan, Draws& random);

}  // namespace sven::cli
