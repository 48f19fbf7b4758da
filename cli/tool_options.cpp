// The options of the commands that do not fit models.
#include "cli/command_options.hpp"
#include "cli/options.hpp"

namespace sven::cli {

namespace {

const char* const predict_examples =
    "Examples:\n"
    "  sven predict model.json new.csv -o predictions.csv\n"
    "      columns are found by their names, in any order\n"
    "  sven predict model.json test.csv --id patient\n"
    "      the predictions, each with its name, on standard output";

const char* const assess_examples =
    "Examples:\n"
    "  sven assess model.json test.csv\n"
    "      rows that were not fitted: deviance, errors and R^2, or the tables of classes\n"
    "  sven assess model.json test.csv --weights-column n --json";

const char* const report_examples =
    "Examples:\n"
    "  sven cv data.csv --target price --save cv.json\n"
    "  sven report cv.json -o report.html\n"
    "      one file for any browser, without a network";

const char* const convert_examples =
    "Examples:\n"
    "  sven convert data.csv data.svm --target price\n"
    "  sven convert data.csv X.npy --target price --y-out y.npy\n"
    "  sven convert train.svm train.npz --y-out y.npy";

const char* const gram_examples =
    "Examples:\n"
    "  sven gram january.csv february.csv --target price --folds 10 -o stats.npz\n"
    "      the files are read once; then, as often as wanted, without them:\n"
    "  sven cv stats.npz -o model.json\n"
    "  sven gram --merge stats.npz march.npz -o all.npz\n"
    "      statistics of other rows add up";

const char* const simulate_examples =
    "Examples:\n"
    "  sven simulate data.csv --rows 200 --features 1000 --nonzero 10 --truth truth.csv\n"
    "  sven simulate X.npz --y-out y.npy --rows 10000 --features 500 --density 0.01\n"
    "  sven simulate --plink study --rows 2000 --features 50000 --correlation 0.8\n"
    "      study.bed, study.bim and study.fam: genotypes, and the target as a phenotype";

const char* const info_examples =
    "Examples:\n"
    "  sven info --json > machine.json";

const char* const completion_examples =
    "Examples:\n"
    "  source <(sven completion bash)\n"
    "      for this shell; in ~/.bashrc or ~/.zshrc for every one\n"
    "  sven completion fish > ~/.config/fish/completions/sven.fish";

// A model, and rows that it was not fitted to.
void add_model_and_rows(CLI::App& command, PredictArguments& predict) {
    command.add_option("MODEL", predict.model, "a file written by sven fit -o or sven cv -o")
        ->required()
        ->type_name("FILE");
    add_data_file(command, predict.data.data);
    OptionGroup group(command, "Data");
    group.text("--target", predict.data.target, "NAME",
               "the column to compare with (default: the model's target, if present)");
    add_table_options(group, predict.data);
    add_plink_options(group, predict.data);
    group.count("--threads", predict.threads, "N",
                "threads to read with (default: SVEN_NUM_THREADS, OMP_NUM_THREADS, or every core)");
}

}  // namespace

void add_predict(CLI::App& app, PredictArguments& predict) {
    CLI::App& command = *app.add_subcommand("predict", "Apply a model to new data.");
    command.footer(predict_examples);
    add_model_and_rows(command, predict);
    OptionGroup output(command, "Output");
    output.choice<Prediction>("--type", predict.type,
                              {{"response", Prediction::response},
                               {"link", Prediction::link},
                               {"class", Prediction::label}},
                              "what is predicted: the mean, which is a probability where the model "
                              "is binomial (response, "
                              "the default), the linear predictor (link), or the class: its "
                              "name, or 0 or 1");
    output.text("-o,--output", predict.file, "FILE",
                "write the predictions to this CSV file (default: standard output)");
}

void add_assess(CLI::App& app, AssessArguments& assess) {
    CLI::App& command = *app.add_subcommand("assess", "Say how good a model is on given rows.");
    command.footer(assess_examples);
    add_model_and_rows(command, assess.rows);
    OptionGroup group(command, "Data");
    group.text("--weights-column", assess.rows.weights_column, "NAME",
               "the column that holds the weights of the rows");
    OptionGroup output(command, "Output");
    output.flag("--json", assess.json, "print JSON instead of tables");
    output.text("-o,--output", assess.rows.file, "FILE",
                "write the figures to this file, as JSON; - is standard output");
}

void add_report(CLI::App& app, ReportArguments& report) {
    CLI::App& command =
        *app.add_subcommand("report", "Make an HTML report of a path or a cross-validation.");
    command.footer(report_examples);
    command
        .add_option("RESULTS", report.results, "a file written by sven path -o or sven cv --save")
        ->required()
        ->type_name("FILE");
    OptionGroup output(command, "Output");
    output.word("-o,--output", "FILE", "the HTML file to write (default: report.html)",
                [&report](const std::string& text) { report.file = text; });
}

void add_convert(CLI::App& app, ConvertArguments& convert) {
    CLI::App& command = *app.add_subcommand("convert", "Write data in another format.");
    command.footer(convert_examples);
    add_data_file(command, convert.table.data);
    command
        .add_option(
            "OUT", convert.output,
            "the file to write; its ending gives the format: .csv .tsv .svm .mtx (each also "
            "with .gz) .npy .npz")
        ->required()
        ->type_name("FILE");
    OptionGroup group(command, "Data");
    group.text("--target", convert.table.target, "NAME|NUMBER",
               "the column that is the target, by name or counted from 0");
    add_table_options(group, convert.table);
    add_column_options(group, convert.table);
    group.count("--threads", convert.threads, "N", "threads to read with");
    OptionGroup output(command, "Output");
    output.text("--y-out", convert.y_output, "FILE",
                "write the target to this file: .npy, or one number per line");
}

void add_gram(CLI::App& app, GramArguments& gram) {
    CLI::App& command = *app.add_subcommand(
        "gram", "Sum up data for fit, path and cv, which then need the sums alone.");
    command.footer(gram_examples);
    command
        .add_option("DATA", gram.files,
                    "files of the same columns, as fit reads them, or written by this command")
        ->required()
        ->type_name("FILE...");
    OptionGroup group(command, "Data");
    group.flag("--merge", gram.merges, "every file was written by this command");
    group.text("--target", gram.data.target, "NAME|NUMBER",
               "the column to predict, by name or counted from 0 (default: the last)");
    add_table_options(group, gram.data);
    add_column_options(group, gram.data);
    group.text("--weights", gram.data.weights, "FILE",
               "weights of the rows: .npy, or one number per line");
    group.text("--weights-column", gram.data.weights_column, "NAME",
               "the column that holds the weights of the rows");
    group.count("--threads", gram.threads, "N",
                "threads to use (default: SVEN_NUM_THREADS, OMP_NUM_THREADS, or every core)");
    group.count("--parts", gram.parts, "N",
                "read each table of text, or .npy matrix, in N parts, of which one at a time is in "
                "memory (default: 1)");
    OptionGroup folds(command, "Folds, for sven cv (default: none)");
    folds.count("--folds,--nfolds", gram.folds, "K", "how many; each file is dealt out by itself");
    folds.seed("--seed", gram.seed, "how rows are assigned to folds (default: 1)");
    folds.text("--fold-column", gram.data.fold_column, "NAME",
               "the column whose whole numbers group the rows into folds, instead");
    OptionGroup output(command, "Output");
    command
        .add_option("-o,--output", gram.output,
                    "the .npz file to write the statistics to; - is standard output")
        ->required()
        ->type_name("FILE")
        ->group("Output");
}

void add_simulate(CLI::App& app, SimulateArguments& simulate) {
    CLI::App& command =
        *app.add_subcommand("simulate", "Make data with a known answer: y = X b + noise.");
    command.footer(simulate_examples);
    command
        .add_option("OUT", simulate.output,
                    "the file to write; its ending gives the format, as in sven convert")
        ->required()
        ->type_name("FILE");
    OptionGroup group(command, "Data");
    group.count("--rows,-n", simulate.rows, "N", "rows (default: 100)");
    group.count("--features,-p", simulate.features, "P", "features (default: 20)");
    group.count("--nonzero,-k", simulate.nonzero, "K",
                "features with a coefficient, 0.5 to 2 in size (default: 5)");
    group.number("--correlation", simulate.correlation, "R",
                 "of neighbouring features; it decays by powers of R (default: 0)");
    group.number("--noise", simulate.noise, "S", "standard deviation of the noise (default: 1)");
    group.number("--density", simulate.density, "D",
                 "below 1: sparse, with this share of the entries (default: 1)");
    group.flag("--plink", simulate.plink,
               "genotypes of people: OUT.bed, OUT.bim and OUT.fam are written");
    group.number("--missing", simulate.missing, "R",
                 "the share of genotypes that are missing (default: 0.01)");
    group.seed("--seed", simulate.seed, "of the generator (default: 1)");
    OptionGroup output(command, "Output");
    output.text("--y-out", simulate.y_output, "FILE",
                "write the target to this file: .npy, or one number per line");
    output.text("--truth", simulate.truth, "FILE", "write the coefficients to this CSV file");
}

void add_info(CLI::App& app, InfoArguments& info) {
    CLI::App& command =
        *app.add_subcommand("info", "Print the version, the build and the machine.");
    command.footer(info_examples);
    OptionGroup group(command, "Output");
    group.flag("--json", info.json, "print JSON instead of lines");
}

void add_completion(CLI::App& app, std::string& shell, std::string& file) {
    CLI::App& command =
        *app.add_subcommand("completion", "Print a script that completes commands in a shell.");
    command.footer(completion_examples);
    command.add_option("SHELL", shell, "bash, zsh or fish")->required();
    // The scripts ask for the columns of a file: "completion columns data.csv".
    command.add_option("FILE", file)->group("");
}

}  // namespace sven::cli
