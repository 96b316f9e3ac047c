// GraphDumper: `save_graphs` for frameworks. A framework describes its graph after each stage, pass
// and step of its compiler. The files have MindSpore's form, and `sightline ir` reads them.
//
//   GraphDumper dumper(DumpOptionsFromEnvironment().value_or(DumpOptions()));
//   dumper.StartCompilation();
//   dumper.Dump(DumpPoint::Stage("parse"), [&](GraphVisitor& visitor) { Visit(graph, visitor); });
//   ...
//   const Status closed = dumper.Close();
//
// Cost: a dump that the level leaves out costs a comparison. For others, the caller's thread makes
// a compact copy, so that the graph may change as soon as Dump returns; the dumper's own thread
// prints, compares and writes. A dump that equals an earlier one is a hard link to that file
// (dump_store.h).
//
// Failure: no call throws, and none makes the compilation fail. The first error is kept, the others
// are counted, and later dumps are still tried.
//
// Threads: any thread may call any method. Running numbers follow the order in which calls end.
// Fork: a forked child dumps nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "sightline/base/status.h"
#include "sightline/ir/dump/dump_options.h"
#include "sightline/ir/dump/dump_point.h"
#include "sightline/ir/dump/graph_visitor.h"

namespace sightline::ir {

struct DumperStats {
  std::uint64_t dumps = 0;    // Graphs that were visited and accepted.
  std::uint64_t files = 0;    // Written, .dot among them.
  std::uint64_t links = 0;    // Names of dumps that equal an earlier one.
  std::uint64_t bytes = 0;    // Of the files.
  std::uint64_t dropped = 0;  // Dumps for which there was no room (WhenFull::kDrop).
  std::uint64_t errors = 0;   // Dumps that failed, or of which a file failed.
  Status first_error;         // OK while nothing went wrong.
};

class GraphDumper {
 public:
  // If an option is out of range, that is the first error, and nothing is dumped.
  explicit GraphDumper(const DumpOptions& options) noexcept;
  // Closes.
  ~GraphDumper();
  GraphDumper(const GraphDumper&) = delete;
  GraphDumper& operator=(const GraphDumper&) = delete;

  // Another graph is compiled: its first stage has number 00. The running number continues.
  void StartCompilation() noexcept;

  // Whether the level includes such points. Dump then decides by name and interval, and counts all
  // of them.
  bool Wants(const DumpPoint& point) const noexcept;

  // Calls `visit` in this thread if the level includes the point. If `visit` throws, the dump
  // fails, not the compilation.
  void Dump(const DumpPoint& point, const std::function<void(GraphVisitor&)>& visit) noexcept;

  // Waits until everything that was dumped before the call is in the folder. Returns the first
  // error.
  Status Flush() noexcept;
  // The same, and then ends the dumper's thread; later dumps do nothing. Idempotent.
  Status Close() noexcept;

  DumperStats Stats() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;  // Null: there is nothing to dump, or no memory for it.
};

}  // namespace sightline::ir
