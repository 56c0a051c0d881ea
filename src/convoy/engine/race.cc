#include "convoy/engine/race.h"

#include <algorithm>
#include <limits>

namespace convoy {
namespace {

// Two runs this close are no chance: a disturbance hardly ever takes the same time twice.
constexpr double kAgreement = 1.05;
constexpr double kRoughAgreement = 1.2;
// Slower than the best by this factor is worth no more runs, if the runs agree roughly.
constexpr double kHopeless = 1.4;
// Slower by this factor twice is enough, even if they do not. The first run finds other data in the caches than later
// ones.
constexpr double kFarBehind = 3;
// Longer than most disturbances, so that a single run that is far behind tells enough. Such runs would cost the most.
constexpr double kVeryLongSeconds = 0.05;
// Others get this many runs to show that they were only unlucky.
constexpr int kPatientRuns = 4;

constexpr int kMostRuns = 9;
constexpr int kFewestRuns = 4;
// Runs that take this long are hardly affected by what happens between them, so fewer of them are enough.
constexpr double kLongSeconds = 0.006;
constexpr int kFewestLongRuns = 2;
// How long the race lasts, apart from the fewest runs, if its times are settled and if they are not.
constexpr double kEnoughSeconds = 0.06;
constexpr double kMostSeconds = 0.12;

struct Entrant {
  double shortest = std::numeric_limits<double>::infinity();
  double second_shortest = std::numeric_limits<double>::infinity();
  int runs = 0;
  bool racing = true;

  void add(double seconds) {
    ++runs;
    second_shortest = std::min(second_shortest, std::max(seconds, shortest));
    shortest = std::min(shortest, seconds);
  }

  [[nodiscard]] bool agrees(double factor) const { return second_shortest <= factor * shortest; }

  [[nodiscard]] bool is_hopeless(double best) const {
    if (shortest > kFarBehind * best) return runs > 1 || shortest > kVeryLongSeconds;
    return runs > 1 && shortest > kHopeless * best && (agrees(kRoughAgreement) || runs >= kPatientRuns);
  }
};

class Race {
 public:
  Race(std::size_t entrants, const TimeOnce& run) : entrants_(entrants), run_(run) {}

  [[nodiscard]] RaceTimes decide() {
    for (int runs = 0; runs < kMostRuns && !is_over(runs); ++runs) run_all();
    RaceTimes times{.settled = is_settled()};
    for (const Entrant& entrant : entrants_) times.seconds.push_back(entrant.shortest);
    return times;
  }

 private:
  void run_all() {
    for (std::size_t i = 0; i < entrants_.size(); ++i) {
      Entrant& entrant = entrants_[i];
      if (!entrant.racing) continue;
      const double seconds = run_(i);
      entrant.add(seconds);
      spent_ += seconds;
      best_ = std::min(best_, seconds);
    }
    for (Entrant& entrant : entrants_) entrant.racing = entrant.racing && !entrant.is_hopeless(best_);
  }

  [[nodiscard]] bool is_over(int runs) const {
    const int fewest = best_ >= kLongSeconds ? kFewestLongRuns : kFewestRuns;
    return runs >= fewest && spent_ >= (is_settled() ? kEnoughSeconds : kMostSeconds);
  }

  [[nodiscard]] bool is_settled() const {
    return std::ranges::all_of(entrants_, [](const Entrant& e) { return !e.racing || e.agrees(kAgreement); });
  }

  std::vector<Entrant> entrants_;
  const TimeOnce& run_;
  double best_ = std::numeric_limits<double>::infinity();
  double spent_ = 0;
};

}  // namespace

double RaceTimes::best() const { return *std::ranges::min_element(seconds); }

RaceTimes race(std::size_t entrants, const TimeOnce& run) { return Race(entrants, run).decide(); }

}  // namespace convoy
