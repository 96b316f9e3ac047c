#include "sightline/ir/dump/dump_writer.h"

#include <fmt/format.h>

#include <exception>

#include "sightline/ir/draw/dot_printer.h"
#include "sightline/ir/draw/view.h"
#include "sightline/ir/query/dataflow.h"
#include "sightline/ir/query/sorted.h"
#include "sightline/ir/read/printer.h"

namespace sightline::ir {
namespace {

std::string FolderOf(const DumpOptions& options) {
  return options.rank ? JoinPath(options.path, fmt::format("rank_{}", *options.rank))
                      : options.path;
}

}  // namespace

DumpWriter::DumpWriter(const DumpOptions& options)
    : sorted_(options.sorted),
      compress_(options.compress),
      store_(options.file_system == nullptr ? FileSystem::Local() : *options.file_system,
             FolderOf(options)) {}

Status DumpWriter::WritePicture(const DumpJob& job, const Module& module) {
  SIGHTLINE_ASSIGN_OR_RETURN(const Drawing drawing, Draw(module, Dataflow(module)));
  return store_.Put(job.picture + ".dot", PrintDot(drawing), false);
}

Status DumpWriter::WriteForms(const DumpJob& job) {
  const TapedGraph graph = ReadTape(job.tape);
  if (graph.subgraphs.empty()) {
    return {StatusCode::kInvalidArgument,
            "no subgraph was handed over: GraphVisitor::Subgraph comes first"};
  }
  Module module = DumpModule(graph, job.scope);
  if (sorted_) {
    SIGHTLINE_ASSIGN_OR_RETURN(module, SortedForm(module));
  }
  Status status = store_.Put(job.name + ".ir", PrintIr(module), compress_);
  if (!job.picture.empty()) {
    const Status pictured = WritePicture(job, module);
    if (status.ok()) status = pictured;
  }
  return status;
}

Status DumpWriter::Write(const DumpJob& job) {
  Status status;
  try {
    status = WriteForms(job);
  } catch (const std::exception& error) {  // No memory.
    status = Status(StatusCode::kResourceExhausted, error.what());
  }
  const std::lock_guard lock(mutex_);
  counters_ = store_.counters();
  return status.WithContext("the dump " + job.name);
}

DumpStore::Counters DumpWriter::counters() const {
  const std::lock_guard lock(mutex_);
  return counters_;
}

}  // namespace sightline::ir
