// svenet._core: the Python bindings of the library. Arguments are checked by the library; this file
// only names them.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "interpreter.hpp"
#include "plink.hpp"
#include "runner.hpp"
#include "session.hpp"
#include "solve.hpp"
#include "statistics.hpp"
#include "sven/device.hpp"
#include "sven/error.hpp"
#include "sven/version.hpp"
#include "tasks.hpp"
#include "threads.hpp"

namespace nb = nanobind;

namespace {

using namespace nb::literals;
using svenet::SolveOptions;

void translate_errors() {
    nb::register_exception_translator([](const std::exception_ptr& error, void*) {
        try {
            std::rethrow_exception(error);
        } catch (const sven::InvalidArgument& invalid) {
            PyErr_SetString(PyExc_ValueError, invalid.what());
        }
    });
}

sven::Method method_of(const std::string& name) {
    if (name == "auto") return sven::Method::automatic;
    if (name == "primal") return sven::Method::primal;
    if (name == "dual") return sven::Method::dual;
    throw std::invalid_argument("no such method: " + name);
}

sven::Device device_of(const std::string& name) {
    if (name == "cpu") return sven::Device::cpu;
    if (name == "cuda") return sven::Device::cuda;
    if (name == "auto" || name == "automatic") return sven::Device::automatic;
    throw std::invalid_argument("no such device: " + name);
}

void bind_types(nb::module_& module) {
    nb::class_<svenet::Matrix>(module, "Matrix")
        .def_static(
            "dense",
            [](const svenet::DenseArray& array) {
                return svenet::dense_matrix(array, nb::cast(array));
            },
            "array"_a)
        .def_static("sparse", &svenet::sparse_matrix, "data"_a, "indices"_a, "indptr"_a, "shape"_a,
                    "by_columns"_a)
        .def_static("dense_on_gpu", &svenet::dense_matrix_on_gpu, "entries"_a, "shape"_a,
                    "strides"_a, "owner"_a)
        .def_static("sparse_on_gpu", &svenet::sparse_matrix_on_gpu, "data"_a, "indices"_a,
                    "indptr"_a, "shape"_a, "owner"_a)
        .def_static("of_tasks", &svenet::columns_of_tasks, "rows"_a, "cols"_a, "ask"_a);
    nb::class_<SolveOptions>(module, "Options")
        .def(
            "__init__",
            [](SolveOptions* self, double tolerance, int max_iterations, int threads,
               const std::string& method, const std::string& device, nb::object progress,
               bool proofs) {
                new (self)
                    SolveOptions{tolerance,         max_iterations,      threads, method_of(method),
                                 device_of(device), std::move(progress), proofs};
            },
            nb::kw_only(), "tolerance"_a, "max_iterations"_a, "threads"_a = 0, "method"_a = "auto",
            "device"_a = "cpu", "progress"_a = nb::none(), "proofs"_a = false);
    nb::class_<svenet::RegressionProblem>(module, "Problem")
        .def(
            "__init__",
            [](svenet::RegressionProblem* self, nb::handle matrix, const svenet::RealVector& y,
               const std::optional<svenet::RealVector>& weights,
               const std::optional<svenet::RealVector>& factors,
               const std::optional<svenet::RealVector>& lower,
               const std::optional<svenet::RealVector>& upper,
               const std::optional<svenet::RealVector>& offset, bool nonnegative, bool intercept,
               bool standardize, const std::string& family) {
                new (self) svenet::RegressionProblem(svenet::make_problem(
                    matrix, y, {weights, factors, lower, upper, offset},
                    {nonnegative, intercept, standardize, svenet::family_of(family)}));
            },
            nb::kw_only(), "matrix"_a, "y"_a, "weights"_a.none(), "factors"_a.none(),
            "lower"_a.none(), "upper"_a.none(), "offset"_a.none(), "nonnegative"_a, "intercept"_a,
            "standardize"_a, "family"_a);
    nb::class_<sven::CrossValidation>(module, "Plan")
        .def(
            "__init__",
            [](sven::CrossValidation* self, const svenet::Folds& folds, double alpha,
               const svenet::RealVector& lambdas, const std::string& measure,
               const std::string& held, const svenet::RealVector& gammas, bool keep, bool grouped) {
                new (self) sven::CrossValidation(
                    svenet::plan_of(folds, alpha, lambdas, {measure, held, gammas, keep, grouped}));
            },
            nb::kw_only(), "folds"_a, "alpha"_a, "lambdas"_a, "measure"_a, "held"_a, "gammas"_a,
            "keep"_a, "grouped"_a);
}

void bind_session(nb::module_& module) {
    using svenet::Session;
    nb::class_<Session>(module, "Session")
        .def(nb::init<const svenet::RegressionProblem&, const SolveOptions&>(), "problem"_a,
             "options"_a)
        .def("set_response", &Session::set_response, "y"_a)
        .def("set_weights", &Session::set_weights, "weights"_a.none())
        .def("set_offset", &Session::set_offset, "offset"_a.none())
        .def("set_options", &Session::set_options, "options"_a)
        .def("solve", &Session::solve, "form"_a, "first"_a, "second"_a)
        .def("lambda_grid", &Session::lambda_grid, "count"_a, "min_ratio"_a, "glmnet"_a)
        .def("cross_validate", &Session::cross_validate, "plan"_a);
}

void bind_statistics(nb::module_& module) {
    using sven::Statistics;
    nb::class_<Statistics>(module, "Statistics")
        .def_static("of", &svenet::sum_up, "problem"_a, "folds"_a.none(), "options"_a)
        .def_static("decode", &svenet::decode, "name"_a, "data"_a)
        .def("encode", &svenet::encode)
        .def(
            "plus", [](const Statistics& a, const Statistics& b) { return a + b; }, "other"_a)
        .def("set_names", &Statistics::set_names, "features"_a, "target"_a)
        .def_prop_ro("rows", &Statistics::rows)
        .def_prop_ro("cols", &Statistics::cols)
        .def_prop_ro("total_weight", &Statistics::total_weight)
        .def_prop_ro("rounding", &Statistics::rounding)
        .def_prop_ro("folds", &Statistics::folds)
        .def_prop_ro("feature_names", &Statistics::feature_names)
        .def_prop_ro("target_name", &Statistics::target_name);
}

}  // namespace

