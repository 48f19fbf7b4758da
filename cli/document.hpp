#pragma once
// The JSON documents that the program writes. Numbers are written so that reading them gives the
// same bits.

#include "cli/json_text.hpp"
#include "cli/records.hpp"

namespace sven::cli {

constexpr const char* model_format = "sven-model/1";
constexpr const char* path_format = "sven-path/1";
constexpr const char* cv_format = "sven-cv/1";

// What `sven fit --json` prints.
Json fit_document(const FitRecord& record);

// Everything that predictions need, and how the model was fitted. `validation` is that of `sven
// cv`.
Json model_document(const FitRecord& record, const CvRecord* validation = nullptr);

Json path_document(const PathRecord& record);
Json cv_document(const CvRecord& record);

}  // namespace sven::cli
