// What is read of relaxed fits; the calls that make them are with those of the session.

#include <cstdint>

#include "capi/convert.hpp"
#include "capi/results.hpp"

using sven::Index;
using sven::capi::at;
using sven::capi::guarded;
using sven::capi::or_null;
using sven::capi::require;

static_assert(SVEN_REFIT_SEPARATED == static_cast<int>(sven::Refit::separated));

namespace {

SvenCvRelaxed plain(const sven::CvRelaxed& relaxed, const std::vector<std::int32_t>& refits) {
    SvenCvRelaxed out{};
    out.count = static_cast<Index>(relaxed.curves.size());
    out.best_gamma = relaxed.best.gamma;
    out.best_lambda = relaxed.best.lambda;
    out.one_standard_error_gamma = relaxed.one_standard_error.gamma;
    out.one_standard_error_lambda = relaxed.one_standard_error.lambda;
    out.fold_refit = refits.empty() ? nullptr : refits.data();
    out.out_of_fold_best = or_null(relaxed.out_of_fold.best);
    out.out_of_fold_one_standard_error = or_null(relaxed.out_of_fold.one_standard_error);
    return out;
}

}  // namespace

const char* sven_refit_name(int refit) {
    if (refit < SVEN_REFIT_DONE || refit > SVEN_REFIT_SEPARATED) return "unknown";
    return sven::name(static_cast<sven::Refit>(refit)).data();  // of string literals
}

int sven_path_refit(const SvenPath* relaxed, int64_t k, int32_t* refit) {
    return guarded([&] {
        require(relaxed, "relaxed");
        require(refit, "refit");
        *refit = static_cast<std::int32_t>(at("refit", relaxed->refits, k));
    });
}

int sven_cv_relaxed(const SvenCv* cv, int64_t k, SvenCvRelaxed* relaxed, size_t size) {
    return guarded([&] {
        require(cv, "cv");
        const sven::CvCurve& curve = at("curve", cv->result.curves, k);
        sven::capi::write("relaxed", plain(curve.relaxed, cv->refits[static_cast<std::size_t>(k)]),
                          relaxed, size);
    });
}

int sven_cv_gamma(const SvenCv* cv, int64_t k, int64_t gamma, SvenGammaCurve* curve, size_t size) {
    return guarded([&] {
        require(cv, "cv");
        const sven::GammaCurve& found =
            at("gamma", at("curve", cv->result.curves, k).relaxed.curves, gamma);
        SvenGammaCurve out{};
        out.gamma = found.gamma;
        out.mean = found.mean.data();
        out.standard_error = found.standard_error.data();
        out.fold_error = found.fold_error.data();
        sven::capi::write("curve", out, curve, size);
    });
}

int sven_cv_relaxed_path(const SvenCv* cv, int64_t k, const SvenPath** relaxed) {
    return guarded([&] {
        require(relaxed, "relaxed");
        *relaxed = nullptr;
        require(cv, "cv");
        *relaxed = &at("curve", cv->relaxed, k);
    });
}
