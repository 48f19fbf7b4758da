// The options of the commands that fit nothing.
#include "cli/command_options.hpp"
#include "cli/options.hpp"

namespace sven::cli {

namespace {

const char* const predict_examples =
    "Examples:\n"
    "  sven predict model.json new.csv -o predictions.csv\n"
    "      columns are found by their names, whatever their order\n"
    "  sven predict model.json test.csv --id patient\n"
    "      the predictions, each with its name, on standard output";

}  // namespace

void add_predict(CLI::App& app, PredictArguments& predict) {
    CLI::App& command = *app.add_subcommand("predict", "Apply a model to new data.");
    command.footer(predict_examples);
    command.add_option("MODEL", predict.model, "what sven fit -o or sven cv -o wrote")
        ->required()
        ->type_name("FILE");
    add_data_file(command, predict.data.data);
    OptionGroup group(command, "Data");
    group.text("--target", predict.data.target, "NAME",
               "the column to compare with (default: the model's target, where it is there)");
    add_table_options(group, predict.data);
    group.count("--threads", predict.threads, "N",
                "threads to read with (default: OMP_NUM_THREADS, else every core)");
    OptionGroup output(command, "Output");
    output.text("-o,--output", predict.file, "FILE",
                "write the predictions to this CSV file (default: standard output)");
}

}  // namespace sven::cli
