#include "convoy/cli/command/help/dictionary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>

#include "convoy/base/nearest.h"

namespace convoy::cli {
namespace {

constexpr const char* kStarting = "Starting workers";
constexpr const char* kSumming = "Summing gradients";
constexpr const char* kBatches = "Batches and epochs";
constexpr const char* kTraining = "Training";
constexpr const char* kMeasuring = "Measuring";

std::vector<DictionaryEntry> starting_words() {
  return {
      {kStarting,
       {"worker", "rank", "process", "replica", "tower", "GPU", "node"},
       "all",
       "A worker is one process that trains on its part of every batch (`--workers N`). Ranks number workers from 0. "
       "What a lab calls a node is mostly one worker on a machine of its own; machines are hosts here (`--hosts`). "
       "Convoy computes on CPUs: there are no GPUs, and `--threads` are the cores of a worker."},
      {kStarting,
       {"mpirun", "mpiexec", "-np", "horovodrun", "torchrun", "torch.distributed.launch", "nproc_per_node"},
       "MPI, Horovod, PyTorch",
       "`convoy train --workers N` starts mpirun itself, with cores for each worker; `--dry-run` prints its command. "
       "Started under mpirun or srun, convoy joins as it is."},
      {kStarting,
       {"hostfile", "machinefile", "-H", "--hostfile", "TF_CONFIG", "ClusterSpec"},
       "MPI, Horovod, TensorFlow",
       "`--hosts a:2,b:2`, or a file with a host and its slots on each line. No other cluster description is needed."},
      {kStarting,
       {"hvd.init()", "init_process_group", "MPI_Init", "dist.init_process_group", "distributed.Communicator"},
       "Horovod, PyTorch, MPI, CNTK",
       "Nothing to write: every run joins its workers by itself, and one worker takes the same path."},
      {kStarting,
       {"hvd.size()", "world_size", "MPI_Comm_size", "num_replicas_in_sync", "number_of_workers"},
       "Horovod, PyTorch, MPI, TensorFlow, CNTK",
       "The number of workers, `--workers`. Reports write it as workers, and so does `run.json` (ranks)."},
      {kStarting,
       {"hvd.rank()", "hvd.local_rank()", "MPI_Comm_rank", "local_rank"},
       "Horovod, PyTorch, MPI",
       "The number of a worker. Only the first writes records, checkpoints and lines; nothing has to ask for it."},
      {kStarting,
       {"srun", "sbatch", "Slurm"},
       "clusters",
       "`convoy slurm --help`: it prints a batch script that runs another command on the workers of a Slurm cluster."},
  };
}

std::vector<DictionaryEntry> summing_words() {
  return {
      {kSumming,
       {"data parallelism", "DataParallel", "DistributedDataParallel", "DDP", "data_parallel_distributed_learner"},
       "PyTorch, CNTK",
       "What `--workers` does: each worker computes the gradients of its part of the batch, they are summed, and all "
       "take the same step."},
      {kSumming,
       {"DistributedOptimizer", "DistributedGradientTape", "hvd.allreduce"},
       "Horovod",
       "Every optimizer is distributed once there are several workers. Gradients are means over the global batch and "
       "are summed while backward goes on; `--bucket` is how much at a time."},
      {kSumming,
       {"MirroredStrategy", "MultiWorkerMirroredStrategy", "tf.distribute", "CollectiveAllReduce"},
       "TensorFlow",
       "Synchronous training with mirrored weights is what `--workers` does, on one machine or several, unless "
       "`--async` or `--local-steps` says otherwise. How gradients are summed is `--allreduce`."},
      {kSumming,
       {"ParameterServerStrategy", "parameter server", "parameter_server", "distributed_replicated"},
       "TensorFlow, tf_cnn_benchmarks",
       "No process is a server only. With `--async S` every worker serves a part of the parameters. With "
       "`--allreduce reduce-broadcast` one worker sums for all, and they wait for it."},
      {kSumming,
       {"ASGD", "AsyncSGD", "DataParallelASGD", "asynchronous SGD", "Hogwild", "stale synchronous parallel",
        "staleness"},
       "CNTK, TensorFlow",
       "`--async S`: workers do not wait for each other, and use parameters that lack the last S steps of any of "
       "them at most."},
      {kSumming,
       {"model parallelism", "tensor parallelism", "ColumnParallelLinear", "one weird trick", "sufficient factors"},
       "Megatron-LM, papers",
       "Of dense layers, between machines: `--dense-exchange activations` divides a layer, `factors` sends less than "
       "its "
       "gradients; `auto` takes what needs least time. Other layers are the same on all workers."},
      {kSumming,
       {"1-bit SGD", "DataParallelSGD", "gradientBits", "gradient compression", "quantisation", "PowerSGD",
        "fp16 hook"},
       "CNTK, Horovod, PyTorch",
       "`--compress onebit` and its like (bf16, fp16, int8, topk, powersgd), between machines only, with what was lost "
       "added to the next gradients where that is needed."},
      {kSumming,
       {"distributed_after", "parallelizationStartEpoch"},
       "CNTK",
       "`--compress-after STEPS`: steps at the start that are not compressed. All workers train from the first step."},
      {kSumming,
       {"BlockMomentumSGD", "BMUF", "blockMomentum", "blockMomentumAsTimeConstant", "syncPeriod", "useNesterovMomentum",
        "ModelAveragingSGD", "local SGD", "post-local SGD"},
       "CNTK, PyTorch",
       "`--local-steps K` averages models every K steps, with `--block-momentum`, `--block-lr` and `--block-nesterov`; "
       "`--local-after` begins later. CNTK counts a block in samples: K steps are K global batches."},
      {kSumming,
       {"Adasum", "hvd.Adasum"},
       "Horovod",
       "`--reduction adasum`, between machines, or on one machine between workers."},
      {kSumming,
       {"ReductionToOne", "ReductionToOneDevice", "ReduceToOne", "MPI_Reduce", "MPI_Bcast"},
       "TensorFlow, MPI-Caffe",
       "`--allreduce reduce-broadcast`: gradients are summed on one worker, which sends the sum to all."},
  };
}

std::vector<DictionaryEntry> summing_ways() {
  return {
      {kSumming,
       {"HierarchicalCopy", "HierarchicalCopyAllReduce", "hierarchical allreduce", "HOROVOD_HIERARCHICAL_ALLREDUCE"},
       "TensorFlow, Horovod",
       "`--allreduce hierarchical`: first inside each machine, then between machines. Workers of one machine always "
       "sum in shared memory."},
      {kSumming,
       {"NCCL", "NcclAllReduce", "NCCL ring", "ring allreduce", "Gloo", "Baidu ring"},
       "Horovod, TensorFlow, PyTorch",
       "`--allreduce ring` is NCCL's usual algorithm, on CPUs and over MPI. `auto` measures which way is fastest for "
       "each length; `convoy bench allreduce` shows them all."},
      {kSumming,
       {"MPI_Allreduce", "recursive doubling", "Rabenseifner", "butterfly", "halving-doubling"},
       "MPI, Gloo",
       "`--allreduce mpi` is the MPI library's own; `recursive-doubling` and `rabenseifner` are Convoy's."},
      {kSumming,
       {"tensor fusion", "HOROVOD_FUSION_THRESHOLD", "bucket_cap_mb", "gradient_repacking", "fusion buffer"},
       "Horovod, PyTorch, tf_cnn_benchmarks",
       "`--bucket SIZE`: how many bytes of gradients are summed at a time; measured if left out. Buckets lie in one "
       "piece of memory, so that nothing is copied."},
      {kSumming,
       {"SyncBatchNorm", "convert_sync_batchnorm"},
       "PyTorch, TensorFlow",
       "`--sync-bn`: statistics of batch norm over the samples of all workers."},
      {kSumming,
       {"hvd.broadcast_parameters", "BroadcastGlobalVariablesCallback", "broadcast_variables"},
       "Horovod",
       "Nothing to write: weights begin alike by their seed, and `--compare-every` checks that they stay so."},
      {kSumming,
       {"NCCL_DEBUG", "HOROVOD_TIMELINE", "timeline"},
       "Horovod",
       "`--trace STEPS` writes what each worker does to `trace.json`, for chrome://tracing."},
  };
}

std::vector<DictionaryEntry> batch_words() {
  return {
      {kBatches,
       {"minibatch", "mini-batch", "minibatch_size", "batch_size", "global batch", "effective batch"},
       "all",
       "`--batch N` are the samples of a step over all workers, as in CNTK. Horovod, PyTorch DDP and tf_cnn_benchmarks "
       "count the batch of one worker: that is `--scaling weak`."},
      {kBatches,
       {"batch per GPU", "local batch", "per_device_batch_size", "batch per worker"},
       "Horovod, PyTorch, tf_cnn_benchmarks",
       "`--batch N --scaling weak`: N is each worker's, and the global batch is workers times N."},
      {kBatches,
       {"epoch_size", "epochSize", "steps_per_epoch", "max_epochs", "nb_epoch"},
       "CNTK, Keras",
       "An epoch is one pass over the training data (`--epochs`). `--epoch-size N` makes it about N samples of a pass "
       "that goes on, as CNTK's does; `--train-samples N` trains on N samples only. Steps of an epoch follow from the "
       "batch."},
      {kBatches,
       {"iteration", "iter_size", "max_iter", "step"},
       "Caffe, TensorFlow",
       "A step is one batch of all workers and one update. Caffe's iter_size K with a batch of B is a `--batch` of K x "
       "B with `--accumulate K`; max_iter has to be counted in epochs."},
      {kBatches,
       {"gradient accumulation", "backward_passes_per_step", "virtual batch"},
       "PyTorch, Horovod",
       "`--accumulate K`: a batch is computed in K pieces to save memory; the batch stays what `--batch` says, while "
       "elsewhere it grows K times."},
      {kBatches,
       {"DistributedSampler", "dataset.shard", "MinibatchSource", "set_epoch"},
       "PyTorch, TensorFlow, CNTK",
       "Nothing to write: each worker takes its part of every batch, and the order is anew in each epoch."},
      {kBatches,
       {"weak scaling", "strong scaling", "Gustafson", "Amdahl"},
       "papers",
       "`--scaling weak` keeps the batch of a worker, `--scaling strong` that of all. `convoy study scale --scaling "
       "weak,strong` measures both."},
      {kBatches,
       {"batch augmentation", "M instances", "repeated augmentation"},
       "papers",
       "`--instances M`: each sample is in its batch M times, each time augmented anew. A batch of B becomes M x B."},
  };
}

std::vector<DictionaryEntry> training_words() {
  return {
      {kTraining,
       {"learning rate scaling", "lr * hvd.size()", "linear scaling rule"},
       "Horovod, papers",
       "`--scale-lr workers` multiplies `--lr` by the workers, as Horovod's examples do; `--scale-lr` alone takes it "
       "as the rate of a batch of 256 and scales it with the global batch."},
      {kTraining,
       {"LearningRateWarmupCallback", "gradual warmup", "warmup_epochs"},
       "Horovod, papers",
       "`--warmup EPOCHS`."},
      {kTraining,
       {"learning_rate_schedule", "lr_policy", "ReduceLROnPlateau", "MultiStepLR", "stepsize", "gamma"},
       "CNTK, Caffe, PyTorch",
       "`--schedule` with `--lr-milestones`, `--lr-every` and `--lr-factor`. There is no schedule that waits for a "
       "plateau."},
      {kTraining,
       {"momentum_sgd", "SGD", "solver", "Adam"},
       "CNTK, Caffe, PyTorch",
       "`--optimizer`: sgd, momentum, nesterov, adam, adamw, adadelta, lars or lamb."},
      {kTraining,
       {"validation accuracy", "val_acc", "val_accuracy", "test accuracy", "top-1"},
       "Keras, papers",
       "Test accuracy: on data that is not trained on. Where data has no test split of its own, `--val-fraction` keeps "
       "one. Reports show its error (100 % - accuracy) too."},
      {kTraining,
       {"metric", "classification error", "error rate", "ce"},
       "CNTK",
       "CNTK prints the share of misclassified samples; Convoy prints accuracy, 1 - error, and shows both."},
      {kTraining,
       {"ModelCheckpoint", "snapshot", "save_checkpoint", "restore"},
       "Keras, Caffe, CNTK",
       "Checkpoints are written by themselves (`--checkpoint-every`, `--keep`); `convoy train --resume DIR` goes on "
       "exactly."},
      {kTraining,
       {"EarlyStopping", "patience", "target accuracy"},
       "Keras",
       "`--patience N` and `--target-accuracy PERCENT`."},
      {kTraining,
       {"mixed precision", "AMP", "fp16", "bfloat16", "--use_fp16"},
       "PyTorch, TensorFlow",
       "`--precision bf16`: activations and the weights that kernels read; parameters stay fp32."},
      {kTraining,
       {"weight_filler", "gaussian", "xavier", "glorot", "he_normal", "kernel_initializer"},
       "Caffe, CNTK, Keras",
       "`--initialiser`: he-normal if left out; gaussian is Caffe's, with a deviation of 0.01 for every layer."},
      {kTraining,
       {"VGG", "ResNet", "AlexNet", "GoogLeNet", "Inception", "MobileNet", "LeNet", "SqueezeNet"},
       "papers",
       "Networks of the zoo: `convoy models` lists them by the names that `--model` takes, such as vgg16 and resnet50, "
       "and `convoy summary vgg16` shows one layer by layer."},
      {kTraining,
       {"prototxt", "BrainScript", "model.fit", "nn.Module"},
       "Caffe, CNTK, Keras, PyTorch",
       "A network of the zoo by its name (`--model`, `convoy models`), a text file that lists layers "
       "(`convoy models --show` prints any of the zoo as one), an ONNX model, or one of your own with the library's "
       "builder (docs/library.md)."},
  };
}

std::vector<DictionaryEntry> measuring_words() {
  return {
      {kMeasuring,
       {"images/sec", "img/sec", "samples/s", "throughput"},
       "all",
       "Samples per second of all workers together, by the slowest worker's time. `convoy bench train` measures it in "
       "seconds, `convoy study scale` with intervals."},
      {kMeasuring,
       {"synthetic benchmark", "tf_cnn_benchmarks", "pytorch_synthetic_benchmark", "synthetic data"},
       "Horovod, TensorFlow",
       "`--data synthetic:3x224x224,classes=1000,count=1024`; `convoy study import` reads what those programs print."},
      {kMeasuring,
       {"speed-up", "scaling efficiency", "parallel efficiency"},
       "papers",
       "`convoy study scale`: throughput over that of the smallest size, and that over the growth in workers."},
      {kMeasuring,
       {"CV", "coefficient of variation", "jitter", "standard deviation"},
       "papers, tf_cnn_benchmarks",
       "CV is the sample deviation over the mean, in every table of a study; `--repeats N` says over how many runs."},
      {kMeasuring,
       {"time to accuracy", "time to solution", "convergence", "epochs to accuracy"},
       "papers",
       "`convoy study converge --target PERCENT`: seconds and epochs to it, and when accuracy is stable."},
      {kMeasuring,
       {"hyperparameter search", "grid search", "successive halving", "tuner"},
       "papers, Keras",
       "`convoy study sweep` with lists (`--lr 0.1,0.01`) and `--vary`; `--halving` gives up the worse half early."},
  };
}

std::vector<DictionaryEntry> all_entries() {
  std::vector<DictionaryEntry> all;
  for (const auto words : {starting_words, summing_words, summing_ways, batch_words, training_words, measuring_words}) {
    std::ranges::move(words(), std::back_inserter(all));
  }
  return all;
}

const std::vector<DictionaryEntry>& table() {
  static const std::vector<DictionaryEntry> kTable = all_entries();
  return kTable;
}

// Only letters and digits, in lower case, so that "1-bit" becomes "1bit".
std::string bare_word(std::string_view word) {
  std::string bare;
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) bare += static_cast<char>(std::tolower(byte));
  }
  return bare;
}

