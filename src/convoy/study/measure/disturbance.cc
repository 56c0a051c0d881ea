#include "convoy/study/measure/disturbance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace convoy::study {
namespace {

// The system counts the work of others in ticks of 10 ms; two of them must not make a short run count as disturbed.
constexpr double kTickSeconds = 0.02;

double needed_cores(const MachineUse& use) { return std::min(use.threads, use.cores); }

std::string cores_text(double cores) {
  std::string text = fmt::format("{:.2f}", cores);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

bool is_known(const EpochRecord& epoch) {
  return epoch.cpu_seconds && epoch.others_cpu_seconds && epoch.steal_seconds && epoch.cores &&
         std::isfinite(epoch.times.seconds) && std::isfinite(*epoch.others_cpu_seconds) &&
         std::isfinite(*epoch.steal_seconds) && std::isfinite(*epoch.cpu_seconds) && *epoch.cores > 0;
}

}  // namespace

double taken_share(const MachineUse& use) {
  const double needed = needed_cores(use) * use.seconds;
  if (needed <= 0) return 0;
  const double idle = (use.cores - needed_cores(use)) * use.seconds;
  const double uncertain = kTickSeconds * use.cores;
  const double others = std::max(use.others_seconds - uncertain - idle, 0.0);
  const double steal = std::max(use.steal_seconds - uncertain, 0.0);
  return (others + steal) / needed;
}

std::string disturbance_of(const MachineUse& use) {
  if (taken_share(use) <= kDisturbedShare) return "";
  const auto in_cores = [&](double seconds) { return cores_text(seconds / use.seconds); };
  // Ticks and the run's clock do not begin at the same moment, so short runs may seem to have had more cores than there
  // are.
  const double others = std::min(use.others_seconds, use.cores * use.seconds);
  std::string text = fmt::format("others used {} of {} cores", in_cores(others), cores_text(use.cores));
  if (use.steal_seconds > 0.005 * use.seconds) text += fmt::format(", {} were stolen", in_cores(use.steal_seconds));
  return text + fmt::format("; the run has {} and got {}",
                            fmt::format("{:.0f} thread{}", use.threads, use.threads == 1 ? "" : "s"),
                            in_cores(use.cpu_seconds));
}

std::optional<MachineUse> machine_use(std::span<const EpochRecord> epochs, double threads) {
  if (epochs.empty() || threads <= 0 || !std::ranges::all_of(epochs, is_known)) return std::nullopt;
  MachineUse use{.threads = threads};
  for (const EpochRecord& epoch : epochs) {
    use.seconds += epoch.times.seconds;
    use.cpu_seconds += *epoch.cpu_seconds;
    use.others_seconds += *epoch.others_cpu_seconds;
    use.steal_seconds += *epoch.steal_seconds;
    use.cores = *epoch.cores;
  }
  return use;
}

}  // namespace convoy::study
