// The public face of the library: the headers that a program on top of Convoy needs, by what they are for. They are
// installed, with those that they include; all others are internal. docs/library.md shows each at work.
#pragma once

// Errors that Convoy throws, its version, random numbers that are keyed.
#include "convoy/base/error.h"
#include "convoy/base/rng.h"
#include "convoy/base/version.h"

// A network as data: written layer by layer or taken from the zoo, and what it costs.
#include "convoy/graph/analysis.h"
#include "convoy/graph/builder.h"
#include "convoy/graph/network_text.h"
#include "convoy/models/zoo.h"

// A network that computes: forward and backward, or prediction alone.
#include "convoy/engine/network.h"
#include "convoy/engine/predictor.h"

// How parameters change, and how fast.
#include "convoy/optim/optimizer.h"
#include "convoy/optim/schedule.h"

// Images: by the name of a data set, generated, or a source of one's own.
#include "convoy/data/source/open_source.h"
#include "convoy/data/source/source.h"
#include "convoy/data/source/synthetic_source.h"

// Other processes, or none.
#include "convoy/comm/communicator.h"
#include "convoy/comm/mpi/mpi_session.h"
#include "convoy/comm/solo/solo_transport.h"

// Training with everything between: epochs, evaluation, observers, ranks.
#include "convoy/train/network_weights.h"
#include "convoy/train/replica_network.h"
#include "convoy/train/trainer.h"

// Whole runs as `convoy train` makes them, what they leave, and the networks that come of them.
#include "convoy/checkpoint/weights.h"
#include "convoy/record/run_record.h"
#include "convoy/run/exported_model.h"
#include "convoy/run/imported_model.h"
#include "convoy/run/train_run.h"
#include "convoy/run/trained_model.h"
