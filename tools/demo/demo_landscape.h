// The demo's loss landscapes: checkpoints while it trains, and afterwards the surfaces, in the
// run's files and as pictures.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/collectors/rules/landscape_options.h"
#include "sightline/landscape/surface/surface.h"
#include "sightline/tools/demo/digits_trainer.h"

namespace sightline::demo {

// A checkpoint after each epoch: one landscape along the whole training and one around its result,
// of `size` x `size` points. REQUIRES: three epochs or more.
LandscapeOptions LandscapeOf(int epochs, int size);

// Writes the network's parameters to `path`, as safetensors.
Status SaveParameters(DigitsTrainer& trainer, const std::string& path);

// The mean loss of the demo's network over its first `samples` images, called by so many workers at
// once. An error at the first point where the checkpoints are those of another network.
Result<landscape::LossFunction> DemoLoss(std::int64_t samples, int workers);

// Computes the landscapes of the run in `directory`, on every processor, records them there and
// draws them. Returns the pictures' paths. A network of its own a worker; the same samples at every
// point.
Result<std::vector<std::string>> DrawLandscapes(const std::string& directory,
                                                const std::function<void(std::string_view)>& say);

}  // namespace sightline::demo
