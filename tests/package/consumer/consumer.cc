// A program outside Convoy's tree: it sees installed headers and the installed library only.
#include <cstdio>

#include "convoy/convoy.h"

// Never run: it only has to link.
void join() { convoy::MpiSession session; }

int main(int argc, char** /*argv*/) {
  if (argc > 1) join();
  convoy::SoloTransport alone;
  convoy::Communicator communicator(alone);
  communicator.barrier();
  convoy::Graph graph;
  const convoy::Value x = conv(input(graph, {3, 32, 32}), {.out = 8, .kernel = 3});
  std::printf("%s with Convoy %s\n", x.shape().to_string().c_str(), convoy::build_info().version.c_str());
  return 0;
}
