#pragma once
// The caller's mistakes, named in one sentence before any work.

#include <span>

#include "sven/error.hpp"
#include "sven/path.hpp"

namespace sven::api {

void validate(const Problem& problem);
void validate(const MatrixView& X);                                      // its shape and structure
void validate_response(const Problem& problem, const char* name = "y");  // its y alone
void validate_weights(const Problem& problem);                           // its weights alone
void validate_offset(const Problem& problem);  // its offset, and y without it
void validate_family(const Problem& problem);  // whether its y is one of its family
void validate(std::span<const Setting> settings);
// What a response that is not gaussian asks of the problem, the settings and the options.
void validate_outcome(const Problem& problem, const Options& options);
// What refits ask of the problem, and of the solutions that they are of.
void validate_relax(const Problem& problem, std::span<const Solution> path);
// Shares of the penalised solution.
void validate_gamma(double gamma);
void validate(const Options& options);
// And what the two must agree on.
void validate(const Problem& problem, const Options& options);
void validate(const Grid& grid);

// solve(options), and once more on the CPU where a device that nobody insisted on has failed.
template <class Solve>
auto with_fallback(const Problem& problem, const Options& options, const Solve& solve) {
    if (options.device != Device::automatic || is_on_device(problem.X)) return solve(options);
    try {
        return solve(options);
    } catch (const DeviceError&) {
        Options on_cpu = options;
        on_cpu.device = Device::cpu;
        return solve(on_cpu);
    }
}

}  // namespace sven::api
