#pragma once
// A single problem with all its numbers, on standard output.

#include "soak/judge.hpp"
#include "sven/svm.hpp"

namespace sven::soak {

void print_case(const Case& made, double condition);
void print_fit(const ExactProblem& problem, const Setting& setting, const Solution& solution,
               const Verdict& verdict);
void print_fold(std::size_t setting, std::size_t fold, double error, const Verdict& verdict);
void print_machine(const svm::Classifier& classifier, const Verdict& verdict);

}  // namespace sven::soak
