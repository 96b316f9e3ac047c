// A rank of the jobs that mpi_surface_test.cc starts: mpi_landscape DIR LOG [die|fail]. Its loss is
// the sum of squares; each point that it evaluates is a line of the file LOG.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>

#include "sightline/landscape/generate.h"
#include "sightline/landscape/mpi/mpi_surface.h"

namespace {

using sightline::Error;
using sightline::Result;
using sightline::StatusCode;

double Quadratic(std::span<const float> values) {
  double sum = 0;
  for (const float value : values) sum += static_cast<double>(value) * value;
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::string way = argc > 3 ? argv[3] : "";
  sightline::landscape::MpiJob job;
  const int log = open(argv[2], O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  int calls = 0;
  const sightline::landscape::LossFunction loss =
      [&](const sightline::landscape::PointParameters& point) -> Result<std::vector<double>> {
    const bool is_third_of_rank_1 = job.rank() == 1 && ++calls == 3;
    if (is_third_of_rank_1 && way == "die") kill(getpid(), SIGKILL);
    if (is_third_of_rank_1 && way == "fail") return Error(StatusCode::kIoError, "no data here");
    const std::string line = fmt::format("{} {} {}\n", job.rank(), point.x, point.y);
    if (write(log, line.data(), line.size()) < 0) return Error(StatusCode::kIoError, "no log");
    usleep(job.rank() == 0 ? 20000 : 1000);  // So that every rank gets a turn.
    return std::vector<double>{Quadratic(point.values)};
  };
  sightline::landscape::GenerateOptions options;
  options.plane.line_size = 6;
  options.is_helper = job.rank() != 0;
  options.evaluate = [&job](const auto& plane, const auto& function, const auto& surface,
                            auto& known) { return job.Evaluate(plane, function, surface, known); };
  const auto metadata =
      sightline::landscape::ReadTrainMetadata(sightline::FileSystem::Local(), argv[1]);
  if (!metadata) job.Abort(3);
  const auto made = sightline::landscape::GenerateLandscapes(*metadata, loss, options);
  if (made) return 0;
  std::fprintf(stderr, "%s\n", std::string(made.error().message()).c_str());
  std::fflush(stderr);
  job.Abort(4);
}
