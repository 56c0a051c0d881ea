#include "convoy/report/glossary.h"

#include <fmt/format.h>

#include <cctype>

#include "convoy/study/analysis/batch_analysis.h"
#include "convoy/study/analysis/scale_series.h"
#include "convoy/study/measure/convergence.h"
#include "convoy/study/measure/disturbance.h"
#include "convoy/study/measure/overfitting.h"

namespace convoy::report {
namespace {

struct Entry {
  std::string_view name;
  std::string text;
};

Entry speed_entry(Term term) {
  switch (term) {
    case Term::throughput:
      return {"throughput",
              "Samples that all workers together trained on, divided by the wall time of the slowest worker. Skipped "
              "epochs and evaluation do not count."};
    case Term::skipped_epochs:
      return {"skipped epochs",
              "The first epochs of each run, in which caches fill and kernels are chosen. They train like "
              "any other, but are left out of every throughput and step time."};
    case Term::spread:
      return {"median, mean, deviation, CV",
              "Taken over runs, since epochs of one run are not independent. The deviation is the sample's (n - 1); "
              "the CV is the "
              "deviation divided by the mean."};
    case Term::interval:
      return {
          "95 % interval",
          "Of the mean over runs, by Student's t on a logarithmic scale, so never below zero. Where the relative "
          "spread of the study's points agrees (each against all others, F test, 5 % over all points) it is pooled, "
          "with the degrees of freedom of them all; the interval of a point that differs uses its own runs. Where all "
          "points have one run, it uses the run's steps, with autocorrelation counted: it says how steady the run was, "
          "and nothing about how runs differ. `-` stands where none of these is known."};
    case Term::cpu_use:
      return {"CPU use", "Cores kept busy on average, all workers together, by the processor time of each epoch."};
    case Term::usage:
      return {"usage over time",
              "Read each second: the cores that a worker kept busy by its processor time, and those that all programs "
              "of its machine did together."};
    case Term::learning_rate:
      return {"effective lr",
              "The highest learning rate of any step, so what `--lr` and `--scale-lr` came to with the batch and the "
              "workers, after the warm-up."};
    case Term::line_throughput:
      return {"throughput by lines",
              "Each worker's log has its own seconds for the same epoch. Published tables often take the mean over all "
              "these lines; Convoy takes the slowest worker, because an epoch ends when the last one is done, "
              "which within an epoch is never the larger number. Over several epochs it may be: those "
              "with more lines weigh more in the mean over all lines."};
    case Term::peak_memory:
      return {"peak memory", "The most memory that the workers held at any time of the run, as the record has it."};
    case Term::batch_advice:
      return {"recommended batch",
              fmt::format("The smallest batch whose mean throughput is within {:.0f} % of the highest: a larger one "
                          "takes more memory and usually learns less from each sample.",
                          100 * study::kBatchTolerance)};
    default:
      return {};
  }
}

Entry scale_entry(Term term) {
  switch (term) {
    case Term::speed_up:
      return {"speed-up", "Throughput divided by the throughput of the base, which is the smallest size measured."};
    case Term::efficiency:
      return {"efficiency",
              "Speed-up divided by how many times as many workers there are as in the base. 100 % means "
              "that none of them is wasted."};
    case Term::strong_scaling:
      return {"strong scaling", "The global batch stays the same, so each worker gets a smaller part of it."};
    case Term::weak_scaling:
      return {"weak scaling", "The batch of each worker stays the same, so the global batch grows with the workers."};
    case Term::time_efficiency:
      return {"efficiency by time",
              "Step time of the base divided by the step time: the measure for weak scaling, since "
              "each worker does the same work in each step."};
    case Term::turnaround:
      return {"turnaround", "Wall time from launch to exit, start-up, skipped epochs and evaluation included."};
    case Term::step_time:
      return {"step time", "Wall time of a step on its slowest worker, as the mean over the steps of a run."};
    case Term::free_network:
      return {"efficiency with a free network",
              "What efficiency would be if communication took no time: efficiency / (1 - exposed communication)."};
    case Term::cost:
      return {"cost", "Workers * price of a worker-hour * hours of turnaround, in the unit of `--price`."};
    case Term::pay_off:
      return {"pays off", fmt::format("The largest size where each added worker brings at least {:.0f} % of "
                                      "what a worker of the base does. Oversubscribed points do not count.",
                                      100 * study::kWorthwhile)};
    case Term::oversubscribed:
      return {"oversubscribed",
              "More threads than cores, so that they take turns. Such numbers tell of the machine "
              "and not of the program: they are marked as doubtful, drawn hollow, and left out of "
              "fits and advice."};
    case Term::disturbed:
      return {"disturbed",
              fmt::format("While the run was measured, its machine's host took CPU time away, or other programs used "
                          "more cores than the run leaves idle: more than {:.0f} % of what the run needs (a core for "
                          "each thread). Such a run counts only where its point has no other, which is then marked as "
                          "doubtful and left out of fits and advice. Speed is doubtful, accuracy is not.",
                          100 * study::kDisturbedShare)};
    default:
      return {};
  }
}

Entry law_entry(Term term) {
  switch (term) {
    case Term::step_increase:
      return {"step / base's",
              "The step time as a multiple of that of the base. In weak scaling each worker does the same work at any "
              "size, so 1 is ideal and 2 means that a step takes twice as long; in strong scaling the ideal falls as "
              "1 / N."};
    case Term::shares:
      return {"where the time goes",
              "Shares of the wall time of the counted steps, as means over workers and runs. Exposed communication is "
              "waiting for communication that computing did not hide; straggler wait is waiting for workers that came "
              "later; input wait is waiting for the loader; other is what lies between."};
    case Term::amdahl:
      return {
          "Amdahl's law",
          "X(N) = X1 N / (1 + s (N - 1)): a share s, from 0 to 1, of a fixed amount of work is not shared out, so it "
          "is about strong scaling only. Laws are fitted to the throughputs of runs by least squares of relative "
          "errors, within their bounds, and only to more different sizes than they have parameters with two runs to "
          "spare."};
    case Term::universal:
      return {"universal scalability law",
              "X(N) = X1 N / (1 + s (N - 1) + k N (N - 1)): beside the share s, each pair of workers costs k. Above "
              "the knee, sqrt((1 - s) / k), more workers are slower."};
    default:
      return {};
  }
}

Entry learning_entry(Term term) {
  switch (term) {
    case Term::loss_area:
      return {
          "area under the loss curve",
          "The training loss of every step, at its end, integrated (trapezoids) over wall seconds, samples or cost, "
          "from the start of training to where the shortest run ends, the same for all points, and divided by that "
          "length: a mean loss, the smaller the better. It favours settings that learn early. Runs without a record "
          "of steps have the means of their epochs, from the end of the first one on."};
    case Term::given_up:
      return {"given up",
              "Stopped by successive halving because others had a smaller loss after as many epochs. Such "
              "points ended before the time that the others are compared on, and have no rank."};
    case Term::final_accuracy:
      return {
          "accuracy",
          "Share of the test samples whose class is predicted right (top-1). The final one is that of "
          "the last evaluation; runs that were evaluated up to different epochs are compared at the last one that "
          "all have reached. Points tie where the spread of their runs, or the size of the test data, does not tell "
          "them apart."};
    case Term::stable_accuracy:
      return {"epochs to stable accuracy",
              fmt::format("The first epoch from which every later accuracy stays close to the run's best smoothed one "
                          "(mean of an evaluation and its neighbours), above or below, for at least {} evaluations and "
                          "above chance. A curve that still climbs is not stable.",
                          study::kStableEvaluations)};
    case Term::time_to_target:
      return {"time to target",
              "Wall time to the end of the first evaluation at or above the target accuracy, "
              "evaluations included."};
    case Term::trend:
      return {"trend",
              "Slope of the least-squares line over the doublings of the workers, with the 95 % Student-t "
              "interval of the slope. An interval that holds zero shows no trend."};
    default:
      return {};
  }
}

Entry fit_entry(Term term) {
  switch (term) {
    case Term::test_error:
      return {"error",
              "Share of samples whose class is predicted wrong: 100 % less the accuracy. Papers often plot it."};
    case Term::gap:
      return {"gap",
              "Training accuracy less test accuracy, in points. Training accuracy is taken over an epoch, each sample "
              "augmented and at the step that used it, so it may be below test accuracy, and the gap proves nothing "
              "by itself."};
    case Term::overfitting:
      return {
          "overfitting",
          fmt::format("Seen where, from the {0} evaluations in a row with the lowest mean test loss to the last {0}, "
                      "the mean test loss rose by more than {1:.0f} % while the mean training loss of the same epochs "
                      "fell. Unknown with fewer than {2} evaluations that have both losses; not seen means in these "
                      "epochs.",
                      study::kOverfittingWindow, 100 * study::kOverfittingRise, 2 * study::kOverfittingWindow)};
    case Term::global_batch:
      return {"global batch",
              "Samples of a step over all workers. With batch augmentation (`--instances M`) each of B samples fills M "
              "rows: M x B."};
    case Term::epoch_time:
      return {
          "epoch and total time",
          "Wall time of the training part of an epoch, mean over the epochs that are not skipped; total time is that "
          "of the run to its last epoch, evaluations included."};
    default:
      return {};
  }
}

std::string capitalised(std::string_view name) {
  std::string text(name);
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

// Without the capital of a word; a formula keeps its own.
std::string uncapitalised(std::string text) {
  const bool is_word = text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])) != 0;
  if (is_word) text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
  return text;
}

Entry entry_of(Term term) {
  for (const auto& find : {speed_entry, scale_entry, law_entry, learning_entry, fit_entry}) {
    Entry entry = find(term);
    if (!entry.text.empty()) return entry;
  }
  return {};
}

}  // namespace

std::string meaning(Term term) { return entry_of(term).text; }

std::string meanings(std::initializer_list<Term> terms) {
  std::string text;
  for (const Term term : terms) {
    const Entry entry = entry_of(term);
    text += fmt::format("{}{}: {}", text.empty() ? "" : " ", capitalised(entry.name), uncapitalised(entry.text));
  }
  return text;
}

std::string_view name_of(Term term) { return entry_of(term).name; }

Definitions definitions(const std::vector<Term>& terms) {
  Definitions definitions;
  for (const Term term : terms) {
    Entry entry = entry_of(term);
    definitions.entries.push_back({.term = std::string(entry.name), .text = std::move(entry.text)});
  }
  return definitions;
}

}  // namespace convoy::report
