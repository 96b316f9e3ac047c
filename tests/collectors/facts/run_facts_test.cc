#include "sightline/collectors/facts/run_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::HasSubstr;
using testing::ReadFileOrDie;
using testing::TempDir;
using testing::WriteFileOrDie;
using Json = nlohmann::ordered_json;

constexpr char kSecret[] = "s3cr3tValue0123456789";

void WriteBelow(const TempDir& root, const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(root.File(path)).parent_path());
  WriteFileOrDie(root.File(path), text);
}

class RepositoryTest : public ::testing::Test {
 protected:
  RepositoryTest() {
    Git("init -q --initial-branch=trunk");
    Git(std::string("remote add origin https://user:") + kSecret + "@host/x.git");
    WriteFileOrDie(dir_.File("train.txt"), "1\n");
    Git("add train.txt");
    Git("-c user.name=a -c user.email=a@b commit -q -m first");
  }
  void Git(const std::string& arguments) const {
    ASSERT_EQ(std::system(("git -C " + dir_.path() + " " + arguments).c_str()), 0);
  }
  Json Facts() const {
    RunFactsOptions options;
    options.sha256_hex = [](std::string_view bytes) { return "hash of " + std::string(bytes); };
    return RunFacts(dir_.path(), {"train", "--token", kSecret, "a b"}, options);
  }

  const TempDir dir_;
};

TEST_F(RepositoryTest, ACommandIsNamedWithoutItsSecrets) {
  EXPECT_EQ(Facts().at("command"), "train --token '***' 'a b'");
  EXPECT_EQ(Facts().at("directory"), dir_.path());
}

TEST_F(RepositoryTest, TheCommitIsThatOfTheWorkingDirectory) {
  const Json git = Facts().at("git");
  EXPECT_EQ(git.at("commit").get<std::string>().size(), 40U);
  EXPECT_EQ(git.at("branch"), "trunk");
  EXPECT_EQ(git.at("remote"), "https://***@host/x.git");
  EXPECT_EQ(git.at("differs"), false);
  EXPECT_FALSE(git.contains("changed") || git.contains("diff_sha256"));
}

TEST_F(RepositoryTest, WhatDiffersIsNamedAndHashed) {
  WriteFileOrDie(dir_.File("train.txt"), "2\n");
  const Json git = Facts().at("git");
  EXPECT_EQ(git.at("differs"), true);
  EXPECT_EQ(git.at("changed"), "train.txt");
  EXPECT_THAT(git.at("diff_sha256").get<std::string>(),
              HasSubstr("hash of diff --git a/train.txt"));
}

TEST(RunFactsTest, OutsideOfARepositoryThereIsNoCommit) {
  const TempDir dir;
  const Json facts = RunFacts(dir.path(), {});
  EXPECT_FALSE(facts.contains("git") || facts.contains("command"));
  EXPECT_GE(facts.at("cpus"), 1);
  EXPECT_GT(facts.at("memory_bytes"), 0);
  EXPECT_THAT(facts.at("system").get<std::string>(), HasSubstr("with-glibc"));
}

TEST(RunFactsTest, DevicesAndDriversAreThoseOfFiles) {
  const TempDir root;
  WriteBelow(root, "proc/driver/nvidia/gpus/0/information", "Model: \t NVIDIA H200\nIRQ: 1\n");
  WriteBelow(root, "proc/driver/nvidia/gpus/1/information", "Model: \t NVIDIA H200\nIRQ: 1\n");
  WriteBelow(root, "proc/driver/nvidia/version",
             "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.15  Release\n");
  WriteBelow(root, "dev/davinci0", "");
  WriteBelow(root, "dev/davinci_manager", "");
  WriteBelow(root, "usr/local/Ascend/driver/version.info", "Version=24.1.0\nascendhal=7\n");
  WriteBelow(root, "usr/local/Ascend/latest/version.cfg",
             "# header\ntoolkit_running_version=[8.0.RC3:8.0]\n");
  unsetenv("ASCEND_TOOLKIT_HOME");
  const Json facts = RunFacts(root.path(), {}, {.root = root.path()});
  EXPECT_EQ(facts.at("devices"), "2 x NVIDIA H200, 1 x Ascend NPU");
  EXPECT_EQ(facts.at("nvidia_driver"), "570.86.15");
  EXPECT_EQ(facts.at("ascend_driver"), "24.1.0");
  EXPECT_EQ(facts.at("cann"), "8.0.RC3:8.0");
}

TEST(RunFactsTest, OfTheEnvironmentOnlyNamesOfAListAreKept) {
  const std::string secret = std::string("=") + kSecret;
  const Json kept = LauncherVariables({"RANK=1", "SLURM_JOB_ID=7", "NCCL_DEBUG=INFO",
                                       "MASTER_ADDR=host", "HOME=/root", "WANDB_API_KEY" + secret,
                                       "NCCL_AUTH_TOKEN" + secret, "MASTER_PASSWORD" + secret,
                                       "ASCEND_URL=https://u:" + std::string(kSecret) + "@host",
                                       "RANKING=1", "NCCL_A B=1", "MS_NO_SIGN"});
  EXPECT_EQ(kept.dump(), R"({"ASCEND_URL":"https://***@host","MASTER_ADDR":"host",)"
                         R"("NCCL_DEBUG":"INFO","RANK":"1","SLURM_JOB_ID":"7"})");
}

TEST(RunFactsTest, TheFileIsItsOwnersAndWrittenOnce) {
  const TempDir dir;
  ASSERT_TRUE(KeepRunFacts(dir.path(), "a", R"({"host":"x"})").ok());
  const std::string path = dir.File(".sightline-run-a.json");
  EXPECT_EQ(ReadFileOrDie(path), R"({"host":"x"})");
  struct stat status = {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_EQ(KeepRunFacts(dir.path(), "a", "{}").code(), StatusCode::kAlreadyExists);
  const std::filesystem::directory_iterator entries(dir.path());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
}

}  // namespace
}  // namespace sightline
