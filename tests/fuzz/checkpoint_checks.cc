#include "sightline/tests/fuzz/checkpoint_checks.h"

#include <algorithm>
#include <functional>
#include <span>

#include "sightline/landscape/directions/parameter_set.h"
#include "sightline/tests/fuzz/repair.h"
#include "sightline/tests/support/allocations.h"

namespace sightline::fuzz {
namespace {

// A tensor of a few bytes has a name, a shape and its pieces; vectors double as they grow.
constexpr std::size_t kBytesForAByte = 64;
constexpr std::size_t kBytesForAnyInput = 16384;

void CheckPieces(const std::vector<landscape::CheckpointTensor>& tensors, std::string_view input) {
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

void CheckCheckpoint(std::string_view input,
                     Result<landscape::ParsedTensors> (*parse)(std::string_view)) {
  const std::uint64_t before = testing::AllocatedBytes();
  const auto parsed = parse(input);
  Check(testing::AllocatedBytes() - before <= kBytesForAnyInput + kBytesForAByte * input.size(),
        "memory is in proportion to the input");
  if (parsed) CheckPieces(parsed->tensors, input);
  const auto checkpoint = landscape::Checkpoint::Parse("fuzz", input, nullptr);
  if (!checkpoint) return;
  for (const auto& tensor : checkpoint->tensors()) {
    std::size_t held = 0;
    for (const std::string_view piece : tensor.pieces) held += piece.size();
    Check(held == tensor.ByteSize(), "a tensor has its bytes");
  }
  const auto set = landscape::ParameterSet::Make({*checkpoint}, {".*", false});
  if (!set) return;
  double values[512];
  for (std::size_t at = 0; at < set->size(); at += 512)
    set->Read(0, at, std::span(values, std::min<std::size_t>(512, set->size() - at)));
}

}  // namespace sightline::fuzz
