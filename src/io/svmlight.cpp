#include "io/svmlight.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "io/number.hpp"
#include "io/sparse_columns.hpp"

namespace sven::io {

namespace {

struct Rules {
    Index first_index = 1;
    Index largest_index = 0;
};

// The samples of one chunk, by rows.
struct Samples {
    std::vector<double> labels;
    std::vector<double> values;
    std::vector<std::int32_t> features;  // from 0
    std::vector<Index> row_ends;         // into values
    Index feature_count = 0;
};

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

class SampleParser {
  public:
    SampleParser(const char* last, const Rules& rules, Samples& samples)
        : last_(last), rules_(rules), samples_(samples) {}

    // Reads the line at `first`; returns the start of the next one, or nullptr with the fault's
    // column and text set.
    const char* parse(const char* first, Fault& fault) {
        const char* at = skip_blanks(first);
        if (ends_sample(at)) return next_line(at, last_);
        fault.column = 1;
        double label = 0;
        at = parse_value(at, label, fault);
        if (at == nullptr) return nullptr;
        Index previous = rules_.first_index - 1;
        for (at = skip_blanks(at); !ends_sample(at); at = skip_blanks(at)) {
            ++fault.column;
            if (is_query(at)) {
                at = token_end(at);
                continue;
            }
            at = parse_pair(at, previous, fault);
            if (at == nullptr) return nullptr;
        }
        samples_.labels.push_back(label);
        samples_.row_ends.push_back(static_cast<Index>(samples_.values.size()));
        samples_.feature_count =
            std::max(samples_.feature_count, previous - rules_.first_index + 1);
        return next_line(at, last_);
    }

  private:
    const char* skip_blanks(const char* at) const {
        while (at != last_ && is_blank(*at)) ++at;
        return at;
    }
    bool ends_sample(const char* at) const { return at == last_ || *at == '\n' || *at == '#'; }
    bool ends_token(const char* at) const { return ends_sample(at) || is_blank(*at); }
    const char* token_end(const char* at) const {
        while (!ends_token(at)) ++at;
        return at;
    }
    std::string_view token(const char* at) const {
        return {at, static_cast<std::size_t>(token_end(at) - at)};
    }
    // svmlight's ranking groups, "qid:3", are ignored in regression.
    bool is_query(const char* at) const {
        return last_ - at > 4 && at[0] == 'q' && std::string_view(at, 4) == "qid:";
    }

    const char* parse_value(const char* at, double& value, Fault& fault) const {
        const char* const end = scan_number(at, last_, value);
        if (end != nullptr && ends_token(end) && std::isfinite(value)) return end;
        const std::string_view text = token(at);
        if (parse_number(text, value) && std::isfinite(value)) return at + text.size();
        fault.what = describe_bad_number(text);
        return nullptr;
    }

    const char* parse_pair(const char* first, Index& previous, Fault& fault) {
        Index index = 0;
        const auto [colon, error] = std::from_chars(first, last_, index);
        const bool has_index =
            error != std::errc::invalid_argument && colon != last_ && *colon == ':';
        if (!has_index) {
            fault.what = in_quotes(token(first)) + " is not index:value";
            return nullptr;
        }
        if (error == std::errc::result_out_of_range) index = std::numeric_limits<Index>::max();
        if (!check_index(index, previous, fault)) return nullptr;
        double value = 0;
        const char* const end = parse_value(colon + 1, value, fault);
        if (end == nullptr) return nullptr;
        previous = index;
        samples_.features.push_back(static_cast<std::int32_t>(index - rules_.first_index));
        samples_.values.push_back(value);
        return end;
    }

    bool check_index(Index index, Index previous, Fault& fault) const {
        if (index > previous && index <= rules_.largest_index) return true;
        const std::string text = "index " + std::to_string(index);
        if (index < rules_.first_index) {
            fault.what = text + " is out of range: indices begin at " +
                         std::to_string(rules_.first_index) +
                         (index == 0 ? " unless the file is said to be zero-based" : "");
        } else if (index > rules_.largest_index) {
            fault.what = "the index is out of range: a file of this size may have indices up to " +
                         std::to_string(rules_.largest_index);
        } else if (index == previous) {
            fault.what = text + " is repeated";
        } else {
            fault.what = text + " comes after " + std::to_string(previous) + ": indices must rise";
        }
        return false;
    }

