#include "sightline/recorder/writing/run_config.h"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/json/foreign_json.h"
#include "sightline/base/json/json_line.h"
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

// Reads members of a manifest. Each Get returns false if the member is missing or has another type.
bool Get(const nlohmann::json& manifest, const char* name, std::string& text) {
  const auto at = manifest.find(name);
  if (at == manifest.end() || !at->is_string()) return false;
  text = at->get<std::string>();
  return true;
}

bool Get(const nlohmann::json& manifest, const char* name, bool& flag) {
  const auto at = manifest.find(name);
  if (at == manifest.end() || !at->is_boolean()) return false;
  flag = at->get<bool>();
  return true;
}

template <std::integral Number>
bool Get(const nlohmann::json& manifest, const char* name, Number& number) {
  const auto at = manifest.find(name);
  if (at == manifest.end() || !at->is_number_integer()) return false;
  const bool fits = at->is_number_unsigned() ? std::in_range<Number>(at->get<std::uint64_t>())
                                             : std::in_range<Number>(at->get<std::int64_t>());
  if (fits) number = at->get<Number>();
  return fits;
}

}  // namespace

std::string ManifestOf(const RunConfig& config) {
  const RunIdentity& run = config.run;
  nlohmann::ordered_json json = {{"session_id", run.session_id},
                                 {"hostname", run.hostname},
                                 {"continues_session", run.continues_session},
                                 {"rank", run.rank},
                                 {"world_size", run.world_size},
                                 {"device_id", run.device_id},
                                 {"opened_digits", run.opened_digits}};
  if (run.resume_from_step) json["resume_from_step"] = *run.resume_from_step;
  json["export_npy"] = config.export_npy;
  json["max_file_size"] = config.max_file_size.value_or(0);
  json["stop_when_full"] = config.on_file_full == OnFileFull::kStop;
  json["formats"] = nlohmann::ordered_json::array();
  for (const Format format : config.formats) json["formats"].push_back(FormatName(format));
  return JsonLine(json);
}

Result<RunConfig> ParseManifest(std::string_view manifest) {
  RunConfig config;
  RunIdentity& run = config.run;
  const auto json = ParseForeignJson<nlohmann::json>(manifest);
  std::uint64_t max_file_size = 0;
  bool stop_when_full = false;
  const bool is_sound =
      json.is_object() && Get(json, "session_id", run.session_id) &&
      Get(json, "hostname", run.hostname) && Get(json, "rank", run.rank) &&
      Get(json, "world_size", run.world_size) && Get(json, "device_id", run.device_id) &&
      Get(json, "opened_digits", run.opened_digits) && Get(json, "export_npy", config.export_npy) &&
      Get(json, "max_file_size", max_file_size) && Get(json, "stop_when_full", stop_when_full);
  if (!is_sound) return Error(StatusCode::kDataLoss, "the journal's manifest cannot be read");
  // They become parts of file names.
  for (const std::string& part : {run.session_id, run.hostname}) {
    if (part.find_first_of(std::string_view("/\0", 2)) != std::string::npos)
      return Error(StatusCode::kDataLoss, "the journal's session id or host name is not valid");
  }
  // Earlier versions did not write these.
  (void)Get(json, "continues_session", run.continues_session);
  if (std::int64_t step = 0; Get(json, "resume_from_step", step)) run.resume_from_step = step;
  if (max_file_size != 0) config.max_file_size = max_file_size;
  config.on_file_full = stop_when_full ? OnFileFull::kStop : OnFileFull::kRotate;
  const nlohmann::json names = json.value("formats", nlohmann::json::array());
  for (const Format format : {Format::kMindSpore, Format::kTensorBoard}) {
    if (std::find(names.begin(), names.end(), FormatName(format)) != names.end())
      config.formats.push_back(format);
  }
  return config;
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
    SIGHTLINE_RETURN_IF_ERROR(OpenSink(*sink, start).WithContext(sink->name()));
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
