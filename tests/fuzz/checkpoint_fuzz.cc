// The readers of checkpoints on arbitrary bytes: the first byte chooses the format, so that each is
// met as often. What was read must hold together: every tensor has its bytes, inside of the input.
#include <algorithm>
#include <functional>
#include <span>
#include <string_view>

#include "sightline/landscape/checkpoint.h"
#include "sightline/landscape/checkpoint_formats.h"
#include "sightline/landscape/parameter_set.h"
#include "sightline/tests/fuzz/repair.h"

using sightline::fuzz::Check;

namespace {

void CheckPieces(const std::vector<sightline::landscape::CheckpointTensor>& tensors,
                 std::string_view input) {
  const std::less_equal<const char*> before;
  for (const auto& tensor : tensors) {
    for (const std::string_view piece : tensor.pieces) {
      Check(before(input.data(), piece.data()) &&
                before(piece.data() + piece.size(), input.data() + input.size()),
            "a piece lies inside of the input");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto parsed = data[0] % 3 == 0   ? sightline::landscape::ParseNpz(bytes)
                      : data[0] % 3 == 1 ? sightline::landscape::ParseSafetensors(bytes)
                                         : sightline::landscape::ParseMindSporeCheckpoint(bytes);
  if (parsed) CheckPieces(parsed->tensors, bytes);
  const auto checkpoint = sightline::landscape::Checkpoint::Parse("fuzz", bytes, nullptr);
  if (!checkpoint) return 0;
  for (const auto& tensor : checkpoint->tensors()) {
    std::size_t held = 0;
    for (const std::string_view piece : tensor.pieces) held += piece.size();
    Check(held == tensor.ByteSize(), "a tensor has its bytes");
  }
  const auto set = sightline::landscape::ParameterSet::Make({*checkpoint}, {".*", false});
  if (!set) return 0;
  double values[512];
  for (std::size_t at = 0; at < set->size(); at += 512)
    set->Read(0, at, std::span(values, std::min<std::size_t>(512, set->size() - at)));
  return 0;
}
