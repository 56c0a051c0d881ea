// What `convoy train` does, from a program: settings in, a run folder with records and checkpoints out.
#include <cstdio>

#include "convoy/convoy.h"

using namespace convoy;

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: train_a_run FOLDER\n");
    return 2;
  }
  TrainSettings settings;
  settings.data = "synthetic:1x28x28,count=2000";
  settings.model = "lenet";
  settings.epochs = 2;
  settings.threads = 1;
  settings.run_dir = argv[1];
  RunRequest request;
  request.remarks.on_news = [](const std::string& line) { std::printf("%s\n", line.c_str()); };
  const FinishedRun run = train_run(settings, request);
  const double accuracy = run.summary.test_top1.value_or(0);
  std::printf("%.1f %% of the test images are recognised; the run is kept in %s\n", 100 * accuracy, argv[1]);
  return accuracy > 0.8 ? 0 : 1;
}
