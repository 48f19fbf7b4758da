#pragma once
// The parsed command line, before any file is opened.

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sven/sven.hpp"

namespace sven::cli {

// An invalid command line: exit code 2.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A data file, and the roles of its columns.
struct TableArguments {
    std::string data;
    std::optional<std::string> target;
    std::optional<std::string> y;
    std::optional<std::string> id;
    std::vector<std::string> drop;
    bool transpose = false;
    bool impute_mean = false;
    bool one_hot = false;
    std::vector<std::string> one_hot_columns;  // empty: every column of texts
    bool one_hot_drop_first = false;
    bool drop_missing = false;
    std::vector<std::string> dates;
    char decimal = '.';
    char thousands = 0;  // 0: none
    bool zero_based = false;
    char comment = 0;  // of text tables and vectors; 0: none
    Index part = 0;    // of the rows, counted from 0
    Index parts = 1;
    // of PLINK files
    Allele count_allele = Allele::a1;
    std::optional<std::string> phenotypes;
    std::optional<std::string> phenotype_name;
    std::optional<std::string> covariates;
};

// What of the data lies with each rank of mpirun.
enum class Distribution { none, rows, columns, automatic };

struct DataArguments : TableArguments {
    std::optional<std::string> weights;
    std::optional<std::string> weights_column;
    std::optional<std::string> penalty_factors;
    std::vector<std::string> unpenalized;
    bool unpenalized_covariates = false;
    std::optional<double> lower;  // of every coefficient
    std::optional<double> upper;
    std::optional<std::string> limits;
    std::optional<std::string> offset;         // a column
    std::optional<std::string> positive;       // the class of a binomial target that is 1
    std::optional<std::string> fold_column;    // of `sven cv` only
    std::optional<std::string> groups_column;  // likewise, of rows that stay together
    Distribution distribution = Distribution::none;
};

struct SolverArguments {
    Family family = Family::gaussian;
    bool no_intercept = false;
    bool no_standardize = false;
    bool nonnegative = false;
    Method method = Method::automatic;
    Svm svm = Svm::newton;
    Device device = Device::cpu;
    std::optional<double> tolerance;
    std::optional<int> threads;
    std::optional<std::uint64_t> memory;  // bytes
};

// The three forms, as far as they were given.
struct SettingArguments {
    std::optional<double> t;
    std::optional<double> lambda1;
    std::optional<double> lambda2;
    std::optional<double> lambda;
    std::optional<double> alpha;
    bool glmnet = false;
};

struct OutputArguments {
    bool json = false;
    bool quiet = false;  // no progress
    std::optional<std::string> file;
    std::optional<std::string> report;      // of `path` and `cv`
    std::optional<std::string> checkpoint;  // likewise
};

// Rows to compare with, which are not fitted: another file, or a share of the rows.
struct HoldOutArguments {
    std::optional<std::string> file;
    std::optional<double> share;
};

// Refits without penalties, and how much of the penalised solution is blended in.
struct RelaxArguments {
    bool is_asked = false;
    std::vector<double> gammas;  // empty: 0, or cv.glmnet's for cross-validation
};

struct FitArguments {
    DataArguments data;
    SolverArguments solver;
    SettingArguments setting;
    OutputArguments output;
    HoldOutArguments hold_out;
    RelaxArguments relax;
    std::optional<std::uint64_t> seed;  // of the rows that are held out
};

// The settings of a path: a file of lambdas, a file of (t, lambda2), or an automatic grid.
struct GridArguments {
    std::optional<std::string> lambdas;
    std::optional<std::string> settings;
    std::optional<int> n_lambda;
    std::optional<int> distinct;
    std::optional<double> lambda_min_ratio;
    std::optional<double> alpha;
    bool glmnet = false;
};

struct PathArguments {
    DataArguments data;
    SolverArguments solver;
    GridArguments grid;
    OutputArguments output;
    RelaxArguments relax;
    std::optional<std::string> csv;  // the coefficients, as a table
};

// The lambda of the model: one of the two that cross-validation finds.
enum class Choice { min, one_se };

struct CvArguments {
    DataArguments data;
    SolverArguments solver;
    GridArguments grid;
    OutputArguments output;
    HoldOutArguments hold_out;
    RelaxArguments relax;
    std::vector<double> alphas;  // empty: 1
    std::optional<int> folds;
    std::optional<int> repeats;
    bool stratified = false;
    bool time_ordered = false;
    bool ungrouped = false;
    std::optional<std::uint64_t> seed;
    Choice choose = Choice::one_se;
    Measure measure = Measure::automatic;
    std::optional<std::string> save;  // the whole cross-validation, as JSON
    std::optional<std::string> oof;   // predictions by the folds, as CSV
};

struct PredictArguments {
    std::string model;
    TableArguments data;
    std::optional<std::string> file;  // none: standard output
    std::optional<int> threads;
    Prediction type = Prediction::response;
    std::optional<std::string> weights_column;  // of `sven assess` only
};

struct AssessArguments {
    PredictArguments rows;
    bool json = false;
};

struct ReportArguments {
    std::string results;
    std::string file = "report.html";
};

struct ConvertArguments {
    TableArguments table;
    std::string output;
    std::optional<std::string> y_output;
    std::optional<int> threads;
};

// Files of data, whose sufficient statistics are added up, and of statistics.
struct GramArguments {
    DataArguments data;  // how each file is read; the path is not used
    std::vector<std::string> files;
    std::string output;
    bool merges = false;  // all are files of statistics
    std::optional<int> folds;
    std::optional<std::uint64_t> seed;
    std::optional<int> threads;
    std::optional<int> parts;  // that each file is read in, one after the other
};

struct SimulateArguments {
    std::string output;
    std::optional<std::string> y_output;
    std::optional<std::string> truth;
    std::optional<int> rows;
    std::optional<int> features;
    std::optional<int> nonzero;
    std::optional<double> correlation;
    std::optional<double> noise;
    std::optional<double> density;
    bool plink = false;
    std::optional<double> missing;  // share of the genotypes
    std::optional<std::uint64_t> seed;
};

struct InfoArguments {
    bool json = false;
};

// Help or the version was requested: print this and exit.
struct Answer {
    std::string text;
};

using Command = std::variant<FitArguments, PathArguments, CvArguments, PredictArguments,
                             AssessArguments, ReportArguments, ConvertArguments, GramArguments,
                             SimulateArguments, InfoArguments, Answer>;

bool is_command(std::string_view word);

// Throws UsageError if an option is unknown or its value is invalid.
Command parse_arguments(int count, const char* const* words);

}  // namespace sven::cli
