// What is sent to a target: the body of a request, or a mail, made of an event's JSON
// (watch/event_json.h) with the member "host". Names, tags and texts in it are those that somebody
// recorded: in every body they are data, and never markup, a mention or a header.
//
// Pure functions, callable from any thread.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "sightline/watch/notify/target.h"

namespace sightline::watch {

// The event in words, for people: what, where and when; several lines.
std::string MessageText(const nlohmann::json& event);

// For targets of HTTP. `seconds`: the time of the request since the Unix epoch, for its signature.
struct HttpMessage {
  std::string url;
  std::string body;  // JSON.
};
HttpMessage HttpMessageFor(const Target& target, const nlohmann::json& event, double seconds);

// A mail by RFC 5322, with its headers.
std::string MailFor(const Target& target, const nlohmann::json& event, double seconds);

// What the answer of a target says.
struct Answer {
  int status = 0;          // Of HTTP.
  std::string body;        // At most 64 KiB.
  double retry_after = 0;  // Seconds, of the header Retry-After; 0: there is none.
};
// Empty if the message was delivered, else why not: words of ours, and numbers of the answer.
std::string WhyNotDelivered(TargetKind kind, const Answer& answer);

}  // namespace sightline::watch
