#include "results.hpp"

#include <algorithm>
#include <array>

namespace svenet {
namespace {

void free_outcome(SEXP holder) {
    delete static_cast<Outcome*>(R_ExternalPtrAddr(holder));
    R_ClearExternalPtr(holder);
}

template <std::size_t Count>
SEXP named_list(const std::array<const char*, Count>& names) {
    SEXP list = PROTECT(Rf_allocVector(VECSXP, Count));
    SEXP labels = PROTECT(Rf_allocVector(STRSXP, Count));
    for (std::size_t k = 0; k < Count; ++k)
        SET_STRING_ELT(labels, static_cast<R_xlen_t>(k), Rf_mkChar(names[k]));
    Rf_setAttrib(list, R_NamesSymbol, labels);
    UNPROTECT(2);
    return list;
}

R_xlen_t length_of(std::size_t count) {
    return static_cast<R_xlen_t>(count);
}

// Puts a new vector into the list, which protects it from then on.
SEXP add(SEXP list, R_xlen_t position, SEXPTYPE type, R_xlen_t length) {
    SEXP vector = Rf_allocVector(type, length);
    SET_VECTOR_ELT(list, position, vector);
    return vector;
}

using Read = double (*)(const sven::Solution&);

void add_numbers(SEXP list, R_xlen_t position, const std::vector<sven::Solution>& path, Read read) {
    double* out = REAL(add(list, position, REALSXP, length_of(path.size())));
    for (const sven::Solution& solution : path) *out++ = read(solution);
}

void add_numbers(SEXP list, R_xlen_t position, const std::vector<double>& values) {
    std::copy(values.begin(), values.end(),
              REAL(add(list, position, REALSXP, length_of(values.size()))));
}

// One-based columns, as R counts them.
void add_columns(SEXP list, R_xlen_t position, const std::vector<sven::Index>& columns) {
    int* out = INTEGER(add(list, position, INTSXP, length_of(columns.size())));
    for (const sven::Index column : columns) *out++ = static_cast<int>(column + 1);
}

void add_statuses(SEXP list, R_xlen_t position, const std::vector<sven::Solution>& path) {
    SEXP names = add(list, position, STRSXP, length_of(path.size()));
    for (std::size_t k = 0; k < path.size(); ++k) {
        const std::string_view name = sven::name(path[k].status);
        SET_STRING_ELT(names, length_of(k),
                       Rf_mkCharLen(name.data(), static_cast<int>(name.size())));
    }
}

// The slots p, i and x of a dgCMatrix, a column for each solution.
void add_coefficients(SEXP list, const std::vector<sven::Solution>& path) {
    R_xlen_t total = 0;
    int* offsets = INTEGER(add(list, 0, INTSXP, length_of(path.size()) + 1));
    *offsets++ = 0;
    for (const sven::Solution& solution : path) {
        total += length_of(solution.coefficients.size());
        *offsets++ = static_cast<int>(total);
    }
    int* features = INTEGER(add(list, 1, INTSXP, total));
    double* values = REAL(add(list, 2, REALSXP, total));
    for (const sven::Solution& solution : path)
        for (const sven::Coefficient& coefficient : solution.coefficients) {
            *features++ = static_cast<int>(coefficient.feature);
            *values++ = coefficient.value;
        }
}

// Four counts of each solution, one column of a matrix each.
void add_certificates(SEXP list, R_xlen_t position, const std::vector<sven::Solution>& path) {
    SEXP table = Rf_allocMatrix(INTSXP, 4, static_cast<int>(path.size()));
    SET_VECTOR_ELT(list, position, table);
    int* out = INTEGER(table);
    for (const sven::Solution& solution : path) {
        const auto& [selected, zero, undecided, left_out] = solution.certificate;
        for (const sven::Index count : {selected, zero, undecided, left_out})
            *out++ = static_cast<int>(count);
    }
}

// A column for each gamma.
void add_table(SEXP list, R_xlen_t position, const std::vector<sven::GammaCurve>& curves,
               std::vector<double> sven::GammaCurve::*values) {
    const auto settings = static_cast<int>(curves.front().mean.size());
    SEXP table = Rf_allocMatrix(REALSXP, settings, static_cast<int>(curves.size()));
    SET_VECTOR_ELT(list, position, table);
    double* out = REAL(table);
    for (const sven::GammaCurve& one : curves)
        out = std::copy((one.*values).begin(), (one.*values).end(), out);
}

void add_gammas(SEXP list, R_xlen_t position, const sven::CvRelaxed& relaxed) {
    SEXP part = named_list<5>({"gamma", "cvm", "cvsd", "index", "without"});
    SET_VECTOR_ELT(list, position, part);
    double* gammas = REAL(add(part, 0, REALSXP, length_of(relaxed.curves.size())));
    for (const sven::GammaCurve& one : relaxed.curves) *gammas++ = one.gamma;
    add_table(part, 1, relaxed.curves, &sven::GammaCurve::mean);
    add_table(part, 2, relaxed.curves, &sven::GammaCurve::standard_error);
    int* index = INTEGER(add(part, 3, INTSXP, 4));  // as R counts
    for (const sven::CvChoice& choice : {relaxed.best, relaxed.one_standard_error}) {
        *index++ = static_cast<int>(choice.lambda + 1);
        *index++ = static_cast<int>(choice.gamma + 1);
    }
    const auto done =
        std::count(relaxed.fold_refit.begin(), relaxed.fold_refit.end(), sven::Refit::done);
    SET_VECTOR_ELT(part, 4,
                   Rf_ScalarReal(static_cast<double>(length_of(relaxed.fold_refit.size()) - done)));
}

}  // namespace

SEXP make_outcome() {
    SEXP holder = PROTECT(R_MakeExternalPtr(nullptr, R_NilValue, R_NilValue));
    R_RegisterCFinalizer(holder, free_outcome);
    R_SetExternalPtrAddr(holder, new Outcome);
    UNPROTECT(1);
    return holder;
}

Outcome& outcome_of(SEXP holder) {
    return *static_cast<Outcome*>(R_ExternalPtrAddr(holder));
}

SEXP failure_list(const Outcome& outcome) {
    if (outcome.error.empty() && !outcome.is_interrupted) return R_NilValue;
    SEXP list = PROTECT(named_list<2>({"error", "interrupted"}));
    if (!outcome.error.empty()) SET_VECTOR_ELT(list, 0, Rf_mkString(outcome.error.c_str()));
    SET_VECTOR_ELT(list, 1, Rf_ScalarLogical(outcome.is_interrupted ? TRUE : FALSE));
    UNPROTECT(1);
    return list;
}

SEXP path_list(const std::vector<sven::Solution>& path) {
    using sven::Solution;
    SEXP list =
        PROTECT(named_list<14>({"p", "i", "x", "a0", "gap", "deviance", "nulldev", "t", "l1", "l2",
                                "iterations", "status", "certificate", "left.out"}));
    add_coefficients(list, path);
    add_numbers(list, 3, path, [](const Solution& s) { return s.intercept; });
    add_numbers(list, 4, path, [](const Solution& s) { return s.gap; });
    add_numbers(list, 5, path, [](const Solution& s) { return s.deviance; });
    add_numbers(list, 6, path, [](const Solution& s) { return s.null_deviance; });
    add_numbers(list, 7, path, [](const Solution& s) { return s.t; });
    add_numbers(list, 8, path, [](const Solution& s) { return s.l1; });
    add_numbers(list, 9, path, [](const Solution& s) { return s.l2; });
    add_numbers(list, 10, path,
                [](const Solution& s) { return static_cast<double>(s.iterations); });
    add_statuses(list, 11, path);
    add_certificates(list, 12, path);
    // The columns are the same for every setting.
    if (!path.empty()) add_columns(list, 13, path.front().left_out);
    UNPROTECT(1);
    return list;
}

SEXP relaxed_list(const Outcome& outcome) {
    SEXP list = PROTECT(named_list<2>({"path", "refit"}));
    SET_VECTOR_ELT(list, 0, path_list(outcome.path));
    SEXP names = add(list, 1, STRSXP, length_of(outcome.refits.size()));
    for (std::size_t k = 0; k < outcome.refits.size(); ++k) {
        const std::string_view name = sven::name(outcome.refits[k]);
        SET_STRING_ELT(names, length_of(k),
                       Rf_mkCharLen(name.data(), static_cast<int>(name.size())));
    }
    UNPROTECT(1);
    return list;
}

SEXP grid_vector(const std::vector<sven::Setting>& grid) {
    SEXP vector = PROTECT(Rf_allocVector(REALSXP, length_of(grid.size())));
    double* out = REAL(vector);
    for (const sven::Setting& setting : grid) *out++ = std::get<sven::Mixing>(setting).lambda;
    UNPROTECT(1);
    return vector;
}

SEXP curve_list(const sven::CvResult& result) {
    const sven::CvCurve& curve = result.curves.front();
    SEXP list = PROTECT(named_list<6>({"cvm", "cvsd", "path", "missed", "worst.gap", "relaxed"}));
    add_numbers(list, 0, curve.mean);
    add_numbers(list, 1, curve.standard_error);
    SET_VECTOR_ELT(list, 2, path_list(curve.path));
    SET_VECTOR_ELT(list, 3, Rf_ScalarReal(static_cast<double>(sven::missed(curve))));
    SET_VECTOR_ELT(list, 4, Rf_ScalarReal(sven::worst_gap(curve)));
    if (!curve.relaxed.curves.empty()) add_gammas(list, 5, curve.relaxed);
    UNPROTECT(1);
    return list;
}

}  // namespace svenet
