// The parsers of the checkpoint formats: whole files in memory or mapped, tensors that borrow from
// them. Used by checkpoint.cc. Pure; callable from any thread. None reads outside of `bytes`, and
// all return kDataLoss for what is damaged.
#pragma once

#include <string_view>
#include <vector>

#include "sightline/landscape/checkpoint.h"

namespace sightline::landscape {

struct ParsedTensors {
  std::vector<CheckpointTensor> tensors;
  std::vector<SkippedTensor> skipped;
};

// MindSpore's Checkpoint message (mindspore/ccsrc/utils/checkpoint.proto), with or without the
// checksum that save_checkpoint(crc_check=True) puts behind it (not compared: it would have every
// byte read). Values of one tag that follow each other are slices of one tensor.
Result<ParsedTensors> ParseMindSporeCheckpoint(std::string_view bytes);

// A zip archive of .npy files, stored, not compressed (PKWARE's APPNOTE 6.3, ZIP64 included).
// kUnimplemented for compressed ones.
Result<ParsedTensors> ParseNpz(std::string_view bytes);

// Eight bytes of length, a JSON header, the elements.
Result<ParsedTensors> ParseSafetensors(std::string_view bytes);

bool LooksLikeNpz(std::string_view bytes);
bool LooksLikeSafetensors(std::string_view bytes);

}  // namespace sightline::landscape
