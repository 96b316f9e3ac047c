// The parsers of the checkpoint formats, for checkpoint.cc. `bytes` is a whole file, mapped or in
// memory, and must outlive the tensors. Pure; callable from any thread. None reads outside of
// `bytes`; kDataLoss if they are damaged.
#pragma once

#include <string_view>
#include <vector>

#include "sightline/landscape/checkpoints/checkpoint.h"

namespace sightline::landscape {

struct ParsedTensors {
  std::vector<CheckpointTensor> tensors;
  std::vector<SkippedTensor> skipped;
};

// MindSpore's Checkpoint message (mindspore/ccsrc/utils/checkpoint.proto), with or without the
// checksum that save_checkpoint(crc_check=True) appends. The checksum is not verified, since that
// would read every byte. Values of one tag that follow each other are slices of one tensor.
Result<ParsedTensors> ParseMindSporeCheckpoint(std::string_view bytes);

// A zip archive of .npy files, stored, not compressed (PKWARE's APPNOTE 6.3, ZIP64 included).
// kUnimplemented for compressed ones.
Result<ParsedTensors> ParseNpz(std::string_view bytes);

// Eight bytes of length, a JSON header, the elements.
Result<ParsedTensors> ParseSafetensors(std::string_view bytes);

bool LooksLikeNpz(std::string_view bytes);
bool LooksLikeSafetensors(std::string_view bytes);

}  // namespace sightline::landscape
