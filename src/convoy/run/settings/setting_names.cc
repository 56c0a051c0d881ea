#include "convoy/run/settings/setting_names.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>

#include "convoy/base/nearest.h"

namespace convoy {
namespace {

// Words that other programs use, and the settings that may be meant.
struct Synonyms {
  std::vector<std::string> words;
  std::vector<std::string> names;
};

const std::vector<Synonyms>& synonyms() {
  static const std::vector<Synonyms> kTable = {
      {{"np", "n", "ntasks", "nproc", "nprocs", "num-workers", "num-processes", "num-procs", "processes", "ranks",
        "nranks", "world-size", "nproc-per-node", "worker"},
       {"workers"}},
      {{"nodes", "nnodes", "num-nodes", "n-nodes"}, {"hosts", "workers"}},
      {{"host", "h", "hostfile", "host-file", "machinefile", "machine-file", "hostlist", "nodelist", "machines"},
       {"hosts"}},
      {{"batch-size", "batchsize", "minibatch", "minibatch-size", "mini-batch", "mini-batch-size", "global-batch",
        "global-batch-size", "train-batch-size", "per-device-train-batch-size", "bs", "b"},
       {"batch"}},
      {{"num-epochs", "max-epochs", "n-epochs", "nb-epochs", "num-train-epochs", "total-epochs", "epoch"}, {"epochs"}},
      {{"learning-rate", "learningrate", "base-lr", "initial-lr", "init-lr", "rate", "eta"}, {"lr"}},
      {{"num-threads", "nthreads", "n-threads", "cpus", "cpus-per-task", "cores", "jobs", "j", "t"}, {"threads"}},
      {{"dataset", "data-set", "data-path", "d"}, {"data"}},
      {{"datadir", "data-root", "root", "dataset-dir"}, {"data-dir"}},
      {{"arch", "a", "architecture", "net", "network", "model-name", "m"}, {"model"}},
      {{"output", "output-dir", "out-dir", "outdir", "o", "save-dir", "save-path", "log-dir", "logdir",
        "checkpoint-dir", "work-dir"},
       {"run-dir", "out"}},
      {{"opt", "optim", "solver"}, {"optimizer"}},
      {{"wd", "l2", "decay"}, {"weight-decay"}},
      {{"scheduler", "lr-schedule", "lr-scheduler", "lr-scheduler-type", "lr-policy"}, {"schedule"}},
      {{"warmup-epochs", "warm-up"}, {"warmup"}},
      {{"random-seed", "manual-seed", "rng-seed", "random-state", "s"}, {"seed"}},
      {{"continue", "resume-from", "resume-from-checkpoint", "restart", "restore", "load", "ckpt"}, {"resume"}},
      {{"pretrained", "weights", "finetune", "fine-tune"}, {"init"}},
      {{"config-file", "cfg", "conf", "yaml", "toml"}, {"config"}},
      {{"img-size", "imgsz", "imsize", "resolution", "input-size", "crop-size"}, {"image-size"}},
      {{"augmentation", "augmentations", "aug", "transforms"}, {"augment"}},
      {{"time", "time-limit", "walltime", "max-duration"}, {"max-time", "time"}},
      {{"early-stopping", "early-stopping-patience"}, {"patience"}},
      {{"eval-interval", "eval-freq", "eval-frequency", "val-every", "val-interval"}, {"eval-every"}},
      {{"save-every", "save-freq", "save-interval", "checkpoint-interval", "checkpoint-freq"}, {"checkpoint-every"}},
      {{"silent", "q"}, {"quiet"}},
  };
  return kTable;
}

// "--Batch_Size" becomes "batch-size".
std::string bare_name(const std::string& word) {
  std::string name = word.substr(std::min(word.size(), word.find_first_not_of('-')));
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(c == '_' ? '-' : std::tolower(c)); });
  return name;
}

bool contains(std::span<const std::string> names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

std::vector<std::string> synonyms_of(const std::string& name, std::span<const std::string> known) {
  std::vector<std::string> meant;
  for (const Synonyms& entry : synonyms()) {
    if (!contains(entry.words, name)) continue;
    std::ranges::copy_if(entry.names, std::back_inserter(meant),
                         [&](const auto& each) { return contains(known, each); });
  }
  return meant;
}

// At most a third of the letters may differ, but one always may. Names of one letter are near to nothing.
bool is_near(const std::string& name, const std::string& known) {
  const int shorter = static_cast<int>(std::min(name.size(), known.size()));
  return shorter > 1 && edit_distance(name, known) <= std::max(1, shorter / 3);
}

}  // namespace

std::vector<std::string> names_meant(const std::string& word, std::span<const std::string> known) {
  const std::string name = bare_name(word);
  if (contains(known, name)) return {name};
  if (auto meant = synonyms_of(name, known); !meant.empty()) return meant;
  const std::optional<std::string> nearest = nearest_name(name, known);
  if (nearest && is_near(name, *nearest)) return {*nearest};
  return {};
}

}  // namespace convoy