NB_MODULE(_core, module) {
    svenet::watch_forks();
    svenet::watch_the_end();
    translate_errors();
    bind_types(module);
    bind_session(module);
    bind_statistics(module);
    module.def(
        "solve_path",
        [](const svenet::RegressionProblem& problem, const std::string& form,
           const svenet::RealVector& first, const svenet::RealVector& second,
           const SolveOptions& options, bool relax, std::optional<double> least_gain) {
            return svenet::solve_path(problem, form, first, second, options, {relax, least_gain});
        },
        "problem"_a, "form"_a, "first"_a, "second"_a, "options"_a, "relax"_a = false,
        "least_gain"_a = nb::none());
    module.def("solve_paths", &svenet::solve_paths, "problem"_a, "responses"_a, "form"_a, "first"_a,
               "second"_a, "options"_a);
    module.def("lambda_grid", &svenet::lambda_grid, "problem"_a, "count"_a, "min_ratio"_a,
               "glmnet"_a, "options"_a);
    module.def("make_folds", &svenet::make_folds, "kind"_a, "values"_a, "count"_a, "seed"_a,
               "repeats"_a);
    module.def("cross_validate", &svenet::cross_validate, "problem"_a, "plan"_a, "options"_a);
    module.def(
        "read_plink",
        [](const std::string& path, const std::optional<std::string>& phenotypes,
           const std::optional<std::string>& phenotype_name,
           const std::optional<std::string>& covariates, bool counts_second, bool has_target) {
            return svenet::read_plink(path, {phenotypes, phenotype_name, covariates}, counts_second,
                                      has_target);
        },
        "path"_a, "phenotypes"_a.none(), "phenotype_name"_a.none(), "covariates"_a.none(),
        "counts_second"_a, "has_target"_a);
    module.def("train", &svenet::train, "matrix"_a, "labels"_a, "costs"_a, "options"_a);
    module.def("transform", &svenet::transform, "family"_a, "type"_a, "eta"_a);
    module.def("answer_for_columns", &svenet::answer_for_columns, "part"_a, "message"_a,
               "common"_a);
    module.def("multiply", &svenet::multiply, "matrix"_a, "coefficients"_a);
    module.def("describe_dlpack", &svenet::describe_dlpack, "array"_a);
    module.def("why_no_device", &sven::why_no_device);
    module.def("allowed_threads", &svenet::allowed_threads);
    module.def("available_threads", &svenet::available_threads);
    module.def("limit_threads", &svenet::limit_threads, "threads"_a);
    module.attr("__version__") = SVEN_VERSION;
}