void add_once(std::vector<std::string>& words, const std::string& word) {
  if (std::ranges::find(words, word) == words.end()) words.push_back(word);
}

}  // namespace

std::span<const DictionaryEntry> dictionary() { return table(); }

std::vector<const DictionaryEntry*> entries_for(std::string_view word) {
  std::vector<const DictionaryEntry*> found;
  const std::string bare = bare_word(word);
  for (const DictionaryEntry& entry : table()) {
    const auto is_it = [&](const std::string& each) { return bare_word(each) == bare; };
    if (!bare.empty() && std::ranges::any_of(entry.words, is_it)) found.push_back(&entry);
  }
  return found;
}

std::vector<std::string> near_words(std::string_view word) {
  constexpr std::size_t kFewestLetters = 3;  // shorter words are part of many others
  constexpr std::size_t kMost = 6;
  const std::string bare = bare_word(word);
  std::vector<std::string> near;
  std::vector<std::string> all;
  for (const DictionaryEntry& entry : table()) {
    for (const std::string& each : entry.words) {
      const std::string own = bare_word(each);
      if (own.size() >= kFewestLetters) all.push_back(each);
      const bool contains = bare.size() >= kFewestLetters && own.find(bare) != std::string::npos;
      const bool is_contained = own.size() > kFewestLetters && bare.find(own) != std::string::npos;
      if (contains || is_contained) add_once(near, each);
    }
  }
  if (const std::optional<std::string> nearest = nearest_name(word, all)) add_once(near, *nearest);
  if (near.size() > kMost) near.resize(kMost);
  return near;
}

std::string dictionary_markdown() {
  std::string text =
      "# A dictionary\n\nWhat CNTK, Horovod, TensorFlow, Keras, Caffe, PyTorch and MPI call it, and what it is here. "
      "`convoy help WORD` finds the same entries. This page is made by `convoy help --markdown`; a test holds both "
      "together.\n";
  const char* topic = nullptr;
  for (const DictionaryEntry& entry : table()) {
    if (topic != entry.topic) {
      topic = entry.topic;
      text += fmt::format("\n## {}\n\n| there | of | here |\n|---|---|---|\n", topic);
    }
    text += fmt::format("| `{}` | {} | {} |\n", fmt::join(entry.words, "`, `"), entry.systems, entry.meaning);
  }
  return text;
}

}  // namespace convoy::cli
