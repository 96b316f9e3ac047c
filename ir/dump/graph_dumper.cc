#include "sightline/ir/dump/graph_dumper.h"

#include <fmt/format.h>

#include <exception>
#include <mutex>
#include <utility>

#include "sightline/base/fault_log.h"
#include "sightline/base/process_registry.h"
#include "sightline/ir/dump/dump_queue.h"
#include "sightline/ir/dump/dump_selection.h"
#include "sightline/ir/dump/dump_writer.h"

namespace sightline::ir {
namespace {

// From this level on.
constexpr int kPictures = 3;

// Passes and their steps print where a node is without its own name.
bool HasScopesOnly(DumpKind kind) {
  return kind == DumpKind::kPass || kind == DumpKind::kSubstep || kind == DumpKind::kSubstitution;
}

// Graphs of the back end have no pictures.
bool IsPictured(DumpKind kind) { return kind == DumpKind::kStage || HasScopesOnly(kind); }

}  // namespace

class GraphDumper::Impl {
 public:
  explicit Impl(const DumpOptions& options);
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  bool Wants(const DumpPoint& point) const { return queue_ && selection_.Wants(point); }
  bool usable() const { return generation_ == ProcessGeneration(); }
  void StartCompilation();
  void Dump(const DumpPoint& point, const std::function<void(GraphVisitor&)>& visit);
  Status Flush();
  Status Close();
  DumperStats Stats() const;
  FaultLog& faults() { return faults_; }

 private:
  // Names the dump and its picture. REQUIRES: mutex_.
  DumpJob Name(const DumpPoint& point);
  // False for a dump that is left out, whose numbers stay free.
  bool Takes(const DumpPoint& point);

  const std::uint32_t generation_;
  const int level_;
  FaultLog faults_;
  DumpWriter writer_;
  std::mutex mutex_;  // Guards the names and the selection by names.
  DumpSelection selection_;
  DumpNamer namer_;
  std::unique_ptr<DumpQueue> queue_;  // Null: nothing is dumped. The last to be made.
};

GraphDumper::Impl::Impl(const DumpOptions& options)
    : generation_(ProcessGeneration()),
      level_(options.level),
      writer_(options),
      selection_(options) {
  const Status checked = options.Check();
  faults_.Note(checked);
  if (!checked.ok() || level_ == 0) return;
  queue_ =
      std::make_unique<DumpQueue>(options.buffer_bytes, options.when_full,
                                  [this](const DumpJob& job) { faults_.Note(writer_.Write(job)); });
  if (!queue_->started().ok()) {
    faults_.Note(queue_->started().WithContext("nothing is dumped"));
    queue_.reset();
    return;
  }
  ProcessRegistry::SetOnSigterm(this, [this] { (void)Close(); });
}

GraphDumper::Impl::~Impl() {
  ProcessRegistry::Remove(this);
  (void)Close();
}

void GraphDumper::Impl::StartCompilation() {
  const std::lock_guard lock(mutex_);
  namer_.StartCompilation();
}

DumpJob GraphDumper::Impl::Name(const DumpPoint& point) {
  DumpJob job;
  job.name = namer_.Next(point);
  if (level_ >= kPictures && IsPictured(point.kind())) job.picture = namer_.Twin();
  if (HasScopesOnly(point.kind())) job.scope = ScopeForm::kPath;
  return job;
}

bool GraphDumper::Impl::Takes(const DumpPoint& point) {
  const std::lock_guard lock(mutex_);
  if (selection_.Takes(namer_.StemOf(point))) return true;
  (void)Name(point);
  return false;
}

void GraphDumper::Impl::Dump(const DumpPoint& point,
                             const std::function<void(GraphVisitor&)>& visit) {
  if (!Takes(point)) return;
  GraphTape tape = queue_->TakeTape();
  GraphVisitor visitor(tape);
  visit(visitor);
  if (tape.overflowed()) {
    return faults_.Note(Status(StatusCode::kResourceExhausted,
                               fmt::format("the dump {} has more than 2 GiB", point.name())));
  }
  DumpJob job;
  {
    // Numbered in any case, so that what is missing can be seen.
    const std::lock_guard lock(mutex_);
    job = Name(point);
  }
  job.tape = std::move(tape);
  queue_->Push(std::move(job));
}

Status GraphDumper::Impl::Flush() {
  if (queue_) queue_->Flush();
  return faults_.first();
}

Status GraphDumper::Impl::Close() {
  if (queue_) queue_->Close();
  return faults_.first();
}

DumperStats GraphDumper::Impl::Stats() const {
  const DumpStore::Counters stored = writer_.counters();
  return {queue_ ? queue_->accepted() : 0, stored.files,    stored.links,   stored.bytes,
          queue_ ? queue_->dropped() : 0,  faults_.count(), faults_.first()};
}

GraphDumper::GraphDumper(const DumpOptions& options) noexcept {
  try {
    impl_ = std::make_unique<Impl>(options);
  } catch (const std::exception&) {
    // No memory, or no thread to be had: Stats says so.
  }
}

GraphDumper::~GraphDumper() {
  // In a forked child the thread does not exist, and its lock may be held for ever: let it lie.
  if (impl_ && !impl_->usable()) (void)impl_.release();  // NOLINT(bugprone-unused-return-value)
}

void GraphDumper::StartCompilation() noexcept {
  if (impl_ && impl_->usable()) impl_->StartCompilation();
}

bool GraphDumper::Wants(const DumpPoint& point) const noexcept {
  return impl_ && impl_->Wants(point) && impl_->usable();
}

void GraphDumper::Dump(const DumpPoint& point,
                       const std::function<void(GraphVisitor&)>& visit) noexcept {
  if (!Wants(point)) return;
  try {
    impl_->Dump(point, visit);
  } catch (const std::exception& error) {
    impl_->faults().Note(
        Status(StatusCode::kFailedPrecondition,
               fmt::format("the dump {} was broken off: {}", point.name(), error.what())));
  } catch (...) {
    impl_->faults().Note(
        Status(StatusCode::kFailedPrecondition, "the dump " + point.name() + " was broken off"));
  }
}

Status GraphDumper::Flush() noexcept {
  return impl_ && impl_->usable() ? impl_->Flush() : Stats().first_error;
}

Status GraphDumper::Close() noexcept {
  return impl_ && impl_->usable() ? impl_->Close() : Stats().first_error;
}

DumperStats GraphDumper::Stats() const {
  if (impl_ && impl_->usable()) return impl_->Stats();
  DumperStats stats;
  stats.errors = 1;
  stats.first_error =
      impl_ ? Status(StatusCode::kFailedPrecondition, "a forked child dumps nothing")
            : Status(StatusCode::kResourceExhausted, "there is no memory or thread to dump with");
  return stats;
}

}  // namespace sightline::ir
