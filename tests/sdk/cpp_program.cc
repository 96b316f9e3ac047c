// A trainer in C++17 that knows sightline.hpp and links libsightline.so: records, monitors,
// profiles, and reads back. usage: sdk_cpp_program DIRECTORY
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "expect.h"
#include "sightline.hpp"

namespace {

namespace sdk = sightline::sdk;

template <typename Call>
sightline_code Thrown(const Call& call) {
  try {
    call();
  } catch (const sdk::Error& error) {
    EXPECT(*error.what() != '\0');
    return error.code();
  }
  return SIGHTLINE_OK;
}

const std::vector<float> kWeights = {0.5F, -1.0F, 2.0F, 0.25F};

void Record(const std::string& directory) {
  auto options = sdk::Sized<sightline_recorder_options>();
  options.formats = SIGHTLINE_FORMAT_MINDSPORE | SIGHTLINE_FORMAT_TENSORBOARD;
  sdk::Recorder opened(directory, options);
  sdk::Recorder recorder = std::move(opened);
  const sightline_tag* const rate = recorder.Tag("rate");
  for (std::int64_t step = 1; step <= 100; ++step) {
    EXPECT(recorder.Add(step, "loss", 1.0 / static_cast<double>(step)) == SIGHTLINE_OK);
    EXPECT(recorder.Add(step, rate, 0.5) == SIGHTLINE_OK);
  }
  EXPECT(recorder.Add(1, sdk::Histogram("weights", kWeights.data(), {2, 2})) == SIGHTLINE_OK);
  EXPECT(recorder.Add(2, {sdk::Tensor("weights", kWeights.data(), {2, 2}),
                          sdk::Image("picture", kWeights.data(), {1, 1, 2, 2}),
                          sdk::Audio("tone", kWeights.data(), 4, 8000),
                          sdk::Text("note", "begun")}) == SIGHTLINE_OK);
  EXPECT(recorder.Add(3, sdk::Message(SIGHTLINE_GRAPH, "no graph")) == SIGHTLINE_INVALID_ARGUMENT);
  recorder.Flush();
  EXPECT(recorder.Stats().accepted_values == 205);
  recorder.Close();
  EXPECT(recorder.Add(4, "loss", 1) == SIGHTLINE_CLOSED);
}

void Monitor(const std::string& directory) {
  auto options = sdk::Sized<sightline_monitor_options>();
  options.say = [](void*, const char*) {};
  sdk::Monitor monitor(directory, options);
  auto training = sdk::Sized<sightline_training>();
  training.network = "LeNet5";
  EXPECT(monitor.Begin(training) == SIGHTLINE_OK);
  for (std::int64_t step = 1; step <= 20; ++step) {
    if (!monitor.IsDue(step)) continue;
    EXPECT(monitor.EndStep(step, 0.5, {sdk::Histogram("fc.weight", kWeights.data(), {4})},
                           {sdk::Tensor("output", kWeights.data(), {4})}) == SIGHTLINE_OK);
  }
  EXPECT(monitor.Log(20, {{"norm", 0.25}}) == SIGHTLINE_OK);
  EXPECT(monitor.BeginEvaluation() == SIGHTLINE_OK);
  EXPECT(monitor.EndEvaluation(20, {{"accuracy", 0.75}}) == SIGHTLINE_OK);
  monitor.End();
}

void Profile(const std::string& directory) {
  sdk::Profile profile(directory);
  const std::uint32_t forward = sightline_name("forward");
  for (std::int64_t number = 1; number <= 3; ++number) {
    const sdk::Step step(number);
    const sdk::Span span(forward);
  }
  EXPECT(profile.Stop().events >= 12);
  EXPECT(profile.path().find(directory) == 0);
}

void Read(const std::string& directory) {
  const sdk::Run run(directory);
  EXPECT(run.Info().state == SIGHTLINE_FINISHED && run.Info().damaged == 0);
  bool has_note = false;
  for (const sightline_series& series : run.Series())
    has_note = has_note || (series.kind == SIGHTLINE_TEXT && series.points == 1);
  EXPECT(has_note);
  const sdk::Scalars loss = run.Read("loss");
  EXPECT(loss.values.size() == 100 && loss.steps.back() == 100);
  for (std::size_t i = 0; i < loss.values.size(); ++i) {
    EXPECT(loss.values[i] ==
           static_cast<double>(static_cast<float>(1.0 / static_cast<double>(i + 1))));
  }
  EXPECT(Thrown([&] { run.Read("accuracy"); }) == SIGHTLINE_NOT_FOUND);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string directory = argv[1];
  EXPECT(Thrown([&] { Record(directory + "/recorded"); }) == SIGHTLINE_INVALID_ARGUMENT);
  EXPECT(Thrown([&] { Monitor(directory + "/monitored"); }) == SIGHTLINE_OK);
  EXPECT(Thrown([&] { Profile(directory + "/profile"); }) == SIGHTLINE_OK);
  EXPECT(Thrown([&] { Read(directory + "/recorded"); }) == SIGHTLINE_OK);
  EXPECT(Thrown([&] { const sdk::Run run(directory); }) == SIGHTLINE_NOT_FOUND);
  EXPECT(Thrown([&] { const sdk::Recorder recorder("http://host/run"); }) ==
         SIGHTLINE_INVALID_ARGUMENT);
  return failures == 0 ? 0 : 1;
}
