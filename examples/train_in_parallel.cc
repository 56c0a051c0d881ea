// Trains a small network on generated images, as one of several processes: `mpirun -n 2 train_in_parallel`. Started
// without mpirun it trains on one rank.
#include <cstdio>
#include <cstdlib>

#include "convoy/convoy.h"

using namespace convoy;

struct Printer : Observer {
  void on_epoch(const Trainer& trainer, const EpochEvent& event) override {
    if (trainer.rank() > 0) return;
    std::printf("epoch %d  loss %.3f  accuracy on new images %.1f %%  (%d ranks)\n",
                static_cast<int>(event.record.epoch), event.record.train_loss, 100 * event.record.test_top1.value_or(0),
                trainer.ranks());
  }
};

int main() {
  MpiSession session;
  Communicator communicator(session.transport());

  Graph graph;
  Value x = input(graph, {1, 16, 16});
  x = relu(batch_norm(conv(x, {.out = 16, .kernel = 5, .pad = 2, .bias = false})));
  x = relu(batch_norm(conv(x, {.out = 32, .kernel = 3, .stride = 2, .pad = 1, .bias = false})));
  softmax_cross_entropy(dense(flatten(global_average_pool(x)), {.out = 4}));
  const auto source = data::make_synthetic_source({.shape = {1, 16, 16}, .classes = 4, .count = 1000});

  // `batch` is the batch of all ranks together. All ranks compile with the kernels that the first one has chosen.
  const TrainerOptions options{.epochs = 3, .batch = 40};
  Plan plan = compile_together(communicator, [&](const Choices* choices) {
    return compile(graph, {.batch = rows_of_piece(options, communicator.size()), .threads = 1, .choices = choices});
  });
  ReplicaNetwork trained(communicator, graph, std::move(plan), {.optimizer = {.kind = OptimizerKind::momentum}});
  trained.network.parameters().initialise(graph, Initialiser::he_normal, /*seed=*/1);
  Evaluator evaluator(graph, *source, {.compile = {.batch = 40, .threads = 1}});

  Trainer trainer(
      {trained.network, *trained.optimizer, [](std::int64_t) { return 0.05; }, *source, evaluator, &trained.replica},
      options);
  Printer printer;
  trainer.add(printer);
  (void)trainer.run();
  return trainer.state().best.top1 > 0.9 ? EXIT_SUCCESS : EXIT_FAILURE;
}
