// The demo's loss landscapes: it saves checkpoints while it trains; afterwards it computes the
// landscapes, records them in the run's files and draws them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/collectors/rules/landscape_options.h"
#include "sightline/landscape/surface/loss_function.h"
#include "sightline/tools/demo/digits_trainer.h"

namespace sightline::demo {

// Options for a checkpoint after each epoch, one landscape along the whole training and one around
// its result, of `size` x `size` points. REQUIRES: three epochs or more.
LandscapeOptions DemoLandscapeOptions(int epochs, int size);

// Writes the network's parameters to `path`, as safetensors.
Status SaveParameters(DigitsTrainer& trainer, const std::string& path);

// Makes the mean loss of the demo's network over its first `samples` images, which so many workers
// may call at once. If the checkpoints are those of another network, it returns an error at the
// first point.
Result<landscape::LossFunction> DemoLoss(std::int64_t samples, int workers);

// Computes the landscapes of the run in `directory`, on every processor, records them there and
// draws them. Returns the paths of the pictures.
Result<std::vector<std::string>> DrawLandscapes(const std::string& directory,
                                                const std::function<void(std::string_view)>& say);

}  // namespace sightline::demo
