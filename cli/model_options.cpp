// The options of the commands that fit models: fit, path and cv.
#include "cli/command_options.hpp"
#include "cli/memory_limit.hpp"
#include "cli/options.hpp"

namespace sven::cli {

namespace {

const char* const fit_examples =
    "Examples:\n"
    "  sven fit data.csv --target price --t 2 --lambda2 0.5\n"
    "      the sum of the absolute coefficients is at most 2\n"
    "  sven fit data.csv --lambda 0.1 --alpha 0.5 -o model.json\n"
    "      scikit-learn's ElasticNet(alpha=0.1, l1_ratio=0.5); the model is saved to a file\n"
    "  sven fit X.npy --y y.npy --lambda1 3 --lambda2 0 --json\n"
    "      the Lasso on a NumPy matrix; the answer as JSON";

const char* const path_examples =
    "Examples:\n"
    "  sven path data.csv --target price --alpha 0.5 -o path.json\n"
    "      100 settings, from the largest useful lambda down\n"
    "  sven path train.svm --n-lambda 40 --lambda-min-ratio 0.05\n"
    "      40 settings of the Lasso, down to a twentieth of that lambda\n"
    "  sven path data.csv --settings settings.csv\n"
    "      settings.csv has the columns t and lambda2";

const char* const cv_examples =
    "Examples:\n"
    "  sven cv data.csv --target price -o model.json\n"
    "      10 folds, the Lasso at lambda.1se\n"
    "  sven cv data.csv --target price --alpha 0.1,0.5,1 --choose min --seed 7\n"
    "      three mixes of the two penalties; the one with the least error is chosen\n"
    "  sven cv data.csv --target disease --family binomial --measure auc\n"
    "      classes, judged by the area under the ROC curve";

void add_data_options(CLI::App& app, DataArguments& data) {
    add_data_file(app, data.data);
    OptionGroup group(app, "Data");
    group.text(
        "--target", data.target, "NAME|NUMBER",
        "the column to predict, by name or counted from 0 (default: the last); of counts with "
        "--family binomial two: the successes and the failures, as cured,not");
    group.text("--positive", data.positive, "CLASS",
               "the class of a binomial target whose probability is fitted (default: the last in "
               "alphabetical order, or the larger number)");
    add_table_options(group, data);
    add_column_options(group, data);
    group.choice<Distribution>(
        "--distributed", data.distribution,
        {{"rows", Distribution::rows},
         {"columns", Distribution::columns},
         {"auto", Distribution::automatic}},
        "under mpirun: each rank reads its share of the rows, or of the columns, or the file whose "
        "name has its number for {rank}; the first solves and writes; auto: columns if there are "
        "more of them than rows");
    group.text("--weights", data.weights, "FILE",
               "weights of the rows: .npy, or one number per line");
    group.text("--weights-column", data.weights_column, "NAME",
               "the column that holds the weights of the rows");
    group.text("--penalty-factors", data.penalty_factors, "FILE",
               "a factor for each feature on both penalties; 0: not penalised, inf: left out");
    group.names("--unpenalized", data.unpenalized, "features that are not penalised");
    add_plink_options(group, data);
    group.flag("--unpenalized-covariates", data.unpenalized_covariates,
               "the features of --covariates are not penalised");
    group.text("--offset", data.offset, "NAME",
               "the column that holds a known part of the target: the rest is fitted");
    group.number("--lower", data.lower, "B", "no coefficient below this, at most 0");
    group.number("--upper", data.upper, "B", "no coefficient above this, at least 0");
    group.text("--limits", data.limits, "FILE",
               "CSV with the columns feature, lower and upper: limits of single coefficients; an "
               "empty field or inf: none");
}

void add_solver_options(CLI::App& app, SolverArguments& solver) {
    OptionGroup model(app, "Model");
    model.choice<Family>(
        "--family", solver.family,
        {{"gaussian", Family::gaussian},
         {"binomial", Family::binomial},
         {"poisson", Family::poisson}},
        "what the target is: any number (gaussian, the default), two classes or a share between 0 "
        "and 1 (binomial: logistic regression), a count (poisson: Poisson regression)");
    model.flag("--no-intercept", solver.no_intercept, "fit without an intercept");
    model.flag("--no-standardize", solver.no_standardize,
               "do not scale the columns; by default they are divided by their standard "
               "deviation, and all penalties refer to that scale");
    model.flag("--nonnegative", solver.nonnegative, "no coefficient below zero");
    OptionGroup group(app, "Solver");
    group.choice<Method>(
        "--method", solver.method,
        {{"auto", Method::automatic}, {"primal", Method::primal}, {"dual", Method::dual}},
        "over X (primal), over the Gram matrix (dual), or the cheaper one (auto, the default)");
    group.choice<Svm>("--svm", solver.svm, {{"newton", Svm::newton}, {"liblinear", Svm::liblinear}},
                      "the support vector machine inside (default: newton)");
    group.choice<Device>(
        "--device", solver.device,
        {{"cpu", Device::cpu}, {"cuda", Device::cuda}, {"auto", Device::automatic}},
        "where products with the data are computed (default: cpu); auto: on the GPU if there is "
        "one and the data are large");
    group.number("--tolerance,--tol", solver.tolerance, "GAP",
                 "the relative optimality gap to reach (default: 1e-10; 1e-8 with liblinear)");
    group.count("--threads", solver.threads, "N",
                "threads to use (default: SVEN_NUM_THREADS, OMP_NUM_THREADS, or every core)");
    group.word("--memory", "SIZE",
               "take no more memory than this, such as 500M or 2G, beside what the system keeps of "
               "mapped files (.npy, .bed)",
               [&solver](const std::string& text) {
                   solver.memory = parse_memory_option("--memory", text);
               });
}

void add_output_options(CLI::App& app, OutputArguments& output, const std::string& what) {
    OptionGroup group(app, "Output");
    group.flag("--json", output.json, "print JSON instead of a table");
    group.text("-o,--output", output.file, "FILE",
               "write " + what + " to this file, as JSON; - is standard output");
}

void add_progress_options(OptionGroup& group, OutputArguments& output) {
    group.text("--report", output.report, "FILE", "write a report, one HTML file");
    group.flag("--quiet,-q", output.quiet, "show no progress and no warnings");
}

void add_checkpoint_option(OptionGroup& group, OutputArguments& output) {
    group.text("--checkpoint", output.checkpoint, "FILE",
               "keep what was found so far in this file; the same command goes on from it after an "
               "interruption, and removes it at the end");
}

void add_hold_out_options(OptionGroup& group, HoldOutArguments& hold_out) {
    group.text("--test", hold_out.file, "FILE", "rows to compare the model with, like DATA");
    group.number("--test-share", hold_out.share, "S",
                 "hold out this share of the rows, 0 to 1, and compare the model with them");
}

void add_relax_options(OptionGroup& group, RelaxArguments& relax, bool takes_several) {
    group.flag("--relax", relax.is_asked,
               "refit the selected features without penalties, as glmnet's relax");
    group.numbers("--gamma", relax.gammas, takes_several ? "G,..." : "G",
                  takes_several ? "with --relax: the shares of the penalised solution to choose "
                                  "from (default: 0,0.25,0.5,0.75,1)"
                                : "with --relax: the share of the penalised solution that is "
                                  "blended in, 0 to 1 (default: 0)");
}

void add_grid_options(OptionGroup& group, GridArguments& grid) {
    group.count("--n-lambda,--nlambda", grid.n_lambda, "N",
                "lambdas in the automatic grid (default: 100)");
    group.number(
        "--lambda-min-ratio", grid.lambda_min_ratio, "R",
        "the smallest lambda over the largest (default: 1e-4, or 1e-2 when rows are fewer than "
        "features)");
    group.text("--lambdas", grid.lambdas, "FILE", "the lambdas to use, one per line");
    group.flag("--glmnet", grid.glmnet, "lambda and alpha are defined as in glmnet");
}

}  // namespace

void add_data_file(CLI::App& app, std::string& path) {
    app.add_option(
           "DATA", path,
           "CSV or TSV with a header, LIBSVM/svmlight (.svm, .libsvm), Matrix Market "
           "(.mtx), NumPy .npy, .npz of scipy.sparse, PLINK .bed beside .bim and .fam, or an array "
           "of an HDF5 file, as data.h5:/group/name; .gz of the text ones; - is standard input")
        ->required()
        ->type_name("FILE");
}

void add_table_options(OptionGroup& group, TableArguments& table) {
    group.text("--y", table.y, "FILE",
               "the values to predict: .npy, one number per line, or data.h5:/y");
    group.text("--id", table.id, "NAME", "the column that names the rows");
    group.flag("--transpose", table.transpose,
               "the features are the rows of the file, named by its first column");
    group.flag("--zero-based", table.zero_based, "svmlight indices begin at 0 instead of 1");
    group.one_of("--decimal", table.decimal, ".,", "the decimal mark of text tables (default: .)");
    group.one_of("--thousands", table.thousands, ",.' _",
                 "what separates groups of three digits in text tables (default: nothing)");
    group.mark("--comment", table.comment,
               "skip the lines of text tables and vectors that begin with this character "
               "(default: every line is data)");
}

void add_plink_options(OptionGroup& group, TableArguments& table) {
    group.text("--pheno", table.phenotypes, "FILE",
               "of a .bed file: a table with the columns IID and the phenotype (default: column 6 "
               "of the .fam file)");
    group.text("--pheno-name", table.phenotype_name, "NAME", "the column of --pheno to predict");
    group.text("--covariates", table.covariates, "FILE",
               "of a .bed file: a table with a column IID, whose other columns become features");
    group.choice<Allele>("--count-allele", table.count_allele,
                         {{"a1", Allele::a1}, {"a2", Allele::a2}},
                         "the allele of the .bim file that genotypes count (default: a1)");
}

void add_column_options(OptionGroup& group, TableArguments& table) {
    group.optional_names("--one-hot", table.one_hot, table.one_hot_columns,
                         "convert columns of texts to 0/1 features, one for each text; with a "
                         "list these columns alone, also if they hold numbers");
    group.flag("--one-hot-drop-first", table.one_hot_drop_first,
               "no feature for the first text of a column");
    group.choice<bool>("--impute", table.impute_mean, {{"mean", true}},
                       "replace missing values by the mean of their column");
    group.flag("--drop-missing", table.drop_missing,
               "leave out rows that lack the target, or a value that --impute does not fill in");
    group.names("--date", table.dates,
                "columns of dates (2024-01-31, 31.01.2024, also with a time): days since 1970");
    group.names("--drop", table.drop, "columns to leave out");
}

void add_fit(CLI::App& app, FitArguments& fit) {
    CLI::App& command =
        *app.add_subcommand("fit", "Fit one elastic net and print its coefficients.");
    command.footer(fit_examples);
    add_data_options(command, fit.data);
    OptionGroup group(command,
                      "Setting (one of: --t and --lambda2; --lambda1 and --lambda2; --lambda)");
    group.number("--t", fit.setting.t, "T", "the largest sum of absolute coefficients");
    group.number("--lambda1", fit.setting.lambda1, "L",
                 "the penalty on the sum of absolute coefficients");
    group.number("--lambda2", fit.setting.lambda2, "L",
                 "the penalty on the sum of squared coefficients");
    group.number("--lambda", fit.setting.lambda, "L",
                 "the penalty in scikit-learn's objective (its alpha)");
    group.number("--alpha,--l1-ratio", fit.setting.alpha, "A",
                 "the share of the absolute part in --lambda, 0 to 1 (default: 1, the Lasso)");
    group.flag("--glmnet", fit.setting.glmnet, "--lambda and --alpha are defined as in glmnet");
    add_relax_options(group, fit.relax, false);
    OptionGroup test(command, "Test");
    add_hold_out_options(test, fit.hold_out);
    test.seed("--seed", fit.seed, "which rows are held out (default: 1)");
    add_solver_options(command, fit.solver);
    add_output_options(command, fit.output, "the model");
    OptionGroup output(command, "Output");
    add_progress_options(output, fit.output);
}

void add_path(CLI::App& app, PathArguments& path) {
    CLI::App& command =
        *app.add_subcommand("path", "Fit a whole path of settings, from strong to weak penalties.");
    command.footer(path_examples);
    add_data_options(command, path.data);
    OptionGroup group(command, "Settings (default: an automatic grid of lambdas)");
    add_grid_options(group, path.grid);
    group.number("--alpha,--l1-ratio", path.grid.alpha, "A",
                 "the share of the absolute part in lambda, 0 to 1 (default: 1, the Lasso)");
    group.text("--settings", path.grid.settings, "FILE",
               "a CSV file with the columns t and lambda2");
    group.count("--distinct", path.grid.distinct, "N",
                "the paper's protocol: N settings (t, lambda2) along the automatic path, each with "
                "a different number of selected features");
    add_relax_options(group, path.relax, false);
    add_solver_options(command, path.solver);
    add_output_options(command, path.output, "the path");
    OptionGroup output(command, "Output");
    output.text("--csv", path.csv, "FILE",
                "write the coefficients to this CSV file: one row for each that is not zero");
    add_checkpoint_option(output, path.output);
    add_progress_options(output, path.output);
}

void add_cv(CLI::App& app, CvArguments& cv) {
    CLI::App& command = *app.add_subcommand(
        "cv", "Choose lambda by cross-validation and fit the model at the choice.");
    command.footer(cv_examples);
    add_data_options(command, cv.data);
    OptionGroup folds(command, "Folds");
    folds.count("--folds,--nfolds", cv.folds, "K", "how many (default: 10)");
    folds.seed("--seed", cv.seed, "how rows are assigned to folds, and held out (default: 1)");
    folds.text("--fold-column", cv.data.fold_column, "NAME",
               "the column whose numbers or texts group the rows into folds, instead");
    folds.text("--folds-by", cv.data.groups_column, "NAME",
               "the column whose numbers or texts are groups: the rows of a group, such as a "
               "patient, stay in one fold");
    folds.flag("--stratified", cv.stratified,
               "spread the classes, or the values of the target, evenly over the folds");
    folds.count("--repeats", cv.repeats, "R",
                "that many times, each with other folds (default: 1)");
    folds.flag("--time-ordered", cv.time_ordered,
               "the rows are in the order of time: each fold trains on the rows before those it "
               "tests");
    folds.flag("--ungrouped", cv.ungrouped,
               "standard errors of the rows, not of the means of the folds, as grouped = FALSE of "
               "cv.glmnet");
    OptionGroup group(command, "Settings (default: an automatic grid of lambdas)");
    add_grid_options(group, cv.grid);
    group.numbers("--alpha,--l1-ratio", cv.alphas, "A,...",
                  "the share of the absolute part in lambda, 0 to 1; of several the best is chosen "
                  "(default: 1, the Lasso)");
    group.choice<Choice>("--choose", cv.choose, {{"min", Choice::min}, {"1se", Choice::one_se}},
                         "the lambda of the model: of the least error, or the strongest within one "
                         "standard error of it (1se, the default)");
    group.choice<Measure>("--measure", cv.measure,
                          {{"deviance", Measure::deviance},
                           {"mse", Measure::mse},
                           {"mae", Measure::mae},
                           {"class", Measure::classification},
                           {"auc", Measure::auc}},
                          "what the folds are judged by, as in cv.glmnet (default: deviance, which "
                          "is mse for gaussian); class and auc are for binomial");
    add_relax_options(group, cv.relax, true);
    OptionGroup test(command, "Test");
    add_hold_out_options(test, cv.hold_out);
    add_solver_options(command, cv.solver);
    add_output_options(command, cv.output, "the model");
    OptionGroup output(command, "Output");
    output.text("--save", cv.save, "FILE",
                "write the whole cross-validation to this file, as JSON for sven report");
    output.text("--oof", cv.oof, "FILE", "write the out-of-fold predictions as CSV");
    add_checkpoint_option(output, cv.output);
    add_progress_options(output, cv.output);
}

}  // namespace sven::cli
