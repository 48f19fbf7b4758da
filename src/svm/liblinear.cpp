// Calls the real LIBLINEAR: -s 2 (trust region, primal) or -s 1 (coordinate descent, dual). It is
// loaded when it is first asked for, since it brings a BLAS of the system: its threads and its
// buffers are no business of a process that does not need them.

#include "svm/liblinear.hpp"

#include <dlfcn.h>
#include <linear.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "linalg/dense.hpp"
#include "sven/elastic_net.hpp"
#include "sven/error.hpp"
#include "svm/tuning.hpp"

namespace sven {

bool has_liblinear() {
    return true;
}

namespace svm {
namespace {

struct Library {
    Library() : handle(dlopen(SVEN_LIBLINEAR_FILE, RTLD_NOW | RTLD_LOCAL)) {
        if (handle == nullptr)
            throw InvalidArgument(std::string("LIBLINEAR cannot be loaded: ") + dlerror());
        load(train, "train");
        load(check_parameter, "check_parameter");
        load(free_and_destroy_model, "free_and_destroy_model");
        load(set_print_string_function, "set_print_string_function");
    }
    template <class Function>
    void load(Function& function, const char* symbol) const {
        function = reinterpret_cast<Function>(dlsym(handle, symbol));
        if (function == nullptr) throw InvalidArgument(std::string("LIBLINEAR lacks ") + symbol);
    }

    void* handle;
    decltype(&::train) train = nullptr;
    decltype(&::check_parameter) check_parameter = nullptr;
    decltype(&::free_and_destroy_model) free_and_destroy_model = nullptr;
    decltype(&::set_print_string_function) set_print_string_function = nullptr;
};

thread_local Index iterations_seen = 0;

// LIBLINEAR reports the number of iterations only in its printed output: a line "iter k ..." for
// each iteration of the primal solver, "... #iter = k" at the end of the dual one.
void read_instead_of_printing(const char* text) {
    long long count = 0;
    const std::string line(text);
    const auto total = line.find("#iter = ");
    if (total != std::string::npos) {
        if (std::sscanf(line.c_str() + total, "#iter = %lld", &count) == 1) iterations_seen = count;
    } else if (std::sscanf(text, "iter %lld", &count) == 1) {
        iterations_seen = count;
    }
}

// The samples as LIBLINEAR stores them: the non-zeros by feature, from 1, terminated by index -1.
// LIBLINEAR multiplies its tolerance by the fraction of the rarer class, so the classes are made
// equal: every other sample is passed as -z with label -1, which is equivalent.
class Nodes {
  public:
    explicit Nodes(const LinearProblem& problem) {
        labels_.resize(static_cast<std::size_t>(problem.samples));
        starts_.resize(labels_.size());
        nodes_.reserve(static_cast<std::size_t>(problem.samples * (problem.features + 1)));
        for (Index i = 0; i < problem.samples; ++i) {
            labels_[i] = i % 2 == 0 ? 1 : -1;
            starts_[i] = nodes_.data() + nodes_.size();
            for (Index j = 0; j < problem.features; ++j) {
                const double value = labels_[i] * problem.z[i * problem.features + j];
                if (value != 0) nodes_.push_back({static_cast<int>(j + 1), value});
            }
            nodes_.push_back({-1, 0});
        }
        view_ = {static_cast<int>(problem.samples), static_cast<int>(problem.features),
                 labels_.data(), starts_.data(), -1};
    }

    const ::problem& view() const { return view_; }

  private:
    std::vector<double> labels_;
    std::vector<feature_node*> starts_;
    std::vector<feature_node> nodes_;
    ::problem view_{};
};

const Library& library() {
    static const Library loaded = [] {
        const Library fresh;
        fresh.set_print_string_function(read_instead_of_printing);
        return fresh;
    }();
    return loaded;
}

struct FreeModel {
    void operator()(model* trained) const { library().free_and_destroy_model(&trained); }
};

std::vector<double> run(const Nodes& nodes, const LinearProblem& problem, int solver) {
    parameter how{};
    how.solver_type = solver;
    how.eps = problem.eps;
    how.C = problem.cost;
    how.p = liblinear_p;
    if (const char* complaint = library().check_parameter(&nodes.view(), &how)) {
        throw InvalidArgument(std::string("LIBLINEAR says: ") + complaint);
    }
    iterations_seen = 0;
    const std::unique_ptr<model, FreeModel> trained(library().train(&nodes.view(), &how));
    std::vector<double> w(static_cast<std::size_t>(problem.features));
    for (Index j = 0; j < problem.features; ++j) w[j] = trained->w[j];
    return w;
}

}  // namespace

LinearFit train_liblinear(const LinearProblem& problem) {
    const Nodes nodes(problem);
    LinearFit fit;
    // With fewer samples than features the dual has fewer unknowns.
    if (problem.samples < problem.features) {
        fit.w = run(nodes, problem, L2R_L2LOSS_SVC_DUAL);
        fit.iterations = iterations_seen;
    }
    if (fit.w.empty() || fit.iterations >= liblinear_rounds) {
        fit.w = run(nodes, problem, L2R_L2LOSS_SVC);
        fit.iterations += iterations_seen;
    }
    fit.alpha.resize(static_cast<std::size_t>(problem.samples));
    for (Index i = 0; i < problem.samples; ++i) {
        const double* z = problem.z.data() + i * problem.features;
        const double margin = 1 - linalg::dot(problem.features, z, fit.w.data());
        fit.alpha[i] = 2 * problem.cost * std::max(0.0, margin);
    }
    return fit;
}

}  // namespace svm
}  // namespace sven
