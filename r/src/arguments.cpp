#include "arguments.hpp"

#include <cstring>
#include <memory>
#include <stdexcept>

#include "integer_matrix.hpp"

namespace svenet {
namespace {

int rows_of(SEXP dimensions) {
    return INTEGER(dimensions)[0];
}

int cols_of(SEXP dimensions) {
    return INTEGER(dimensions)[1];
}

sven::MatrixView sparse_view(SEXP x, sven::Compression compression) {
    const bool by_columns = compression == sven::Compression::columns;
    SEXP dimensions = R_do_slot(x, Rf_install("Dim"));
    sven::SparseView view;
    view.values = REAL(R_do_slot(x, Rf_install("x")));
    view.indices = INTEGER(R_do_slot(x, Rf_install(by_columns ? "i" : "j")));
    view.offsets = INTEGER(R_do_slot(x, Rf_install("p")));
    view.compression = compression;
    view.rows = rows_of(dimensions);
    view.cols = cols_of(dimensions);
    return view;
}

sven::MatrixView view_of(SEXP x) {
    if (Rf_inherits(x, "dgCMatrix")) return sparse_view(x, sven::Compression::columns);
    if (Rf_inherits(x, "dgRMatrix")) return sparse_view(x, sven::Compression::rows);
    SEXP dimensions = Rf_getAttrib(x, R_DimSymbol);
    const int rows = rows_of(dimensions);
    const int cols = cols_of(dimensions);
    switch (TYPEOF(x)) {
        case REALSXP:
            return sven::column_major(REAL(x), rows, cols);
        case INTSXP:
            return std::make_shared<const IntegerMatrix>(INTEGER(x), rows, cols);
        case LGLSXP:
            return std::make_shared<const IntegerMatrix>(LOGICAL(x), rows, cols);
        default:
            throw std::invalid_argument("x must be a matrix of numbers");
    }
}

sven::Family family_of(const std::string& name) {
    if (name == "binomial") return sven::Family::binomial;
    if (name == "poisson") return sven::Family::poisson;
    return sven::Family::gaussian;
}

sven::Measure measure_of(const std::string& name) {
    if (name == "deviance") return sven::Measure::deviance;
    if (name == "mse") return sven::Measure::mse;
    if (name == "mae") return sven::Measure::mae;
    if (name == "class") return sven::Measure::classification;
    if (name == "auc") return sven::Measure::auc;
    return sven::Measure::automatic;
}

}  // namespace

SEXP element(SEXP list, const char* name) {
    SEXP names = Rf_getAttrib(list, R_NamesSymbol);
    for (R_xlen_t k = 0; k < Rf_xlength(list); ++k)
        if (std::strcmp(CHAR(STRING_ELT(names, k)), name) == 0) return VECTOR_ELT(list, k);
    return R_NilValue;
}

double number(SEXP list, const char* name) {
    return Rf_asReal(element(list, name));
}

bool flag(SEXP list, const char* name) {
    return Rf_asLogical(element(list, name)) == TRUE;
}

std::string text(SEXP list, const char* name) {
    return CHAR(STRING_ELT(element(list, name), 0));
}

std::span<const double> numbers(SEXP vector) {
    if (Rf_isNull(vector)) return {};
    return {REAL(vector), static_cast<std::size_t>(Rf_xlength(vector))};
}

std::span<const double> numbers(SEXP list, const char* name) {
    return numbers(element(list, name));
}

sven::Problem problem_of(SEXP list) {
    sven::Problem problem;
    problem.X = view_of(element(list, "x"));
    problem.y = numbers(list, "y");
    problem.weights = numbers(list, "weights");
    problem.penalty_factors = numbers(list, "factors");
    problem.lower = numbers(list, "lower");
    problem.upper = numbers(list, "upper");
    problem.offset = numbers(list, "offset");
    problem.intercept = flag(list, "intercept");
    problem.standardize = flag(list, "standardize");
    problem.family = family_of(text(list, "family"));
    return problem;
}

sven::Options options_of(SEXP list) {
    sven::Options options;
    options.tolerance = number(list, "tolerance");
    options.max_iterations = Rf_asInteger(element(list, "maxit"));
    options.threads = Rf_asInteger(element(list, "threads"));
    return options;
}

std::vector<sven::Setting> settings_of(SEXP list) {
    const std::span<const double> first = numbers(list, "first");
    const std::span<const double> second = numbers(list, "second");
    const bool is_budget = text(list, "form") == "budget";
    std::vector<sven::Setting> settings;
    settings.reserve(first.size());
    for (std::size_t k = 0; k < first.size(); ++k) {
        if (is_budget)
            settings.emplace_back(sven::Budget{first[k], second[k]});
        else
            settings.emplace_back(sven::Mixing{first[k], second[k], sven::Convention::glmnet});
    }
    return settings;
}

std::optional<sven::PathEnd> end_of(SEXP list) {
    SEXP rules = element(list, "end");
    if (Rf_isNull(rules)) return std::nullopt;
    sven::PathEnd end;
    end.least_gain = number(rules, "fdev");
    end.most_explained = number(rules, "devmax");
    end.least_settings = Rf_asInteger(element(rules, "mnlam"));
    const double most = number(rules, "dfmax");  // may be infinite
    if (most < static_cast<double>(end.most_selected))
        end.most_selected = static_cast<sven::Index>(most);
    return end;
}

sven::CrossValidation plan_of(SEXP list) {
    SEXP fold_of_row = element(list, "foldid");
    const int* folds = INTEGER(fold_of_row);
    const std::vector<sven::Index> wide(folds, folds + Rf_xlength(fold_of_row));
    const std::span<const double> lambdas = numbers(list, "lambda");
    sven::CrossValidation plan;
    plan.folds = sven::folds_of(wide);
    plan.grids = {
        sven::Grid{.alpha = number(list, "alpha"), .convention = sven::Convention::glmnet}};
    plan.lambdas.assign(lambdas.begin(), lambdas.end());
    plan.measure = measure_of(text(list, "measure"));
    plan.grouped = flag(list, "grouped");
    const std::span<const double> gammas = numbers(list, "gamma");
    plan.gammas.assign(gammas.begin(), gammas.end());
    return plan;
}

}  // namespace svenet
