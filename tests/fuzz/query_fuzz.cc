// Queries of arbitrary text. A query that is one can be asked of a run; one that is not names the
// column of its fault.
#include <memory>
#include <string>
#include <string_view>

#include "sightline/runs/model/run.h"
#include "sightline/runs/query/query.h"
#include "sightline/tests/fuzz/repair.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/records.h"

namespace {

using sightline::fuzz::Check;

// {wall_time 1, step 1, summary {value {tag "loss", simple_value 1}}}.
constexpr std::string_view kEvent(
    "\x09\0\0\0\0\0\0\xf0\x3f\x10\x01\x2a\x0d\x0a\x0b\x0a\x04loss\x15\0\0\x80\x3f", 28);

std::shared_ptr<const sightline::Run> TheRun() {
  static sightline::testing::MemoryFileSystem fs;
  static const auto run = [] {
    fs.Put("run/events.out.tfevents.1.vm", sightline::testing::FrameRecord(std::string(kEvent)));
    return *sightline::Run::Open("run", {.file_system = &fs});
  }();
  return run;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto run = TheRun();
  const auto query = sightline::Query::Parse({reinterpret_cast<const char*>(data), size});
  if (!query) {
    Check(query.error().message().find("column ") != std::string_view::npos ||
              query.error().message().find("64 KiB") != std::string_view::npos,
          "a fault has its place");
    return 0;
  }
  const auto value = query->Evaluate(*run);
  Check(!sightline::QueryValueLess(value, value), "no value is less than itself");
  sightline::QueryValueText(value);
  query->Holds(*run);
  return 0;
}
