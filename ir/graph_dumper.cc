#include "sightline/ir/graph_dumper.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "sightline/ir/dataflow.h"
#include "sightline/ir/dot_printer.h"
#include "sightline/ir/dump_store.h"
#include "sightline/ir/dump_text.h"
#include "sightline/ir/graph_tape.h"
#include "sightline/ir/printer.h"
#include "sightline/ir/reader.h"
#include "sightline/ir/sorted.h"
#include "sightline/ir/view.h"
#include "sightline/recorder/background_thread.h"
#include "sightline/recorder/fault_log.h"
#include "sightline/recorder/process_registry.h"

namespace sightline::ir {
namespace {

// Tapes whose memory is kept for the next dumps.
constexpr std::size_t kSpareTapes = 2;

// From this level on.
constexpr int kPictures = 3;

// Passes and their steps print where a node is without its own name.
bool HasScopesOnly(DumpKind kind) {
  return kind == DumpKind::kPass || kind == DumpKind::kSubstep || kind == DumpKind::kSubstitution;
}

// Graphs of the back end have no pictures.
bool IsPictured(DumpKind kind) { return kind == DumpKind::kStage || HasScopesOnly(kind); }

std::string FolderOf(const DumpOptions& options) {
  return options.rank ? JoinPath(options.path, fmt::format("rank_{}", *options.rank))
                      : options.path;
}

}  // namespace

class GraphDumper::Impl {
 public:
  explicit Impl(const DumpOptions& options);
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  bool Wants(const DumpPoint& point) const { return point.level() <= level_; }
  bool usable() const { return generation_ == ProcessGeneration(); }
  void StartCompilation();
  void Dump(const DumpPoint& point, const std::function<void(GraphVisitor&)>& visit);
  Status Flush();
  Status Close();
  DumperStats Stats() const;
  FaultLog& faults() { return faults_; }

 private:
  // A graph that waits for the dumper's thread.
  struct Job {
    std::string name;     // Without extension.
    std::string picture;  // Name of its .dot; empty: none.
    ScopeForm scope;
    GraphTape tape;
  };

  GraphTape TakeTape();
  void Enqueue(const DumpPoint& point, GraphTape tape);
  void WriterMain();
  void Write(const Job& job);
  Status WriteForms(const Job& job);
  Status WritePicture(const Job& job, const std::string& text);

  const DumpOptions options_;
  const std::uint32_t generation_;
  int level_ = 0;
  FaultLog faults_;
  DumpStore store_;  // The dumper's thread only.

  mutable std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable room_;
  std::condition_variable written_;
  DumpNamer namer_;
  std::deque<Job> queue_;
  std::vector<GraphTape> spare_;
  std::size_t waiting_bytes_ = 0;  // Of tapes that are not written.
  std::size_t last_bytes_ = 0;     // Of the last tape.
  std::uint64_t accepted_ = 0;
  std::uint64_t done_ = 0;
  std::uint64_t dropped_ = 0;
  DumpStore::Counters stored_;
  bool closing_ = false;

