#include "sightline/watch/notify/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "sightline/tests/support/support.h"

namespace sightline::watch {
namespace {

using sightline::testing::IsOk;
using sightline::testing::TempDir;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kSecretUrl[] = "https://hooks.slack.com/services/T0/B0/hunter2";

class TargetTest : public ::testing::Test {
 protected:
  void Write(const std::string& text, mode_t mode = 0600) {
    sightline::testing::WriteFileOrDie(path_, text);
    ASSERT_EQ(chmod(path_.c_str(), mode), 0);
  }
  Result<Target> Read(const std::string& name) const {
    return ReadTarget(name, path_, {dir_.File("runs")});
  }
  std::string Refused(const std::string& target) {
    Write(R"({"team": )" + target + "}");
    const auto read = Read("team");
    return read ? "taken" : std::string(read.error().message());
  }

  const TempDir dir_;
  std::string path_ = dir_.File("notify.json");
};

TEST_F(TargetTest, EachKindIsReadWithItsMembers) {
  Write(R"({"a": {"kind": "command", "command": ["notify-send", "-u", "critical"]},
            "b": {"kind": "feishu", "url": "https://x/hook", "secret": "s"},
            "c": {"kind": "mail", "url": "smtps://mail:465", "user": "u", "password": "p",
                  "from": "sightline@x.org", "to": ["a@x.org", "b@x.org"]},
            "d": {"kind": "json", "url": "http://x/", "authorization": "Bearer t",
                  "certificates": "/etc/ca.pem"}})");
  EXPECT_THAT(Read("a")->command, ElementsAre("notify-send", "-u", "critical"));
  EXPECT_EQ(Read("b")->kind, TargetKind::kFeishu);
  EXPECT_EQ(Read("b")->secret, "s");
  EXPECT_THAT(Read("c")->to, ElementsAre("a@x.org", "b@x.org"));
  EXPECT_EQ(Read("d")->authorization, "Bearer t");
  EXPECT_EQ(Read("d")->certificates, "/etc/ca.pem");
}

TEST_F(TargetTest, TheAddressOfAServiceSaysItsKind) {
  Write(
      R"({"a": {"url": "https://hooks.slack.com/services/x"}, "b": {"url": "https://open.feishu.cn/x"},
            "c": {"url": "https://oapi.dingtalk.com/robot/send?access_token=x"},
            "d": {"url": "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=x"},
            "e": {"url": "https://mine.org/"}})");
  EXPECT_EQ(Read("a")->kind, TargetKind::kSlack);
  EXPECT_EQ(Read("b")->kind, TargetKind::kFeishu);
  EXPECT_EQ(Read("c")->kind, TargetKind::kDingTalk);
  EXPECT_EQ(Read("d")->kind, TargetKind::kWeCom);
  EXPECT_EQ(Read("e")->kind, TargetKind::kJson);
}

TEST_F(TargetTest, AVariableHoldsAUrlOrATarget) {
  setenv("SIGHTLINE_TEST_HOOK", kSecretUrl, 1);  // NOLINT(concurrency-mt-unsafe)
  const auto url = Read("env:SIGHTLINE_TEST_HOOK");
  ASSERT_THAT(url, IsOk());
  EXPECT_EQ(url->kind, TargetKind::kSlack);
  EXPECT_EQ(url->url, kSecretUrl);
  EXPECT_EQ(url->name, "env:SIGHTLINE_TEST_HOOK");
  setenv("SIGHTLINE_TEST_HOOK", R"({"kind": "wecom", "url": "https://x/"})",  // NOLINT
         1);
  EXPECT_EQ(Read("env:SIGHTLINE_TEST_HOOK")->kind, TargetKind::kWeCom);
  unsetenv("SIGHTLINE_TEST_HOOK");  // NOLINT(concurrency-mt-unsafe)
  EXPECT_THAT(std::string(Read("env:SIGHTLINE_TEST_HOOK").error().message()),
              HasSubstr("SIGHTLINE_TEST_HOOK is not set"));
}

