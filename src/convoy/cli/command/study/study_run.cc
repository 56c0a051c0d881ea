#include "convoy/cli/command/study/study_commands.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "convoy/base/clock.h"
#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"
#include "convoy/base/printable_text.h"
#include "convoy/cli/command/report_files.h"
#include "convoy/cli/command/study/study_child.h"
#include "convoy/cli/launch/interrupt.h"
#include "convoy/cli/launch/launch.h"
#include "convoy/cli/terminal/terminal.h"
#include "convoy/record/run_lock.h"
#include "convoy/record/run_record.h"
#include "convoy/report/render/renderers.h"
#include "convoy/report/study/study_document.h"
#include "convoy/run/settings/amounts.h"
#include "convoy/study/analysis/analysis_json.h"
#include "convoy/study/analysis/study_analysis.h"
#include "convoy/study/measure/run_measures.h"
#include "convoy/study/run/study_results.h"
#include "convoy/study/run/study_runner.h"

namespace convoy::cli {
namespace {

namespace fs = std::filesystem;

// A larger number is a typing error.
constexpr std::int64_t kMostPredicted = 1'000'000;

std::string own_program() { return fs::read_symlink("/proc/self/exe").string(); }

// "workers 2, scaling weak, run 1"
std::string run_text(const study::PlannedRun& run) {
  return fmt::format("{}{}run {}{}", run.point.empty() ? "" : study::point_text(run.point),
                     run.point.empty() ? "" : ", ", run.repeat,
                     run.attempt > 1 ? fmt::format(", attempt {}", run.attempt) : "");
}

// "[3/6]"; a repeated run has no number of its own.
std::string place_text(std::int64_t place, std::int64_t total, const study::PlannedRun& run) {
  if (run.retrained) return "[best]";
  return run.attempt > 1 ? "[again]" : fmt::format("[{}/{}]", place, total);
}

// How others used the cores while the run was measured; empty if nobody did.
std::string disturbance_of(const study::StudyFolder& folder, const study::RunOutcome& outcome) {
  const fs::path path = folder.run_folder(outcome.run.id);
  if (outcome.exit_code != 0 || !is_run_folder(path)) return "";
  return study::measure_run(read_run(path), folder.spec().skipped_epochs).disturbance;
}

// On a terminal, one line that is redrawn while a run goes on; and a line for each run that has ended.
class StudyDisplay {
 public:
  StudyDisplay(const study::StudyFolder& folder, double estimated_seconds)
      : folder_(folder), estimated_seconds_(estimated_seconds), on_terminal_(stderr_is_terminal()) {}

  void begin(const study::Task& task) {
    task_ = task;
    begin_ = Clock::now();
    shown_ = -1;
    tick();
  }

  void tick() {
    const double seconds = seconds_since(begin_);
    if (!on_terminal_ || static_cast<int>(seconds) == shown_) return;
    shown_ = static_cast<int>(seconds);
    const study::StudyProgress progress = study::progress_of(folder_);
    say("\r\033[K{} {}: {}, about {} left", place_text(progress.ended + 1, progress.total, task_.run),
        run_text(task_.run), duration_text(seconds), duration_text(seconds_left(progress, seconds)));
  }

  // The run is already on disk, so a user who reads this line can stop the study without losing it.
  void end(const study::RunOutcome& outcome) {
    const study::StudyProgress progress = study::progress_of(folder_);
    const double seconds = seconds_since(begin_);
    say("{}{} {}: {}{}\n", on_terminal_ ? "\r\033[K" : "", place_text(progress.ended, progress.total, task_.run),
        run_text(task_.run), duration_text(seconds),
        outcome.exit_code == 0 ? ""
                               : fmt::format(", FAILED ({}): {}", outcome.exit_code, message_text(outcome.message)));
    const std::string disturbance = disturbance_of(folder_, outcome);
    if (!disturbance.empty()) say("warning: {} was disturbed: {}\n", run_text(task_.run), disturbance);
  }

  void clear() const {
    if (on_terminal_) say("\r\033[K");
  }

 private:
  [[nodiscard]] double seconds_left(const study::StudyProgress& progress, double seconds) const {
    const auto total = static_cast<double>(progress.total);
    const double each = progress.ended > 0 ? progress.seconds_of_a_run : estimated_seconds_ / total;
    return std::max(0.0, each * (total - static_cast<double>(progress.ended)) - seconds);
  }

