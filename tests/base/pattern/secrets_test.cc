#include "sightline/base/pattern/secrets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Arguments = std::vector<std::string>;

const std::string kValue = "s3cr3tValue0123456789";

// In each of these commands, @ stands for the secret.
const Arguments kCommands[] = {
    {"--token", "@"},
    {"--token=@"},
    {"--api-key", "@"},
    {"--api_key=@"},
    {"--hf-token", "@"},
    {"--apiKey", "@"},
    {"-password", "@"},
    {"password=@"},
    {"PASSWORD='@'"},
    {"--aws-secret-access-key", "@"},
    {"--aws_session_token=@"},
    {"training.wandb.api_key=@"},
    {"+secret=@"},
    {"--options=a=1,token=@"},
    {"--header", "Authorization: Bearer @"},
    {"--header=X-Api-Key: @"},
    {"Authorization: Basic @"},
    {"--cookie", "session=@"},
    {"https://user:@\x01host/x.git"},
    {"https://@\x01github.com/a/b"},
    {"git+https://oauth2:@\x01gitlab.com/a"},
    {"postgresql://user:@\x01"
     "db/x"},
    {"https://host/x?token=@"},
    {"https://host/x?a=1&sig=@&b=2"},
    {"https://host/x?X-Amz-Signature=@"},
    {R"({"api_key": "@"})"},
    {"{'secret': '@'}"},
    {"sh", "-c", "TOKEN=@ python train.py"},
    {"ghp_@"},
    {"github_pat_@"},
    {"glpat-@"},
    {"hf_@"},
    {"sk-@"},
    {"xoxb-@"},
    {"eyJ@.@.@"},
    {"-----BEGIN RSA PRIVATE KEY-----\n@"},
    // Names as people write them.
    {"HFToken=@"},
    {"DBPassword=@"},
    {"hftoken=@"},
    {"-Dpassword=@"},
    {"TOKEN1=@"},
    {"--api_key2", "@"},
    {"--api-keys", "@"},
    {"--passcode", "@"},
    {"--jwt", "@"},
    {"--pw", "@"},
    // Values of several words, with signs in them, in quotes and in brackets.
    {"--password=correct horse @"},
    {"--password=ab,cd&ef@"},
    {"--token", "-@"},
    {"--token", "@ "},
    {R"({"token": "a\"@"})"},
    {R"({"api_keys": ["]", "@"]})"},
    {R"("{\"token\": \"@\", \"x\": 1}")"},
    {"{b'token': b'@'}"},
    {"token=\"a @"},
    {"token => @"},
    {"--keys=(@"},
    {"sh", "-c", "python train.py --api-key @"},
    {"sh", "-c", "TOKEN=abc\"@\" python"},
    {"sh", "-c", R"(TOKEN='it'\''@' python)"},
    {"sh", "-c", "TOKEN=a,@ python"},
    {"--header", "Authorization: ApiKey @"},
    {"--header", "Cookie: a=1; b=@"},
    // Places and forms.
    {"https://user:p\x01@\x01host/x"},
    {"https://user:p/@\x01host/x"},
    {"https://host/x?next=%2Fy%3Ftoken%3D@"},
    {"https://hooks.slack.com/services/T0/B0/@"},
    {"https://discord.com/api/webhooks/1/@"},
    {"eyJhcGlfYWRkcmVzcyI6@"},
    {"x_ghp_@"},
    {"sk_live_@"},
    {"nvapi-@"},
    {"-----BEGIN PGP PRIVATE KEY BLOCK-----\n@"},
};

// \x01 stands for @ itself.
std::string WithSecret(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '@') {
      out += kValue;
    } else {
      out += c == '\x01' ? '@' : c;
    }
  }
  return out;
}

TEST(SecretsTest, ASecretIsHidden) {
  for (const Arguments& command : kCommands) {
    Arguments arguments;
    for (const std::string& argument : command) arguments.push_back(WithSecret(argument));
    const std::string hidden = fmt::format("{}", fmt::join(HideSecretsOfCommand(arguments), " "));
    SCOPED_TRACE(fmt::format("{}", fmt::join(command, " ")));
    EXPECT_THAT(hidden, Not(HasSubstr(kValue)));
    EXPECT_THAT(hidden, HasSubstr("***"));
  }
}

TEST(SecretsTest, WhatIsNoSecretStays) {
  for (const char* const argument :
       {"--max_tokens=100", "--tokenizer=gpt2", "https://host/x?epoch=3", "a:b", "--author=x", "-",
        "glove-wiki-gigaword-100", "http://host:8080/a@b", "token="}) {
    EXPECT_THAT(HideSecretsOfCommand(Arguments{argument, "8"}), ElementsAre(argument, "8"));
    EXPECT_EQ(HideSecrets(argument), argument);
  }
}

TEST(SecretsTest, WhatIsAroundASecretStays) {
  const std::pair<const char*, const char*> texts[] = {
      {"--options=a=1,token=@,b=2", "--options=a=1,token=***,b=2"},
      {"https://host/x?a=1&sig=@&b=2", "https://host/x?a=1&sig=***&b=2"},
      {R"({"credentials": {"u": ["@"]}, "lr": 1})", R"({"credentials": ***, "lr": 1})"},
      {R"({"run": "TOKEN=@ x", "lr": 1})", R"({"run": "TOKEN=*** x", "lr": 1})"},
  };
  for (const auto& [text, hidden] : texts)
    EXPECT_THAT(HideSecretsOfCommand(Arguments{WithSecret(text)}), ElementsAre(hidden));
}

TEST(SecretsTest, WhatFollowsASecretStays) {
  EXPECT_THAT(
      HideSecretsOfCommand(Arguments{"--token", kValue, "train.py", "--use-auth", "--lr", "3"}),
      ElementsAre("--token", "***", "train.py", "--use-auth", "--lr", "3"));
  EXPECT_THAT(HideSecretsOfCommand(Arguments{"sh", "-c", "TOKEN=" + kValue + " python train.py"}),
              ElementsAre("sh", "-c", "TOKEN=*** python train.py"));
}

// With patterns whose time grows with the square of the text, this takes a minute.
TEST(SecretsTest, ALongTextHoldsNobodyUp) {
  for (const char* const part : {"a0", "a.", "a=", "a ", "://", "a:/", "a\""}) {
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += part;
    EXPECT_EQ(HideSecrets(text), text) << part;
  }
}

TEST(SecretsTest, ASecretWithoutAnEndIsHiddenToTheEnd) {
  for (const char* const part : {"\\a", "'a'", "a", "{", "\"a"}) {
    std::string text = "token=x" + kValue;
    for (int i = 0; i < 20'000; ++i) text += part;
    EXPECT_THAT(HideSecrets(text), Not(HasSubstr(kValue))) << part;
  }
}

}  // namespace
}  // namespace sightline
