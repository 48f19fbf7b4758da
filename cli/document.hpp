#pragma once
// The JSON documents that the program writes. Numbers come back to the last bit when read.

#include <nlohmann/json.hpp>
#include <string>

#include "cli/records.hpp"

namespace sven::cli {

using Json = nlohmann::ordered_json;  // keys in the order in which they are documented

constexpr const char* model_format = "sven-model/1";
constexpr const char* path_format = "sven-path/1";
constexpr const char* cv_format = "sven-cv/1";

// What `sven fit --json` prints.
Json fit_document(const FitRecord& record);

// All that a prediction needs, and how the model came about. `validation` is that of `sven cv`.
Json model_document(const FitRecord& record, const CvRecord* validation = nullptr);

Json path_document(const PathRecord& record);
Json cv_document(const CvRecord& record);

// UTF-8 that is broken in a column's name must not cost the answer: it is replaced.
std::string text_of(const Json& document);

}  // namespace sven::cli
