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

namespace profiler = sightline::profiler;

namespace {

int WriteTrace(const std::string& path) {
  profiler::TraceWriter trace(path);
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
  auto profile = profiler::ProfileRecorder::Start(
      {.directory = argv[1], .sample_interval = std::chrono::milliseconds(0)});
  if (!profile) return 1;
  const profiler::EventName send = profiler::InternName("send");
  const profiler::EventName receive = profiler::InternName("receive");
  const profiler::EventName loss = profiler::InternName("loss");
  profiler::NameThisThread("training");
  profiler::DataQueue queue("batches", {.capacity = 8, .workers = 1});
  for (int number = 1; number <= 10; ++number) {
    const profiler::StepScope step(number);
    const auto id = static_cast<std::uint64_t>(number);
    { const profiler::Span waiting = queue.Get(); }
    queue.SetDepth(number % 8);
    {
      SIGHTLINE_SPAN("forward");
      const std::int64_t start = profiler::NowNanos();
      profiler::RecordOperator({.type = "MatMul",
                                .full_name = "Default/fc/MatMul-op1",
                                .start_nanos = start,
                                .end_nanos = profiler::NowNanos(),
                                .shapes = "(32, 1) (1, 6)",
                                .flops = 384});
      const profiler::Span sending(send, profiler::Flow{id});
    }
    std::thread([&] {
      profiler::NameThisThread("receiver");
      const profiler::Span receiving(receive, profiler::Flow{id, true});
    }).join();
    profiler::RecordCounter(loss, 1.0 / number);
    profiler::RecordInstant(loss);
  }
  const auto stats = (*profile)->Stop();
  if (!stats || stats->dropped != 0) return 1;
  std::puts(stats->path.c_str());
  return 0;
}
