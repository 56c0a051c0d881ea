// The sub-commands of convoy. Each function adds one to the parser.
#pragma once

namespace CLI {
class App;
}

namespace convoy::cli {

// `convoy bench`: how fast this machine trains a network, as a whole and layer by layer.
void add_bench_command(CLI::App& app);

// `convoy completion`: the script with which a shell completes convoy's command line.
void add_completion_command(CLI::App& app);

// `convoy data`: list, get, inspect and pack data sets.
void add_data_command(CLI::App& app);

// `convoy doctor`: what this build and this machine are, and what is wrong with them.
void add_doctor_command(CLI::App& app);

// `convoy eval`: how good trained weights are on test data.
void add_eval_command(CLI::App& app);

// `convoy export`: trained weights as a model that other tools can run.
void add_export_command(CLI::App& app);

// `convoy help`: explains a command, a flag or a word of another system.
void add_help_command(CLI::App& app);

// `convoy import`: a network and weights from a model of other tools.
void add_import_command(CLI::App& app);

// `convoy lr-find`: which learning rate to start with.
void add_lr_find_command(CLI::App& app);

// `convoy manual`: the manual pages of the commands.
void add_manual_command(CLI::App& app);

// `convoy models`: the networks of the zoo and what they cost.
void add_models_command(CLI::App& app);

// `convoy predict`: which classes trained weights see in images.
void add_predict_command(CLI::App& app);

// `convoy report`: studies and runs as a page, as Markdown, or as files of figures and tables.
void add_report_command(CLI::App& app);

// `convoy slurm`: prints the batch script that runs another command on a cluster.
void add_slurm_command(CLI::App& app);

// `convoy study`: runs a series of trainings and reports the result.
void add_study_command(CLI::App& app);

// `convoy summary`: a network layer by layer, and what training it takes.
void add_summary_command(CLI::App& app);

// `convoy train`: from one command to a trained, tested network in a run folder.
void add_train_command(CLI::App& app);

// `convoy tune`: which way of communicating suits a network on these workers.
void add_tune_command(CLI::App& app);

}  // namespace convoy::cli
