#include "convoy/train/usage_recorder.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "convoy/train/trainer.h"

namespace convoy {
namespace {

constexpr double kSecondsBetween = 10;

static_assert(std::is_trivially_copyable_v<UsageRecord>);

std::string bytes_of(const std::vector<UsageRecord>& records) {
  return {reinterpret_cast<const char*>(records.data()), records.size() * sizeof(UsageRecord)};
}

void append(std::vector<UsageRecord>& records, const std::string& bytes) {
  const std::size_t before = records.size();
  records.resize(before + bytes.size() / sizeof(UsageRecord));
  if (!bytes.empty()) std::memcpy(&records[before], bytes.data(), bytes.size());
}

// The first rank of each node samples its machine.
bool speaks_for_machine(const Trainer& trainer) {
  const NodeMap& nodes = trainer.parts().replica->communicator().nodes();
  return nodes.local_rank_of(trainer.rank()) == 0;
}

std::function<UsageReading()> reader(const Trainer& trainer, std::function<UsageReading()> given) {
  if (given) return given;
  return [with_machine = speaks_for_machine(trainer)] { return read_usage(with_machine); };
}

}  // namespace

UsageRecorder::UsageRecorder(RunWriter* writer, const Trainer& trainer, std::function<UsageReading()> read,
                             std::chrono::milliseconds interval)
    : writer_(writer),
      gathered_at_seconds_(trainer.state().elapsed_seconds),
      sampler_({.rank = trainer.rank(),
                .elapsed_seconds = trainer.state().elapsed_seconds,
                .interval = interval,
                .read = reader(trainer, std::move(read))}) {
  sampler_.set_step(trainer.state().step);
}

void UsageRecorder::on_step(const Trainer& trainer, const StepEvent& event) {
  sampler_.set_step(event.record.step);
  if (trainer.state().elapsed_seconds - gathered_at_seconds_ >= kSecondsBetween) gather(trainer);
}

void UsageRecorder::on_end(const Trainer& trainer, const Outcome& /*outcome*/) { gather(trainer); }

void UsageRecorder::on_failure(const std::exception& /*error*/) { write(sampler_.take()); }

void UsageRecorder::gather(const Trainer& trainer) {
  gathered_at_seconds_ = trainer.state().elapsed_seconds;
  Replica& replica = *trainer.parts().replica;
  std::vector<UsageRecord> records;
  replica.reducer().run_in_turn([&] {  // sums of the last step may still be on their way
    for (const std::string& bytes : replica.communicator().gather(bytes_of(sampler_.take()))) append(records, bytes);
  });
  write(std::move(records));
}

void UsageRecorder::write(std::vector<UsageRecord> records) {
  if (writer_ == nullptr) return;
  std::ranges::sort(records, {},
                    [](const UsageRecord& record) { return std::tuple(record.step, record.seconds, record.rank); });
  for (const UsageRecord& record : records) writer_->add(record);
}

}  // namespace convoy
