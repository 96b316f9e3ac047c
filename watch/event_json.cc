#include "sightline/watch/event_json.h"

namespace sightline::watch {

nlohmann::ordered_json EventJson(const WatchEvent& event) {
  nlohmann::ordered_json json = {
      {"id", event.id},          {"time", event.time}, {"what", event.over ? "over" : "began"},
      {"rule", event.rule},      {"run", event.run},   {"directory", event.directory},
      {"text", event.cause.text}};
  if (!event.cause.tag.empty()) json["tag"] = event.cause.tag;
  if (!event.cause.ranks.empty()) json["ranks"] = event.cause.ranks;
  if (event.cause.step) json["step"] = *event.cause.step;
  return json;
}

}  // namespace sightline::watch
