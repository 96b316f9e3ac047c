#include "sightline/watch/notify/delivery.h"

#include <chrono>

#include "sightline/base/json/json_line.h"
#include "sightline/watch/notify/command_runner.h"
#include "sightline/watch/notify/http_client.h"
#include "sightline/watch/notify/message_body.h"

namespace sightline::watch {
namespace {

constexpr std::chrono::seconds kCommandPatience{30};

Delivery Of(const Status& status) {
  return {status.ok() ? std::string() : std::string(status.message())};
}

}  // namespace

Delivery Deliver(const Target& target, const nlohmann::json& event, const Clock& clock) {
  if (target.kind == TargetKind::kCommand)
    return Of(RunCommand(target.command, JsonLine(event) + "\n", kCommandPatience));
  const double now = clock.WallSeconds();
  if (target.kind == TargetKind::kMail) return Of(SendMail(target, MailFor(target, event, now)));
  const auto answer =
      PostJson(target, HttpMessageFor(target, event, now), event.value("id", std::string()));
  if (!answer) return Of(answer.error());
  return {WhyNotDelivered(target.kind, *answer), answer->retry_after};
}

}  // namespace sightline::watch
