#include "sightline/watch/notify/message_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace sightline::watch {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// 2026-11-29 00:00:00 UTC
constexpr double kTime = 1'795'910'400;

nlohmann::json Event(const std::string& name = "llama/7b") {
  return {{"id", "0123456789abcdef"},
          {"time", kTime},
          {"what", "began"},
          {"rule", "nan"},
          {"run", name},
          {"directory", "/runs/llama"},
          {"text", name + " is nan at step 36"},
          {"host", "node1"}};
}

Target TargetOf(TargetKind kind, const std::string& secret = "") {
  return {.name = "team", .kind = kind, .url = "https://x/hook?key=1", .secret = secret};
}

nlohmann::json BodyOf(TargetKind kind, const nlohmann::json& event,
                      const std::string& secret = "") {
  return nlohmann::json::parse(HttpMessageFor(TargetOf(kind, secret), event, kTime).body);
}

// What people read of a body.
std::string TextIn(TargetKind kind, const nlohmann::json& body) {
  switch (kind) {
    case TargetKind::kSlack:
      return body["blocks"][0]["text"]["text"];
    case TargetKind::kFeishu:
      return body["content"]["post"]["en_us"]["content"][0][0]["text"];
    case TargetKind::kDingTalk:
    case TargetKind::kWeCom:
      return body["text"]["content"];
    case TargetKind::kCommand:
    case TargetKind::kJson:
    case TargetKind::kMail:
      break;
  }
  return "";
}

constexpr TargetKind kChats[] = {TargetKind::kSlack, TargetKind::kFeishu, TargetKind::kDingTalk,
                                 TargetKind::kWeCom};

TEST(MessageBodyTest, TheTextSaysWhatWhereAndWhen) {
  EXPECT_EQ(MessageText(Event()),
            "llama/7b: nan: llama/7b is nan at step 36\n/runs/llama on node1\n"
            "2026-11-29 00:00:00 UTC (id 0123456789abcdef)");
  nlohmann::json over = Event();
  over["what"] = "over";
  EXPECT_THAT(MessageText(over), HasSubstr("llama/7b: over: nan: "));
}

TEST(MessageBodyTest, JsonIsTheEventItself) {
  EXPECT_EQ(BodyOf(TargetKind::kJson, Event()), Event());
}

TEST(MessageBodyTest, NamesAreDataInEveryChat) {
  for (const TargetKind kind : kChats) {
    SCOPED_TRACE(std::string(TargetKindName(kind)));
    const std::string evil =
        "<!channel> @everyone <at user_id=\"all\"></at> [x](http://y) \u202e\x1b[31m";
    const nlohmann::json body = BodyOf(kind, Event(evil));
    const std::string text = TextIn(kind, body);
    EXPECT_THAT(text, HasSubstr("is nan at step 36"));
    EXPECT_THAT(body.dump(), Not(HasSubstr("<!channel>")));
    EXPECT_THAT(body.dump(), Not(HasSubstr("@everyone")));
    EXPECT_THAT(body.dump(), Not(HasSubstr("<at")));
    EXPECT_THAT(text, HasSubstr("\uFF20everyone"));
    EXPECT_THAT(text, HasSubstr("\\u202e\\x1b[31m"));
    EXPECT_THAT(TextIn(kind, BodyOf(kind, Event("acc@1"))), HasSubstr("acc@1 is nan"));
  }
}

// Elements in which no chat looks for markup or mentions.
TEST(MessageBodyTest, ChatsGetPlainText) {
  const auto slack = BodyOf(TargetKind::kSlack, Event());
  EXPECT_EQ(slack["blocks"][0]["text"]["type"], "plain_text");
  EXPECT_EQ(slack["mrkdwn"], false);
  EXPECT_EQ(slack["link_names"], false);
  const auto feishu = BodyOf(TargetKind::kFeishu, Event());
  EXPECT_EQ(feishu["msg_type"], "post");
  EXPECT_EQ(feishu["content"]["post"]["en_us"]["content"][0][0]["tag"], "text");
  EXPECT_EQ(BodyOf(TargetKind::kDingTalk, Event())["msgtype"], "text");
  EXPECT_EQ(BodyOf(TargetKind::kDingTalk, Event())["at"]["isAtAll"], false);
  EXPECT_EQ(BodyOf(TargetKind::kWeCom, Event())["msgtype"], "text");
}