  std::mutex close_mutex_;
  std::thread writer_;
};

GraphDumper::Impl::Impl(const DumpOptions& options)
    : options_(options),
      generation_(ProcessGeneration()),
      store_(options.file_system == nullptr ? FileSystem::Local() : *options.file_system,
             FolderOf(options)) {
  const Status checked = options.Check();
  faults_.Note(checked);
  if (!checked.ok() || options.level == 0) return;
  writer_ = StartBackgroundThread("sightline-dump", [this] { WriterMain(); });
  try {
    ProcessRegistry::Add(this, {[] {}, [this] { (void)Close(); }});
  } catch (...) {
    (void)Close();
    throw;
  }
  level_ = options.level;
}

GraphDumper::Impl::~Impl() {
  ProcessRegistry::Remove(this);
  (void)Close();
}

void GraphDumper::Impl::StartCompilation() {
  const std::lock_guard lock(mutex_);
  namer_.StartCompilation();
}

GraphTape GraphDumper::Impl::TakeTape() {
  const std::lock_guard lock(mutex_);
  GraphTape tape;
  if (spare_.empty()) {
    // The next graph is about as large as the last: memory for it at once, not in ever larger
    // pieces.
    tape.Reserve(last_bytes_ + last_bytes_ / 8);
  } else {
    tape = std::move(spare_.back());
    spare_.pop_back();
  }
  return tape;
}

void GraphDumper::Impl::Dump(const DumpPoint& point,
                             const std::function<void(GraphVisitor&)>& visit) {
  GraphTape tape = TakeTape();
  GraphVisitor visitor(tape);
  visit(visitor);
  if (!tape.overflowed()) return Enqueue(point, std::move(tape));
  faults_.Note(Status(StatusCode::kResourceExhausted,
                      fmt::format("the dump {} has more than 2 GiB", point.name())));
}

void GraphDumper::Impl::Enqueue(const DumpPoint& point, GraphTape tape) {
  const std::size_t bytes = tape.size();
  std::unique_lock lock(mutex_);
  last_bytes_ = bytes;
  // Numbered in any case, so that what is missing can be seen.
  Job job{namer_.Next(point), "",
          HasScopesOnly(point.kind()) ? ScopeForm::kPath : ScopeForm::kFullName, std::move(tape)};
  if (level_ >= kPictures && IsPictured(point.kind())) job.picture = namer_.Twin();
  const auto has_room = [&] {
    return closing_ || waiting_bytes_ == 0 || waiting_bytes_ + bytes <= options_.buffer_bytes;
  };
  if (options_.when_full == WhenFull::kWait) room_.wait(lock, has_room);
  if (closing_) return;
  if (!has_room()) {
    ++dropped_;
    return;
  }
  queue_.push_back(std::move(job));
  waiting_bytes_ += bytes;
  ++accepted_;
  work_.notify_one();
}

void GraphDumper::Impl::WriterMain() {
  std::unique_lock lock(mutex_);
  for (;;) {
    work_.wait(lock, [this] { return closing_ || !queue_.empty(); });
    if (queue_.empty()) return;
    Job job = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    Write(job);
    const std::size_t bytes = job.tape.size();
    job.tape.Clear();
    lock.lock();
    waiting_bytes_ -= bytes;
    ++done_;
    stored_ = store_.counters();
    if (spare_.size() < kSpareTapes && bytes <= options_.buffer_bytes)
      spare_.push_back(std::move(job.tape));
    room_.notify_all();
    written_.notify_all();
  }
}

void GraphDumper::Impl::Write(const Job& job) {
  try {
    faults_.Note(WriteForms(job).WithContext("the dump " + job.name));
  } catch (const std::exception& error) {  // No memory.
    faults_.Note(Status(StatusCode::kResourceExhausted, error.what()));
  }
}

Status GraphDumper::Impl::WritePicture(const Job& job, const std::string& text) {
  SIGHTLINE_ASSIGN_OR_RETURN(const Module module, ParseIr(text));
  SIGHTLINE_ASSIGN_OR_RETURN(const Drawing drawing, Draw(module, Dataflow(module)));
  return store_.Put(job.picture + ".dot", PrintDot(drawing), false);
}

Status GraphDumper::Impl::WriteForms(const Job& job) {
  std::string text = DumpText(ReadTape(job.tape), job.scope);
  if (text.empty()) {
    return {StatusCode::kInvalidArgument,
            "no subgraph was handed over: GraphVisitor::Subgraph comes first"};
  }
  if (options_.sorted) {
    SIGHTLINE_ASSIGN_OR_RETURN(const Module module, ParseIr(text));
    SIGHTLINE_ASSIGN_OR_RETURN(const Module sorted, SortedForm(module));
    text = PrintIr(sorted);
  }
  Status status = store_.Put(job.name + ".ir", text, options_.compress);
  if (!job.picture.empty()) {
    const Status pictured = WritePicture(job, text);
    if (status.ok()) status = pictured;
  }
  return status;
}

Status GraphDumper::Impl::Flush() {
  std::unique_lock lock(mutex_);
  written_.wait(lock, [this, all = accepted_] { return done_ >= all; });
  return faults_.first();
}

Status GraphDumper::Impl::Close() {
  const std::lock_guard closing(close_mutex_);
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    work_.notify_one();
    room_.notify_all();
  }
  if (writer_.joinable()) writer_.join();
  return faults_.first();
}

DumperStats GraphDumper::Impl::Stats() const {
  const std::lock_guard lock(mutex_);
  return {accepted_, stored_.files,   stored_.links,  stored_.bytes,
          dropped_,  faults_.count(), faults_.first()};
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