    const char* last_;
    Rules rules_;
    Samples& samples_;
};

std::optional<Fault> parse_chunk(const Source& source, const Chunk& chunk, const Rules& rules,
                                 Samples& samples) {
    const auto pairs = static_cast<std::size_t>(std::count(chunk.begin, chunk.end, ':'));
    samples.values.reserve(pairs);
    samples.features.reserve(pairs);
    SampleParser parser(chunk.end, rules, samples);
    Fault fault;
    for (const char* at = chunk.begin; at != chunk.end;) {
        ++fault.line;
        at = parser.parse(at, fault);
        if (at == nullptr) {
            fault.line += std::count(source.begin(), chunk.begin, '\n');
            return fault;
        }
    }
    return std::nullopt;
}

// Rows come in order, so the row numbers of each column increase. Chunks are freed as they are
// used.
std::shared_ptr<SparseColumns> compress_columns(std::vector<Samples>& parts, Index features) {
    auto columns = std::make_shared<SparseColumns>();
    auto& offsets = columns->offsets;
    offsets.assign(static_cast<std::size_t>(features) + 2, 0);
    for (const Samples& part : parts) {
        for (const std::int32_t feature : part.features)
            ++offsets[static_cast<std::size_t>(feature) + 2];
    }
    for (std::size_t j = 2; j < offsets.size(); ++j) offsets[j] += offsets[j - 1];
    const auto total = static_cast<std::size_t>(offsets.back());
    columns->rows.reset(new std::int32_t[total]);
    columns->values.reset(new double[total]);
    std::int32_t row = 0;
    for (Samples& part : parts) {
        std::size_t k = 0;
        for (const Index row_end : part.row_ends) {
            for (; k < static_cast<std::size_t>(row_end); ++k) {
                // offsets[j + 1] is the next free place of column j, and finally the start of
                // column j + 1.
                const auto slot = static_cast<std::size_t>(
                    offsets[static_cast<std::size_t>(part.features[k]) + 1]++);
                columns->rows[slot] = row;
                columns->values[slot] = part.values[k];
            }
            ++row;
        }
        part = Samples();
    }
    offsets.pop_back();
    return columns;
}

}  // namespace

Dataset read_svmlight(const Source& source, const ReadOptions& options, std::size_t chunk_size) {
    if (source.size() == 0) raise(source.path(), {0, 0, "the file is empty"});
    source.expect_one_sequential_pass();
    const Index most = std::max<Index>(always_allowed_lines, static_cast<Index>(source.size()));
    Rules rules;
    rules.first_index = options.zero_based ? 0 : 1;
    rules.largest_index = std::min<Index>(most, std::numeric_limits<std::int32_t>::max() - 1) -
                          (options.zero_based ? 1 : 0);

    auto chunks = split_at_lines(source.begin(), source.end(), {options.threads, chunk_size});
    std::vector<Samples> parts(chunks.size());
    const auto fault = for_each_chunk(chunks.size(), options.threads, [&](std::size_t k) {
        return parse_chunk(source, chunks[k], rules, parts[k]);
    });
    if (fault) raise(source.path(), *fault);

    Dataset data;
    Index rows = 0;
    Index features = 0;
    for (const Samples& part : parts) {
        rows += static_cast<Index>(part.labels.size());
        features = std::max(features, part.feature_count);
        if (options.has_response)
            data.y.insert(data.y.end(), part.labels.begin(), part.labels.end());
    }
    if (rows == 0) raise(source.path(), {0, 0, "there are no samples in the file"});
    if (features == 0) raise(source.path(), {0, 0, "there are no features in the file"});
    if (rows > std::numeric_limits<std::int32_t>::max()) {
        raise(source.path(), {0, 0, "there are more than 2147483647 samples in the file"});
    }
    features = std::max(features, options.least_features);
    const auto columns = compress_columns(parts, features);
    data.X = columns->view(rows, features);
    data.first_feature_number = rules.first_index;
    data.storage = columns;
    return data;
}

}  // namespace sven::io
