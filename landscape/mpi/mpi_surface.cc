#include "sightline/landscape/mpi/mpi_surface.h"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sightline/base/wire.h"
#include "sightline/landscape/surface/surface_work.h"

namespace sightline::landscape {
namespace {

// Every MPI has at least these (MPI 3.1, 8.1.2).
constexpr int kTags = 32767;
constexpr std::size_t kLargestBatch = 8;
// MPI waits by spinning; rank 0 has losses to compute meanwhile.
constexpr auto kPause = std::chrono::microseconds(300);
// What a helper says of a point: its numbers, or why there are none.
constexpr char kNumbers = 'P';
constexpr char kError = 'E';

// answers := (char kind, uint64 index, uint64 size, bytes)*
void AppendAnswer(std::string& out, std::size_t index,
                  const Result<std::vector<double>>& measured) {
  std::string_view bytes;
  std::string text;
  if (measured) {
    bytes = {reinterpret_cast<const char*>(measured->data()), measured->size() * sizeof(double)};
  } else {
    text = measured.error().message();
    bytes = text;
  }
  out += measured ? kNumbers : kError;
  wire::AppendFixed(out, std::uint64_t{index});
  wire::AppendFixed(out, std::uint64_t{bytes.size()});
  out += bytes;
}

// REQUIRES: what AppendAnswer made.
void GiveAnswers(std::string_view answers, SurfaceWork& work) {
  while (!answers.empty()) {
    std::uint64_t numbers[2] = {};
    std::memcpy(numbers, answers.data() + 1, sizeof(numbers));
    const std::string_view bytes = answers.substr(1 + sizeof(numbers), numbers[1]);
    if (answers.front() == kNumbers) {
      std::vector<double> values(bytes.size() / sizeof(double));
      std::memcpy(values.data(), bytes.data(), bytes.size());
      work.Give(numbers[0], std::move(values));
    } else {
      work.Give(numbers[0], Error(StatusCode::kFailedPrecondition, std::string(bytes)));
    }
    answers.remove_prefix(1 + sizeof(numbers) + bytes.size());
  }
}

// The next message of a surface, from rank `from`; waits without spinning.
std::string Receive(int from, int tag, MPI_Status& status) {
  int has_come = 0;
  for (;;) {
    MPI_Iprobe(from, tag, MPI_COMM_WORLD, &has_come, &status);
    if (has_come != 0) break;
    std::this_thread::sleep_for(kPause);
  }
  int size = 0;
  MPI_Get_count(&status, MPI_CHAR, &size);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  MPI_Recv(bytes.data(), size, MPI_CHAR, status.MPI_SOURCE, tag, MPI_COMM_WORLD, &status);
  return bytes;
}

void Send(int to, int tag, const std::string& bytes) {
  MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_CHAR, to, tag, MPI_COMM_WORLD);
}

}  // namespace

MpiJob::MpiJob() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

MpiJob::~MpiJob() { MPI_Finalize(); }

void MpiJob::Abort(int exit_code) {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::abort();  // Not reached.
}

Status MpiJob::Evaluate(const Plane& plane, const LossFunction& loss, const SurfaceOptions& options,
                        PointValues& known) {
  surface_ = (surface_ + 1) % kTags;
  return rank_ == 0 ? HandOut(plane, loss, options, known) : Help(plane, loss, options);
}

// This thread speaks MPI, others evaluate. A helper is told the end by a message of no points.
Status MpiJob::HandOut(const Plane& plane, const LossFunction& loss, const SurfaceOptions& options,
                       PointValues& known) const {
  SurfaceWork work(plane, options, known);
  const std::vector<float> last = LastParameters(plane);
  auto threads = StartWorkers(plane, last, loss, 0, options.workers, work);
  const std::size_t batch = std::clamp<std::size_t>(
      work.open_count() / (8 * static_cast<std::size_t>(size_)), 1, kLargestBatch);
  for (int helpers = size_ - 1; helpers > 0;) {
    MPI_Status from;
    GiveAnswers(Receive(MPI_ANY_SOURCE, surface_, from), work);
    const std::vector<std::size_t> taken = work.Take(batch);
    std::string points;
    for (const std::size_t index : taken) wire::AppendFixed(points, std::uint64_t{index});
    Send(from.MPI_SOURCE, surface_, points);
    if (taken.empty()) --helpers;
  }
  for (std::thread& thread : threads) thread.join();
  return work.status();
}

Status MpiJob::Help(const Plane& plane, const LossFunction& loss,
                    const SurfaceOptions& options) const {
  const std::vector<float> last = LastParameters(plane);
  PointEvaluator evaluator(plane, last, loss, 0, options);
  std::string answers;
  for (;;) {
    Send(0, surface_, answers);
    MPI_Status from;
    const std::string points = Receive(0, surface_, from);
    if (points.empty()) return {};
    answers.clear();
    for (std::size_t at = 0; at < points.size(); at += sizeof(std::uint64_t)) {
      std::uint64_t index = 0;
      std::memcpy(&index, points.data() + at, sizeof(index));
      AppendAnswer(answers, index, evaluator.At(index));
    }
  }
}

}  // namespace sightline::landscape
