#include "sightline/watch/notify/message_body.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <cctype>
#include <ctime>
#include <string_view>

#include "sightline/base/digest/sha256.h"
#include "sightline/base/json/foreign_json.h"
#include "sightline/base/json/json_line.h"
#include "sightline/base/text/printable.h"

namespace sightline::watch {
namespace {

constexpr std::size_t kMailLine = 76;   // RFC 2045.
constexpr std::size_t kWordBytes = 39;  // Of an encoded word, so that "Subject: " fits before it.
constexpr std::size_t kMostSubject = 200;

std::string Base64(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                   reinterpret_cast<const unsigned char*>(bytes.data()),
                                   static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(size));
  return text;
}

std::string PercentEncoded(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", byte);
    }
  }
  return encoded;
}

std::string Member(const nlohmann::json& event, const char* key) {
  const auto at = event.find(key);
  return at != event.end() && at->is_string() ? Printable(at->get<std::string>()) : "";
}

std::string TimeText(double seconds) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

// One line: "llama/7b: nan: loss is nan at step 36".
std::string Headline(const nlohmann::json& event) {
  const bool over = Member(event, "what") == "over";
  return fmt::format("{}: {}{}: {}", Member(event, "run"), over ? "over: " : "",
                     Member(event, "rule"), Member(event, "text"));
}

// For chats, whose text may hold mentions ("@everyone", "<!channel>", "<at ...>") and links. Their
// first characters become ones that look the same. "acc@1" has no mention.
std::string ChatText(const nlohmann::json& event) {
  const std::string text = MessageText(event);
  std::string inert;
  bool in_word = false;
  for (const char c : text) {
    if (c == '<') {
      inert += "\u2039";
    } else if (c == '>') {
      inert += "\u203A";
    } else if (c == '@' && !in_word) {
      inert += "\uFF20";
    } else {
      inert += c;
    }
    in_word = std::isalnum(static_cast<unsigned char>(c)) != 0;
  }
  return inert;
}

nlohmann::ordered_json SlackBody(const std::string& text) {
  // Plain text has no markup. `text` is what a notification shows.
  return {{"text", text},
          {"mrkdwn", false},
          {"link_names", false},
          {"unfurl_links", false},
          {"blocks",
           {{{"type", "section"},
             {"text", {{"type", "plain_text"}, {"text", text}, {"emoji", false}}}}}}};
}

// Sources: open.feishu.cn, "Use bots in groups": a rich text, whose elements of the tag `text` hold
// no markup; the key of its signature is the time and the secret, and the signed text is empty.
nlohmann::ordered_json FeishuBody(const Target& target, const std::string& text, double seconds) {
  nlohmann::ordered_json json;
  if (!target.secret.empty()) {
    const std::string time = fmt::format("{}", static_cast<std::int64_t>(seconds));
    json["timestamp"] = time;
    json["sign"] = Base64(HmacSha256(time + "\n" + target.secret, ""));
  }
  json["msg_type"] = "post";
  nlohmann::ordered_json line = nlohmann::ordered_json::array();
  line.push_back({{"tag", "text"}, {"text", text}});
  json["content"]["post"]["en_us"] = {{"title", "Sightline"},
                                      {"content", nlohmann::ordered_json::array({line})}};
  return json;
}

// Source: open.dingtalk.com, "Custom robot": milliseconds and signature are parameters of the URL.
std::string DingTalkUrl(const Target& target, double seconds) {
  if (target.secret.empty()) return target.url;
  const std::string time = fmt::format("{}", static_cast<std::int64_t>(seconds * 1000));
  const std::string sign = Base64(HmacSha256(target.secret, time + "\n" + target.secret));
  const char* const mark = target.url.find('?') == std::string::npos ? "?" : "&";
  return target.url + mark + "timestamp=" + time + "&sign=" + PercentEncoded(sign);
}

nlohmann::ordered_json BodyOf(const Target& target, const nlohmann::json& event, double seconds) {
  switch (target.kind) {
    case TargetKind::kSlack:
      return SlackBody(ChatText(event));
    case TargetKind::kFeishu:
      return FeishuBody(target, ChatText(event), seconds);
    case TargetKind::kDingTalk:
      return {{"msgtype", "text"},
              {"text", {{"content", ChatText(event)}}},
              {"at", {{"isAtAll", false}}}};
    case TargetKind::kWeCom:
      return {{"msgtype", "text"}, {"text", {{"content", ChatText(event)}}}};
    case TargetKind::kCommand:
    case TargetKind::kJson:
    case TargetKind::kMail:
      break;
  }
  return event;
}

// RFC 2047: words of whole characters, so that no line break and no other header can begin in them.
std::string EncodedHeader(std::string_view text) {
  text = text.substr(0, kMostSubject);
  std::string header;
  while (!text.empty()) {
    std::size_t size = std::min(text.size(), kWordBytes);
    while (size > 1 && size < text.size() &&
           (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80)
      --size;
    header +=
        (header.empty() ? "" : "\r\n ") + ("=?UTF-8?B?" + Base64(text.substr(0, size)) + "?=");
    text.remove_prefix(size);
  }
  return header;
}

}  // namespace

std::string MessageText(const nlohmann::json& event) {
  const auto time = event.value("time", 0.0);
  return fmt::format("{}\n{} on {}\n{} (id {})", Headline(event), Member(event, "directory"),
                     Member(event, "host"), TimeText(time), Member(event, "id"));
}

HttpMessage HttpMessageFor(const Target& target, const nlohmann::json& event, double seconds) {
  const bool signs_url = target.kind == TargetKind::kDingTalk;
  return {signs_url ? DingTalkUrl(target, seconds) : target.url,
          JsonLine(BodyOf(target, event, seconds))};
}

std::string MailFor(const Target& target, const nlohmann::json& event, double seconds) {
  std::string to;
  for (const std::string& one : target.to) to += (to.empty() ? "" : ",\r\n ") + one;
  const std::string what = Member(event, "what") == "over" ? "over" : "began";
  std::string mail = fmt::format(
      "Date: {:%a, %d %b %Y %H:%M:%S} +0000\r\nFrom: {}\r\nTo: {}\r\nSubject: {}\r\n"
      "Message-ID: <{}.{}@sightline>\r\nMIME-Version: 1.0\r\n"
      "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n",
      fmt::gmtime(static_cast<std::time_t>(seconds)), target.from, to,
      EncodedHeader("[Sightline] " + Headline(event)), Member(event, "id"), what);
  const std::string body = Base64(MessageText(event) + "\n");
  for (std::size_t at = 0; at < body.size(); at += kMailLine)
    mail += body.substr(at, kMailLine) + "\r\n";
  return mail;
}

std::string WhyNotDelivered(TargetKind kind, const Answer& answer) {
  if (answer.status < 200 || answer.status >= 300)
    return fmt::format("the answer is HTTP {}", answer.status);
  if (kind == TargetKind::kSlack) return answer.body == "ok" ? "" : "the answer is not ok";
  if (kind != TargetKind::kFeishu && kind != TargetKind::kDingTalk && kind != TargetKind::kWeCom)
    return "";
  const auto json = ParseForeignJson<nlohmann::json>(answer.body);
  const char* const key = kind == TargetKind::kFeishu ? "code" : "errcode";
  if (!json.is_object() || !json.contains(key) || !json[key].is_number_integer())
    return fmt::format("the answer has no {}", key);
  const auto code = json[key].get<std::int64_t>();
  return code == 0 ? "" : fmt::format("the answer has the {} {}", key, code);
}

}  // namespace sightline::watch
