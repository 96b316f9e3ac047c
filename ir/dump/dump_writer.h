// Writes visited graphs into their folder, in the forms that the options ask for.
#pragma once

#include <mutex>
#include <string>

#include "sightline/base/status.h"
#include "sightline/ir/dump/dump_module.h"
#include "sightline/ir/dump/dump_options.h"
#include "sightline/ir/dump/dump_store.h"
#include "sightline/ir/dump/graph_tape.h"

namespace sightline::ir {

// A graph that is to be written.
struct DumpJob {
  std::string name;     // Without extension.
  std::string picture;  // Name of its .dot; empty: none.
  ScopeForm scope = ScopeForm::kFullName;
  GraphTape tape;
};

class DumpWriter {
 public:
  explicit DumpWriter(const DumpOptions& options);

  // One thread at a time. An error names the dump; no partial file is left.
  Status Write(const DumpJob& job);
  // Any thread.
  DumpStore::Counters counters() const;

 private:
  Status WriteForms(const DumpJob& job);
  Status WritePicture(const DumpJob& job, const Module& module);

  const bool sorted_;
  const bool compress_;
  DumpStore store_;
  mutable std::mutex mutex_;
  DumpStore::Counters counters_;
};

}  // namespace sightline::ir