// Computed with Python: base64(hmac(key, message, sha256)).
TEST(MessageBodyTest, FeishuIsSignedWithTimeAndSecretAsTheKeyOfNothing) {
  const auto body = BodyOf(TargetKind::kFeishu, Event(), "demo");
  EXPECT_EQ(body["timestamp"], "1795910400");
  EXPECT_EQ(body["sign"], "xPeZx+9f6cqGVH9qB9hAcxAOTEPCglKMyY348b2YDvU=");
  EXPECT_FALSE(BodyOf(TargetKind::kFeishu, Event()).contains("sign"));
}

TEST(MessageBodyTest, DingTalkIsSignedInItsUrl) {
  const Target target = TargetOf(TargetKind::kDingTalk, "SECdemo");
  EXPECT_EQ(
      HttpMessageFor(target, Event(), kTime).url,
      "https://x/"
      "hook?key=1&timestamp=1795910400000&sign=3mlxlqhcaokV%2BHq%2BpCQhlitSFZIflfswtfRM9p8dS5U%3D");
  EXPECT_EQ(HttpMessageFor(TargetOf(TargetKind::kDingTalk), Event(), kTime).url,
            "https://x/hook?key=1");
}

TEST(MessageBodyTest, AMailHasNoHeadersOfAName) {
  const Target target{.name = "me",
                      .kind = TargetKind::kMail,
                      .url = "smtps://x",
                      .from = "sightline@x.org",
                      .to = {"a@x.org", "b@x.org"}};
  const std::string mail = MailFor(target, Event("a\r\nBcc: evil@y.org\r\n\r\nbody"), kTime);
  const std::string headers = mail.substr(0, mail.find("\r\n\r\n"));
  EXPECT_THAT(mail, Not(HasSubstr("Bcc")));  // The subject and the body are base64.
  EXPECT_THAT(headers,
              HasSubstr("Date: Sun, 29 Nov 2026 00:00:00 +0000\r\nFrom: sightline@x.org\r\n"
                        "To: a@x.org,\r\n b@x.org\r\nSubject: =?UTF-8?B?"));
  EXPECT_THAT(headers, HasSubstr("Message-ID: <0123456789abcdef.began@sightline>"));
  for (std::size_t at = 0; at < mail.size();) {
    const std::size_t end = mail.find("\r\n", at);
    EXPECT_LE(end - at, 78U);
    at = end + 2;
  }
}

TEST(MessageBodyTest, EncodedWordsHaveWholeCharacters) {
  const Target target{.name = "me", .kind = TargetKind::kMail, .from = "a@x", .to = {"b@x"}};
  std::string name;
  for (int i = 0; i < 60; ++i) name += "\u635f";  // Three bytes each.
  const std::string mail = MailFor(target, Event(name), kTime);
  EXPECT_THAT(mail, Not(HasSubstr("?=?UTF-8")));
  EXPECT_THAT(mail, HasSubstr("?=\r\n =?UTF-8?B?"));
}

TEST(MessageBodyTest, DeliveredIsWhatTheBodyOfTheAnswerSays) {
  const auto why = [](TargetKind kind, int status, const std::string& body) {
    return WhyNotDelivered(kind, {status, body});
  };
  EXPECT_EQ(why(TargetKind::kFeishu, 200, R"({"code": 0})"), "");
  EXPECT_EQ(why(TargetKind::kFeishu, 200, R"({"code": 19021, "msg": "sign match fail"})"),
            "the answer has the code 19021");
  EXPECT_EQ(why(TargetKind::kFeishu, 200, "<html>"), "the answer has no code");
  for (const TargetKind kind : {TargetKind::kDingTalk, TargetKind::kWeCom}) {
    EXPECT_EQ(why(kind, 200, R"({"errcode": 0, "errmsg": "ok"})"), "");
    EXPECT_EQ(why(kind, 200, R"({"errcode": 130101})"), "the answer has the errcode 130101");
    EXPECT_EQ(why(kind, 200, R"({"errcode": "0"})"), "the answer has no errcode");
  }
  EXPECT_EQ(why(TargetKind::kSlack, 200, "ok"), "");
  EXPECT_EQ(why(TargetKind::kSlack, 200, "invalid_token"), "the answer is not ok");
  EXPECT_EQ(why(TargetKind::kJson, 204, ""), "");
  for (const int status : {301, 302, 404, 429, 500}) {
    EXPECT_EQ(why(TargetKind::kJson, status, R"({"code": 0})"),
              "the answer is HTTP " + std::to_string(status));
  }
}

TEST(MessageBodyTest, AnEventWithoutMembersIsStillAMessage) {
  for (const TargetKind kind : kChats)
    EXPECT_NE(HttpMessageFor(TargetOf(kind, "s"), nlohmann::json::object(), kTime).body, "");
}

}  // namespace
}  // namespace sightline::watch