  const study::StudyFolder& folder_;
  double estimated_seconds_;
  bool on_terminal_;
  study::Task task_;
  Clock::time_point begin_;
  int shown_ = -1;
};

// The winners of a sweep, the only kind of study that trains them for longer.
std::vector<study::Point> best_points(const study::StudyFolder& folder) {
  const study::StudyAnalysis analysis = study::analyse(study::read_results(folder));
  const auto* const sweep = std::get_if<study::SweepAnalysis>(&analysis.of_kind);
  std::vector<study::Point> points;
  if (sweep == nullptr) return points;
  for (const std::size_t index : sweep->best_for_workers) points.push_back(sweep->ranked[index].point);
  return points;
}

bool all_failed(const study::StudyFolder& folder) {
  return !folder.outcomes().empty() && study::progress_of(folder).failed == folder.outcomes().size();
}

// The sections that answer the study's question; the others are in the report.
bool is_for_the_terminal(const std::string& section) {
  return section == "summary" || section == "pay-off" || section == "epochs" || section == "readings" ||
         section == "retrained" || section == "learned" || section == "predicted" || section == "published";
}

// A page that Convoy did not write is not overwritten: a study that has ended cannot ask.
fs::path report_file(const fs::path& folder) {
  fs::path file = folder / "report.html";
  for (int number = 2; is_foreign(file); ++number) file = folder / fmt::format("report-{}.html", number);
  return file;
}

}  // namespace

std::vector<std::int64_t> predicted_sizes_from(const std::string& text) {
  std::vector<std::int64_t> sizes;
  std::istringstream list(text);
  for (std::string part; std::getline(list, part, ',');) {
    std::int64_t size = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), size);
    if (error != std::errc() || end != part.data() + part.size() || size < 1 || size > kMostPredicted) {
      throw UserError("--predict takes numbers of workers with commas between, such as 16,32; got '{}'", text);
    }
    sizes.push_back(size);
  }
  return sizes;
}

void add_predict_flag(CLI::App& command, std::string& text) {
  command
      .add_option("--predict", text,
                  "Numbers of workers to predict throughput, times, cost and accuracy for, such as 16,32; with "
                  "intervals, where the runs are enough for a fit")
      ->type_name("N,N");
}

void show_results(const study::StudyFolder& folder, bool json, const std::vector<std::int64_t>& predicted_sizes) {
  const study::StudyAnalysis analysis = study::analyse(study::read_results(folder), predicted_sizes);
  const report::Document document = report::study_document(analysis);
  const fs::path file = report_file(folder.path());
  write_file_atomically(file, report::to_html(document));
  if (json) {
    nlohmann::ordered_json object = study::to_json(analysis);
    object["report"] = file.string();
    fmt::print("{}\n", object.dump());
    return;
  }
  for (const report::Section& section : document.sections) {
    if (is_for_the_terminal(section.id)) fmt::print("{}\n", report::to_plain_text(section));
  }
  fmt::print("study   {}\nreport  {}\n", printable_text(folder.path().string()), printable_text(file.string()));
}

void run_study_to_end(study::StudyFolder& folder, const StudyRunOptions& options) {
  const RunLock lock(folder.path());
  const Interrupt interrupt;
  StudyDisplay display(folder, options.estimated_seconds);
  const std::string program = own_program();
  const auto run = [&](const study::Task& task) {
    display.begin(task);
    return run_child_task(program, folder, task, [&] {
      display.tick();
      return Interrupt::signal();
    });
  };
  const study::RunnerHooks hooks{.run = run,
                                 .interrupted = [] { return Interrupt::signal() != 0; },
                                 .ended = [&](const study::RunOutcome& outcome) { display.end(outcome); },
                                 .best_points = [&] { return best_points(folder); },
                                 .repeat_disturbed = options.repeat_disturbed};
  if (!study::run_study(folder, hooks)) {
    display.clear();
    say("stopped after {} of {} runs; go on with `convoy study continue {}`\n", folder.outcomes().size(),
        study::progress_of(folder).total, folder.path().string());
    throw Interrupted{Interrupt::signal()};
  }
  if (all_failed(folder)) {
    say("{} all {} runs failed; the first said: {}\nlogs are in {}\n", error_label(), folder.outcomes().size(),
        message_text(folder.outcomes().front().message), (folder.path() / "logs").string());
    throw RanksFailed{kRunFailed};
  }
  show_results(folder, options.json, options.predicted_sizes);
}

}  // namespace convoy::cli
