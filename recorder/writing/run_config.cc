#include "sightline/recorder/writing/run_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "sightline/base/json_text.h"
#include "sightline/recorder/writing/event_file_sink.h"
#include "sightline/recorder/writing/npy_sink.h"

namespace sightline {
namespace {

bool Has(const RunConfig& config, Format format) {
  return std::find(config.formats.begin(), config.formats.end(), format) != config.formats.end();
}

Status OpenSink(EventFileSink& sink, SinkStart start) {
  switch (start) {
    case SinkStart::kNewRun:
      return sink.OpenNew();
    case SinkStart::kKilledRun:
      return sink.Resume();
  }
  return {};
}

}  // namespace

// Written without nlohmann::json, whose objects allocate memory when they are destroyed, and end
// the program if there is none.
std::string ManifestOf(const RunConfig& config) {
  const RunIdentity& run = config.run;
  std::string json = R"({"session_id":)";
  AppendJsonText(run.session_id, json);
  json += R"(,"hostname":)";
  AppendJsonText(run.hostname, json);
  json += R"(,"continues_session":)";
  AppendJsonText(run.continues_session, json);
  json += fmt::format(R"(,"rank":{},"world_size":{},"device_id":{},"opened_digits":{})", run.rank,
                      run.world_size, run.device_id, run.opened_digits);
  if (run.resume_from_step) json += fmt::format(R"(,"resume_from_step":{})", *run.resume_from_step);
  json += fmt::format(R"(,"export_npy":{},"max_file_size":{},"stop_when_full":{},"formats":[)",
                      config.export_npy, config.max_file_size,
                      config.on_file_full == OnFileFull::kStop);
  const char* separator = "";
  for (const Format format : config.formats) {
    json += std::exchange(separator, ",");
    AppendJsonText(FormatName(format), json);
  }
  return json + "]}";
}

Result<RunConfig> ParseManifest(std::string_view manifest) {
  try {
    const auto json = nlohmann::json::parse(manifest);
    RunConfig config;
    json.at("session_id").get_to(config.run.session_id);
    if (config.run.session_id.find_first_of(std::string_view("/\0", 2)) != std::string::npos)
      return Error(StatusCode::kDataLoss, "the journal's session id is not valid");
    json.at("hostname").get_to(config.run.hostname);
    json.at("rank").get_to(config.run.rank);
    json.at("world_size").get_to(config.run.world_size);
    json.at("device_id").get_to(config.run.device_id);
    json.at("opened_digits").get_to(config.run.opened_digits);
    // An earlier version did not write these.
    config.run.continues_session = json.value("continues_session", "");
    if (json.contains("resume_from_step"))
      config.run.resume_from_step = json["resume_from_step"].get<std::int64_t>();
    json.at("export_npy").get_to(config.export_npy);
    json.at("max_file_size").get_to(config.max_file_size);
    config.on_file_full =
        json.at("stop_when_full").get<bool>() ? OnFileFull::kStop : OnFileFull::kRotate;
    for (const Format format : {Format::kMindSpore, Format::kTensorBoard}) {
      const auto& names = json.at("formats");
      if (std::find(names.begin(), names.end(), FormatName(format)) != names.end())
        config.formats.push_back(format);
    }
    return config;
  } catch (const nlohmann::json::exception& error) {
    return Error(StatusCode::kDataLoss,
                 fmt::format("the journal's manifest cannot be read: {}", error.what()));
  }
}

std::size_t SinkCount(const RunConfig& config) {
  return DialectsOf(config).size() + (config.export_npy ? 1 : 0);
}

std::vector<std::unique_ptr<Dialect>> DialectsOf(const RunConfig& config) {
  std::vector<std::unique_ptr<Dialect>> dialects;
  if (Has(config, Format::kMindSpore)) {
    dialects.push_back(MindSporeSummaryDialect(config.run));
    dialects.push_back(MindSporeLineageDialect(config.run));
  }
  if (Has(config, Format::kTensorBoard)) dialects.push_back(TensorBoardDialect(config.run));
  return dialects;
}

Result<std::vector<std::unique_ptr<Sink>>> OpenSinks(const RunConfig& config,
                                                     const std::string& directory, SinkStart start,
                                                     FileSystem& file_system, const Clock& clock,
                                                     const SinkObserver& observer,
                                                     Journal& journal) {
  std::vector<std::unique_ptr<Sink>> sinks;
  for (std::unique_ptr<Dialect>& dialect : DialectsOf(config)) {
    EventFileSink::Config sink_config{
        &file_system,        &clock,  directory, config.run, config.max_file_size,
        config.on_file_full, observer};
    auto sink = std::make_unique<EventFileSink>(std::move(sink_config), std::move(dialect), journal,
                                                sinks.size());
    SIGHTLINE_UNEXPECTED_IF_ERROR(OpenSink(*sink, start).WithContext(sink->name()));
    sinks.push_back(std::move(sink));
  }
  if (config.export_npy) {
    auto sink = std::make_unique<NpySink>(file_system, directory, config.run.opened_digits,
                                          observer, journal, sinks.size());
    if (start == SinkStart::kKilledRun) sink->Resume();
    sinks.push_back(std::move(sink));
  }
  return sinks;
}

}  // namespace sightline
