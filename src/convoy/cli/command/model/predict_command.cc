#include "convoy/cli/command/commands.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "convoy/base/error.h"
#include "convoy/base/machine.h"
#include "convoy/base/printable_text.h"
#include "convoy/cli/settings/shared_flags.h"
#include "convoy/cli/terminal/notes.h"
#include "convoy/data/augment/augmenter.h"
#include "convoy/data/image/image_reader.h"
#include "convoy/engine/predictor.h"
#include "convoy/run/fair_threads.h"
#include "convoy/run/trained_model.h"
#include "convoy/run/user_folders.h"

namespace convoy::cli {
namespace {

struct PredictFlags {
  std::string run;
  std::string weights;
  std::vector<std::string> images;
  int top = 3;
  int threads = read_machine().usable_cores;
  std::string precision;  // empty: that of training
  bool json = false;
};

struct Guess {
  std::string name;
  double probability = 0;
};

// With cross-entropy the softmax of the scores are probabilities; with squared error the scores themselves are.
std::vector<double> probabilities_of(std::span<const float> scores, bool trained_by_squares) {
  const double highest = *std::ranges::max_element(scores);
  std::vector<double> shares;
  for (const float score : scores) {
    const double value = score;
    shares.push_back(trained_by_squares ? std::max(value, 0.0) : std::exp(value - highest));
  }
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  const double even = 1 / static_cast<double>(shares.size());
  for (double& share : shares) share = sum > 0 ? share / sum : even;
  return shares;
}

// The classes, the most likely first.
std::vector<Guess> guesses_of(std::span<const float> scores, const ModelCard& card, int top) {
  const std::vector<double> probabilities = probabilities_of(scores, card.loss == "mean-squared-error");
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t k) { return scores[k]; });
  std::vector<Guess> guesses;
  for (std::size_t i = 0; i < std::min(order.size(), static_cast<std::size_t>(top)); ++i) {
    guesses.push_back({card.classes[order[i]], probabilities[order[i]]});
  }
  return guesses;
}

void print_text(const std::string& image, const std::vector<Guess>& guesses) {
  fmt::print("{}\n", printable_text(image));
  for (const Guess& guess : guesses) fmt::print("  {:>6.2f} %  {}\n", 100 * guess.probability, quoted_text(guess.name));
}

nlohmann::ordered_json to_json(const std::string& image, const std::vector<Guess>& guesses) {
  nlohmann::ordered_json json = {{"image", image}, {"classes", nlohmann::json::array()}};
  for (const Guess& guess : guesses) {
    json["classes"].push_back(nlohmann::ordered_json{{"name", guess.name}, {"probability", guess.probability}});
  }
  return json;
}

// All images are read before anything is printed, so that an unreadable file does not leave half of the output.
std::vector<std::vector<std::uint8_t>> read_images(const PredictFlags& flags, const Shape& shape) {
  data::ImageReader reader(shape);
  std::vector<std::vector<std::uint8_t>> images;
  for (const std::string& path : flags.images) {
    images.emplace_back(static_cast<std::size_t>(shape.count()));
    reader.read(path, images.back());
  }
  return images;
}

void run_predict(const PredictFlags& flags) {
  if (flags.run.empty() == flags.weights.empty()) throw UserError("give either --run DIR or --weights FILE");
  if (flags.top < 1) throw UserError("--top must be at least 1, got {}", flags.top);
  require_threads(flags.threads);
  const std::string& weights = flags.run.empty() ? flags.weights : flags.run;
  const TrainedModel model = open_trained_model(weights, print_note);
  const auto images = read_images(flags, model.card.input);
  const data::Augmenter augmenter({}, model.card.input, model.card.statistics, 0);
  TuningCache cache(tuning_cache_file());
  Predictor predictor(
      model.graph,
      {.batch = 1, .threads = flags.threads, .precision = precision_for(model.card, flags.precision), .cache = &cache});
  predictor.load(*model.weights);
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < images.size(); ++i) {
    augmenter.normalise(images[i], predictor.input());
    predictor.labels()[0] = 0;
    predictor.forward();
    if (!std::ranges::all_of(predictor.logits(), [](float score) { return std::isfinite(score); })) {
      refuse_scores_of(weights);
    }
    const auto guesses = guesses_of(predictor.logits(), model.card, flags.top);
    flags.json ? json.push_back(to_json(flags.images[i], guesses)) : print_text(flags.images[i], guesses);
  }
  if (flags.json) fmt::print("{}\n", json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace

void add_predict_command(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("predict", "Say what trained weights see in images");
  const auto flags = std::make_shared<PredictFlags>();
  command->add_option("--run", flags->run, "Run folder: its best weights")->type_name("DIR");
  command->add_option("--weights", flags->weights, "Weights file of a run or checkpoint")->type_name("FILE");
  command->add_option("images", flags->images, "JPEG or PNG files")->required()->type_name("IMAGE");
  command->add_option("--top", flags->top, "How many classes to name")->capture_default_str();
  command->add_option("--threads", flags->threads, "Threads to compute with; the cores of this machine if left out");
  add_precision_flag(*command, flags->precision);
  command->add_flag("--json", flags->json, "Print a JSON array with an object for each image");
  command->footer("Example:\n  convoy predict --run runs/2026-11-16T0312-resnet20-cifar10 cat.jpg dog.png");
  command->callback([flags] { run_predict(*flags); });
}

}  // namespace convoy::cli
