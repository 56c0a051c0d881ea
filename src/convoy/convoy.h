// The public headers of the library, grouped by what they are for. They are installed, with the headers that they
// include; all others are internal. docs/library.md shows each in use.
#pragma once

// Convoy's errors, its version, and random numbers that follow from keys.
#include "convoy/base/error.h"
#include "convoy/base/rng.h"
#include "convoy/base/version.h"

// A network as data: written layer by layer or taken from the zoo, and what it costs.
#include "convoy/graph/analysis.h"
#include "convoy/graph/builder.h"
#include "convoy/graph/network_text.h"
#include "convoy/models/zoo.h"

// A compiled network: forward and backward, or prediction alone.
#include "convoy/engine/network.h"
#include "convoy/engine/predictor.h"

// The rules that update parameters, and the learning rate.
#include "convoy/optim/optimizer.h"
#include "convoy/optim/schedule.h"

// Images: of a named data set, generated, or from a source of your own.
#include "convoy/data/source/open_source.h"
#include "convoy/data/source/source.h"
#include "convoy/data/source/synthetic_source.h"

// Communication with other processes, or none.
#include "convoy/comm/communicator.h"
#include "convoy/comm/mpi/mpi_session.h"
#include "convoy/comm/solo/solo_transport.h"

// Training: epochs, evaluation, observers, ranks.
#include "convoy/train/network_weights.h"
#include "convoy/train/replica_network.h"
#include "convoy/train/trainer.h"

// Whole runs as `convoy train` makes them, the files they leave, and networks from these files.
#include "convoy/checkpoint/safetensors.h"
#include "convoy/checkpoint/weights.h"
#include "convoy/record/run_record.h"
#include "convoy/run/exported_model.h"
#include "convoy/run/imported_model.h"
#include "convoy/run/remarks.h"
#include "convoy/run/train_run.h"
#include "convoy/run/trained_model.h"