TEST_F(TargetTest, AFileThatOthersMayReadIsRefused) {
  for (const mode_t mode : {0640U, 0604U, 0660U, 0602U}) {
    Write(R"({"a": {"url": "https://x/"}})", mode);
    const auto read = Read("a");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code(), StatusCode::kPermissionDenied);
    EXPECT_THAT(std::string(read.error().message()), HasSubstr("chmod 600"));
  }
}

// The dashboard shows what is below a root.
TEST_F(TargetTest, AFileBelowARootIsRefused) {
  std::filesystem::create_directories(dir_.File("runs/a"));
  path_ = dir_.File("runs/a/notify.json");
  Write(R"({"a": {"url": "https://x/"}})");
  std::filesystem::create_symlink(path_, dir_.File("link.json"));
  for (const std::string& path : {path_, dir_.File("link.json")}) {
    const auto read = ReadTarget("a", path, {dir_.File("runs")});
    ASSERT_FALSE(read);
    EXPECT_THAT(std::string(read.error().message()), HasSubstr("lies below"));
  }
}

TEST_F(TargetTest, WhatIsWrongIsNamedAndNoSecretIsShown) {
  EXPECT_THAT(Refused(R"({"kind": "slak", "url": "https://x/hunter2"})"),
              HasSubstr("its kind is none of"));
  EXPECT_THAT(Refused(R"({"kind": "slack", "url": "hunter2"})"),
              HasSubstr("url must begin with https://"));
  EXPECT_THAT(Refused(R"({"kind": "slack"})"), HasSubstr("url must begin with"));
  EXPECT_THAT(Refused(R"({"kind": "slack", "url": "https://x/", "sekret": "hunter2"})"),
              HasSubstr("there is no member sekret"));
  EXPECT_THAT(Refused(R"({"kind": "slack", "url": 3})"), HasSubstr("url is not a text"));
  EXPECT_THAT(Refused(R"({"kind": "command"})"), HasSubstr("command is missing"));
  EXPECT_THAT(Refused(R"({"kind": "command", "command": "rm -rf"})"),
              HasSubstr("not a list of texts"));
  EXPECT_THAT(Refused(R"({"kind": "mail", "url": "http://x", "from": "a@x", "to": ["b@x"]})"),
              HasSubstr("smtps://"));
  EXPECT_THAT(Refused(R"({"kind": "mail", "url": "smtp://x", "from": "a@x", "to": []})"),
              HasSubstr("to is not a list of addresses"));
  EXPECT_THAT(
      Refused(R"({"kind": "mail", "url": "smtp://x", "from": "a@x", "to": ["b@x> BODY=x"]})"),
      HasSubstr("to is not a list of addresses"));
  EXPECT_THAT(Refused(R"({"kind": "json", "url": "https://x/\r\nBcc: y"})"),
              HasSubstr("line break"));
  for (const char* target : {R"({"kind": "slack", "url": "hunter2"})", R"("hunter2")", R"([])",
                             R"({"kind": 3, "url": "hunter2"})"})
    EXPECT_THAT(Refused(target), Not(HasSubstr("hunter2")));
}

TEST_F(TargetTest, AMissingTargetNamesThoseThatAre) {
  Write(R"({"team": {"url": "https://x/hunter2"}, "me": {"url": "https://x/"}})");
  const std::string message(Read("tema").error().message());
  EXPECT_THAT(message, HasSubstr("no target tema; it has me, team"));
  EXPECT_THAT(message, Not(HasSubstr("hunter2")));
}

TEST_F(TargetTest, AFileThatIsNoObjectIsNamed) {
  for (const char* text : {"", "[]", "{", "\"x\""}) {
    Write(text);
    EXPECT_THAT(std::string(Read("a").error().message()),
                HasSubstr("is not a JSON object of targets"));
  }
}

}  // namespace
}  // namespace sightline::watch
