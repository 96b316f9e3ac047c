#include "sightline/recorder/writing/run_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

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

std::string ManifestOf(const RunConfig& config) {
  nlohmann::json json = {
      {"session_id", config.run.session_id},
      {"hostname", config.run.hostname},
      {"rank", config.run.rank},
      {"world_size", config.run.world_size},
      {"device_id", config.run.device_id},
      {"opened_digits", config.run.opened_digits},
      {"formats", nlohmann::json::array()},
      {"export_npy", config.export_npy},
      {"max_file_size", config.max_file_size},
      {"stop_when_full", config.on_file_full == OnFileFull::kStop},
      {"continues_session", config.run.continues_session},
  };
  if (config.run.resume_from_step) json["resume_from_step"] = *config.run.resume_from_step;
  for (const Format format : config.formats) json["formats"].push_back(FormatName(format));
  // A hostname need not be UTF-8.
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<RunConfig> ParseManifest(std::string_view manifest) {
  try {
    const auto json = nlohmann::json::parse(manifest);
    RunConfig config;
    json.at("session_id").get_to(config.run.session_id);
    json.at("hostname").get_to(config.run.hostname);
    json.at("rank").get_to(config.run.rank);
    json.at("world_size").get_to(config.run.world_size);
    json.at("device_id").get_to(config.run.device_id);
    json.at("opened_digits").get_to(config.run.opened_digits);
    // What an earlier version did not write.
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
    const std::string export_directory =
        JoinPath(directory, fmt::format("export_{}", config.run.opened_digits));
    sinks.push_back(
        std::make_unique<NpySink>(file_system, export_directory, observer, journal, sinks.size()));
  }
  return sinks;
}

}  // namespace sightline
