#include "sightline/tools/cli/terminal/memory_limit.h"

#include <string>
#include <string_view>

#include "sightline/base/byte_size.h"
#include "sightline/runs/run_group.h"

namespace sightline {
namespace {

// Of an option's text; the message if it is not a size.
std::string ToBytes(std::string& text) {
  const auto bytes = ParseByteSize(text);
  if (!bytes) return "'" + text + "' is not a size; give bytes, or a unit such as 512MB or 512MiB";
  text = std::to_string(*bytes);
  return "";
}

}  // namespace

void AddMemoryLimitOption(CLI::App& command, std::uint64_t& bytes, std::string_view least) {
  command
      .add_option("--memory-limit", bytes,
                  "At most this much resident memory, such as 512MB (at least " +
                      std::string(least) + "); the rest is in a file of the cache folder")
      ->transform(CLI::Validator(&ToBytes, "SIZE"));
}

Result<std::unique_ptr<MemoryLimit>> LimitMemory(std::uint64_t bytes) {
  if (bytes == 0) return std::unique_ptr<MemoryLimit>();
  return MemoryLimit::Set(bytes, DefaultIndexFolder().value_or("/var/tmp"));
}

}  // namespace sightline
