// Records a small profile with everything that ours can hold, or writes one by TraceWriter:
// record_profile FOLDER recorder|writer. Prints its path.
#include <cstdio>
#include <string>
#include <string_view>
#include <thread>

#include "sightline/profiler/record/data_queue.h"
#include "sightline/profiler/record/profile_recorder.h"
#include "sightline/profiler/record/span.h"
#include "sightline/profiler/trace/trace_writer.h"

namespace tracing = sightline::tracing;

namespace {

int WriteTrace(const std::string& path) {
  tracing::TraceWriter trace(path);
  const auto gpu = trace.AddTrack("gpu 0");
  const auto stream = trace.AddTrack("stream 7", gpu);
  trace.Begin(stream, "step", 1000);
  trace.Span(stream, "matmul", 1100, 1700, 5);
  trace.End(stream, 2000);
  trace.Span(gpu, "copy", 2000, 2500, 5);
  trace.Value(trace.AddCounter("memory", "bytes"), 1500, 4096);
  if (!trace.Close()) return 1;
  std::puts(path.c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  if (std::string_view(argv[2]) == "writer")
    return WriteTrace(std::string(argv[1]) + "/written.perfetto-trace");
  auto profile = tracing::ProfileRecorder::Start(
      {.directory = argv[1], .sample_interval = std::chrono::milliseconds(0)});
  if (!profile) return 1;
  const tracing::EventName send = tracing::InternName("send");
  const tracing::EventName receive = tracing::InternName("receive");
  const tracing::EventName loss = tracing::InternName("loss");
  tracing::NameThisThread("training");
  tracing::DataQueue queue("batches", {.capacity = 8, .workers = 1});
  for (int number = 1; number <= 10; ++number) {
    const tracing::StepScope step(number);
    const auto id = static_cast<std::uint64_t>(number);
    { const tracing::Span waiting = queue.Get(); }
    queue.SetDepth(number % 8);
    {
      SIGHTLINE_SPAN("forward");
      const std::int64_t start = tracing::NowNanos();
      tracing::RecordOperator({.type = "MatMul",
                               .full_name = "Default/fc/MatMul-op1",
                               .start_nanos = start,
                               .end_nanos = tracing::NowNanos(),
                               .shapes = "(32, 1) (1, 6)",
                               .flops = 384});
      const tracing::Span sending(send, tracing::Flow{id});
    }
    std::thread([&] {
      tracing::NameThisThread("receiver");
      const tracing::Span receiving(receive, tracing::Flow{id, true});
    }).join();
    tracing::RecordCounter(loss, 1.0 / number);
    tracing::RecordInstant(loss);
  }
  const auto stats = (*profile)->Stop();
  if (!stats || stats->dropped != 0) return 1;
  std::puts(stats->path.c_str());
  return 0;
}
